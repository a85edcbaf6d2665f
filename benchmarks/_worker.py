"""Runs tasks in a process of its own, so that one that takes too long can be ended."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable
from typing import Any

_CONTEXT = multiprocessing.get_context("spawn")  # no state of the parent, on every platform
START_SECONDS = 300.0  # for imports and reading the data, on a busy machine


class TooSlow(Exception):
    """A task was ended because its time was up."""


class Failed(Exception):
    """A task raised or its process died; the message has all that is known."""


class Worker:
    """Calls ``make(*arguments)`` in a child process and then what it returns, task after task.

    The child is started when it is needed, and again after a task had to be ended. Everything that
    crosses the border must pickle.
    """

    def __init__(self, make: Callable[..., Callable[[Any], Any]], *arguments: Any) -> None:
        self._make, self._arguments = make, arguments
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the child if there is none; `call` does it too, at the cost of the first task."""
        if self._process is not None:
            return
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(
            target=_serve, args=(theirs, self._make, self._arguments), daemon=True
        )
        self._process.start()
        theirs.close()
        try:
            self._answer(START_SECONDS)
        except (Failed, TooSlow) as error:  # no task's fault
            self.stop()
            raise RuntimeError(f"the worker could not be started: {error}") from None

    def call(self, task: Any, *, limit: float) -> Any:
        """The result of one task; raises `TooSlow` after ``limit`` seconds, or `Failed`."""
        self.start()
        self._pipe.send(task)
        return self._answer(limit)

    def stop(self) -> None:
        """End the child, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _answer(self, limit: float) -> Any:
        if not self._pipe.poll(limit):
            self.stop()
            raise TooSlow(f"more than {limit:g} s")
        try:
            fine, value = self._pipe.recv()
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            self.stop()
            raise Failed(f"the process died with exit code {code}, perhaps out of memory") from None
        if not fine:
            raise Failed(value)
        return value


def _serve(
    pipe: Any, make: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]
) -> None:
    """The child: make the function, say that it is ready, then answer until the parent is gone."""

    def attempt(function: Callable[..., Any], *given: Any) -> Any:
        try:
            return True, function(*given)
        except Exception:
            return False, traceback.format_exc()

    fine, made = attempt(make, *arguments)
    try:
        pipe.send((fine, None if fine else made))
        while fine:
            pipe.send(attempt(made, pipe.recv()))
    except (EOFError, BrokenPipeError):
        pass
