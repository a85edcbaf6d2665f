"""The one kind of error that is the user's to mend: one line on stderr and exit code 2."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class UserError(Exception):
    """Something given on the command line cannot be used; the message says what and what to do."""


@contextmanager
def as_user_error(*kinds: type[Exception], prefix: str = "") -> Iterator[None]:
    """Turn errors of these kinds into a `UserError` of one line."""
    try:
        yield
    except kinds as error:
        raise UserError(f"{prefix}{one_line(error)}") from error


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Tell warnings on stderr as text, without the line of code they come from."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        print(f"note: {warning.message}", file=sys.stderr)


def one_line(error: BaseException) -> str:
    """What an error says, without line breaks; a file error without its number."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__
