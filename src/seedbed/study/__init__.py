"""The study: methods compared on many data sets, as one resumable piece of work.

>>> from seedbed import study
>>> study.preset("quick").runs
20

`run` carries out a `Design` (a `preset`, one from a file by `read_design`, or one's own) and keeps
the results in a folder, from which `Study.open` reads them.
"""

from seedbed.study._design import Design, DesignError, Entry
from seedbed.study._files import FileSet
from seedbed.study._published import Cell, RankingComparison, published
from seedbed.study._rankings import Ranking, Recommendation
from seedbed.study._results import Status, Study
from seedbed.study._run import Watcher, check, run
from seedbed.study._sources import RealSets, Source, SyntheticSets, Unit
from seedbed.study._store import Failure, StudyFolderError
from seedbed.study._toml import PRESETS, preset, read_design, to_toml

__all__ = [
    "PRESETS",
    "Cell",
    "Design",
    "DesignError",
    "Entry",
    "Failure",
    "FileSet",
    "Ranking",
    "RankingComparison",
    "RealSets",
    "Recommendation",
    "Source",
    "Status",
    "Study",
    "StudyFolderError",
    "SyntheticSets",
    "Unit",
    "Watcher",
    "check",
    "preset",
    "published",
    "read_design",
    "run",
    "to_toml",
]
