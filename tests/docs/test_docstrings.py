"""Every public name says what it takes and what it gives, in numpydoc's sections."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator

import pytest

from seedbed.init import Method

ROOMS = ("kmeans", "init", "advise", "criteria", "data", "stats", "study", "report", "exceptions")
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", flags=re.MULTILINE)


def public() -> Iterator[tuple[str, object]]:
    """Public classes and functions, and the public methods that classes define themselves."""
    for room in ROOMS:
        module = importlib.import_module(f"seedbed.{room}")
        for name in module.__all__:
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or callable(thing)):
                continue
            yield f"{room}.{name}", thing
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                function = getattr(value, "__func__", value)
                if not member.startswith("_") and inspect.isfunction(function):
                    yield f"{room}.{name}.{member}", function


def sections(thing: object) -> dict[str, str]:
    """The sections of a docstring by name; what stands before them has the name ""."""
    parts = SECTION.split(inspect.getdoc(thing) or "")
    return {"": parts[0].strip(), **dict(zip(parts[1::2], parts[2::2], strict=True))}


def documented(text: str) -> list[str]:
    """The names that a section explains, several of them before one colon included."""
    heads = re.findall(r"^([*\w][\w*, ]*?)(?: :.*)?$", text, flags=re.MULTILINE)
    return [name.lstrip("*") for head in heads for name in head.split(", ")]


THINGS = dict(public())
every_name = pytest.mark.parametrize("name", THINGS)


@every_name
def test_a_summary_in_one_sentence(name):
    summary = sections(THINGS[name])[""].split("\n\n")[0]
    assert summary, f"{name} has no docstring"
    assert summary.endswith((".", ":")), summary


@every_name
def test_parameters_are_explained_and_no_others(name):
    thing, member = THINGS[name], name.count(".") > 1
    if inspect.isclass(thing) and issubclass(thing, Method | BaseException | tuple):
        return  # the registry explains a method's parameters; the others are made by us only
    taken = list(inspect.signature(thing).parameters)[int(member) :]  # without self or cls
    if taken == ["args", "kwargs"]:
        return  # a protocol
    found = sections(thing)
    if member and "Parameters" not in found:
        return  # a line may be enough for what is reached through its class
    told = documented(found.get("Parameters", ""))
    if inspect.isclass(thing):
        told += [n for n in documented(found.get("Attributes", "")) if n in taken]
    assert sorted(told) == sorted(taken)


@every_name
def test_what_is_returned_is_told(name):
    thing = THINGS[name]
    if inspect.isclass(thing) or name.count(".") > 1:
        return
    returns = inspect.signature(thing).return_annotation
    if returns == "None":
        return
    assert "Returns" in sections(thing), f"{name} returns {returns}"
