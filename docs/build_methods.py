"""Writes docs/methods: a page per method with a picture of its seeds, and an index, all of it from
the registry.

    python docs/build_methods.py            # write what has changed
    python docs/build_methods.py --check    # write nothing; exit with 1 if something has changed
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from seeds_picture import N_CLUSTERS, fit, patches, picture

import seedbed as sb
from seedbed.init import Meta, Method
from seedbed.init._registry import classes, is_ours

FOLDER = Path(__file__).resolve().with_name("methods")
WEIGHTS = {
    "yes": "a row of weight w acts as w equal rows",
    "part": "matter, but not quite as repeated rows would",
    "no": "do not matter, except that rows of weight 0 are never used",
}
INDEX = """# Methods

Where k-means may start: {count} methods, each with a page that says what it does, what it costs and
when to use it, and shows where its seeds fall. `seedbed methods` prints this table, and
`seedbed methods NAME` explains one. To add yours, see [Add a method](../add-a-method.md).

N rows, D attributes, K clusters. *Cost* is in N. *Random*: whether the seeds depend on the random
state. Letters are those of Celebi, Kingravi & Vela (2013), whose eight methods come first.

"""


class Refusal(str):
    """Why a method does not take the plane."""


def slug(identity: str) -> str:
    """An id as the name of a file: letters, digits and hyphens."""
    words = identity.lower().replace("++", "-plus-plus").replace("||", "-parallel")
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def build() -> dict[str, str]:
    """Every file of the folder, by name."""
    ours = [cls for cls in classes() if is_ours(cls)]
    files = {"index.md": index([cls.meta for cls in ours])}
    for cls in ours:
        files[f"{slug(cls.meta.id)}.md"] = page(cls)
        for name, method in shown(cls).items():
            if not isinstance(model := fitted(method), Refusal):
                files[f"{slug(name)}.svg"] = picture(plane(), model, name)
    return files


def shown(cls: type[Method]) -> dict[str, Method]:
    """What is pictured on a method's page: the method, then presets that are something else."""
    methods: dict[Method, str] = {cls(): cls.meta.id}
    for preset in cls.meta.presets:
        methods.setdefault(sb.init.get(preset), preset)
    return {name: method for method, name in methods.items()}


@cache
def fitted(method: Method) -> sb.KMeans | Refusal:
    """K-means from the method's seeds on the plane, or why the method does not take it."""
    try:
        return fit(plane(), method)
    except ValueError as error:
        return Refusal(str(error))


@cache
def plane() -> np.ndarray:
    return patches()


@cache
def least_sse() -> float:
    """The least that many runs find on the plane."""
    many = sb.KMeans(N_CLUSTERS, n_init=300, random_state=0, stop="labels")
    return float(many.fit(plane()).inertia_)


def index(metas: Iterable[Meta]) -> str:
    metas = list(metas)
    rows = [
        (
            f"[{meta.name}]({slug(meta.id)}.md)",
            f"`{meta.id}`",
            meta.letter or "",
            meta.family,
            str(meta.year),
            meta.cost,
            "no" if meta.deterministic else "yes",
            meta.summary,
        )
        for meta in metas
    ]
    heading = (
        "method",
        "name in code",
        "letter",
        "family",
        "year",
        "cost",
        "random",
        "what it does",
    )
    text = INDEX.format(count=len(metas)) + table(heading, rows)
    presets = [row for meta in metas for row in preset_rows(meta, link=True)]
    if presets:
        text += "\n## Presets\n\nNames that stand for a method with certain parameters.\n\n"
        text += table(("name in code", "method", "parameters"), presets)
    return text


def page(cls: type[Method]) -> str:
    """What is known about a method, in Markdown."""
    meta = cls.meta
    return "\n".join(
        [
            f"# {meta.name}",
            "",
            f"`{meta.id}`{f', {meta.letter}' if meta.letter else ''}: {meta.summary}.",
            "",
            *(line for paragraph in cls.description() for line in (paragraph, "")),
            f"**Use it** {meta.use}.  " if meta.use else "",
            f"**Avoid it** {meta.avoid}." if meta.avoid else "",
            "",
            *pictured(meta.id, cls()),
            *facts(cls),
            *parameters(cls),
            *example(cls),
            "## Reference",
            "",
            reference(meta),
            "",
            "[All methods](index.md)",
            "",
        ]
    )


def pictured(name: str, method: Method) -> Iterator[str]:
    model = fitted(method)
    if isinstance(model, Refusal):
        yield f"It does not take the data of the pictures on the other pages: {model}."
        yield ""
        return
    iterations = f"{model.n_iter_} iteration{'s' * (model.n_iter_ != 1)}"
    which = "" if method.deterministic else " with `random_state=0`"
    yield f"![Where {name} puts its seeds, and where k-means takes them]({slug(name)}.svg)"
    yield ""
    yield (
        f"Left, {N_CLUSTERS} seeds on {len(plane())} points{which}, numbered in the method's order;"
        " right, where k-means takes them, until no label changes."
        f" SSE {model.init_inertia_:.1f} at the seeds, {model.inertia_:.1f} after {iterations};"
        f" the least known is {least_sse():.1f}."
    )
    yield ""


def facts(cls: type[Method]) -> Iterator[str]:
    meta = cls.meta
    rows = [
        ("Family", meta.family),
        ("Year", str(meta.year)),
        ("Cost", f"{meta.complexity} ({meta.cost})"),
        ("Random", "no: always the same seeds" if meta.deterministic else "yes"),
        ("Order of the rows", "matters" if meta.order_sensitive else "does not matter"),
        ("Weights", WEIGHTS[meta.weights]),
        ("Seeds", "rows of the data" if meta.selects_rows else "not rows of the data"),
        ("Other names", ", ".join(f"`{name}`" for name in meta.aliases)),
    ]
    yield table(("", ""), [row for row in rows if row[1]])


def parameters(cls: type[Method]) -> Iterator[str]:
    yield "## Parameters"
    yield ""
    if not cls.parameters():
        yield "None."
        yield ""
        return
    rows = [(f"`{p.name}`", f"`{literal(p.default)}`", p.allowed, p.doc) for p in cls.parameters()]
    yield table(("name", "default", "allowed", "meaning"), rows)
    if presets := list(preset_rows(cls.meta, link=False)):
        yield "## Presets"
        yield ""
        yield table(("name in code", "method", "parameters"), presets)
    for name, method in list(shown(cls).items())[1:]:
        yield f"### {name}"
        yield ""
        yield from pictured(name, method)


def preset_rows(meta: Meta, *, link: bool) -> Iterator[tuple[str, str, str]]:
    """Presets and what they stand for; several names for the same in one row."""
    names: dict[str, list[str]] = {}
    for name, given in meta.presets.items():
        names.setdefault(
            ", ".join(f"{p}={literal(value)}" for p, value in given.items()), []
        ).append(name)
    owner = f"[{meta.name}]({slug(meta.id)}.md)" if link else f"`{meta.id}`"
    for shown, same in names.items():
        yield ", ".join(f"`{name}`" for name in same), owner, f"`{shown}`"


def example(cls: type[Method]) -> Iterator[str]:
    meta = cls.meta
    state = "" if meta.deterministic else ", random_state=0"
    yield "## Example"
    yield ""
    yield "```python"
    yield "import seedbed as sb"
    yield ""
    yield f'sb.seed(X, 8, "{meta.id}"{state}).centers'
    yield f'sb.KMeans(8, init="{meta.id}"{state}).fit(X)'
    if cls.parameters():
        p = cls.parameters()[0]
        yield ""
        yield f"method = sb.init.{cls.__name__}({p.name}={literal(p.default)})"
        yield f"sb.KMeans(8, init=method{state}).fit(X)"
    yield "```"
    yield ""
    yield "```"
    yield f"seedbed cluster data.csv -k 8 --init {shell(meta.id)}"
    yield "```"
    yield ""


def literal(value: object) -> str:
    """A value as code, strings in double quotes."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


def shell(word: str) -> str:
    return word if re.fullmatch(r"[\w+.-]+", word) else f"'{word}'"


def reference(meta: Meta) -> str:
    doi = meta.reference.doi
    text = str(meta.reference)
    return text.replace(f"doi:{doi}", f"[doi:{doi}](https://doi.org/{doi})") if doi else text


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table, ended by an empty line."""
    heading = list(heading)

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    return line(heading) + "|---" * len(heading) + "|\n" + "".join(map(line, rows))


def changes(files: dict[str, str]) -> list[str]:
    """Names of files that are new, different, or no longer wanted."""
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.*")}
    return sorted(name for name in files.keys() | there if files.get(name) != there.get(name))


def write(files: dict[str, str], names: Iterable[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        if name in files:
            (FOLDER / name).write_text(files[name], "utf-8")
        else:
            (FOLDER / name).unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    files = build()
    changed = changes(files)
    if not check:
        write(files, changed)
    print(
        f"{len(files)} files, {len(changed)} {'out of date' if check else 'written'}",
        *changed,
        sep="\n",
    )
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
