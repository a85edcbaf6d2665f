"""Errors and warnings of seedbed, so that they can be caught and filtered by class."""

from __future__ import annotations

__all__ = [
    "DataCacheWarning",
    "DataError",
    "DataNotFoundError",
    "DistinctRowsError",
    "DistinctRowsWarning",
    "EmptyClusterError",
    "EmptyClusterWarning",
    "EntryPointWarning",
    "FetchError",
    "OverlapUnreachable",
    "ParameterError",
    "TableError",
    "TooManyRowsError",
    "UnverifiedDataWarning",
    "WrongDataError",
]


class ParameterError(ValueError, TypeError):
    """A parameter has a value or a type that is not allowed."""


class EmptyClusterError(ValueError):
    """A cluster became empty, and ``empty_cluster="error"`` asked to hear of it."""


class DistinctRowsError(ValueError):
    """The data have fewer distinct rows (``found``) than clusters were asked for."""

    def __init__(self, message: str, found: int = 0) -> None:
        super().__init__(message)
        self.found = found


class TooManyRowsError(ValueError):
    """The data have more distinct rows than a costly method is allowed to take on (``allowed``)."""

    def __init__(self, message: str, allowed: int = 0) -> None:
        super().__init__(message)
        self.allowed = allowed


class OverlapUnreachable(ValueError):
    """No mixture that was drawn could have the overlap asked for.

    ``target`` is what was asked for, ``best`` the most that could be had (None where two targets
    only failed together), ``attempts`` how many mixtures were drawn.
    """

    def __init__(self, message: str, target: float, best: float | None, attempts: int) -> None:
        super().__init__(message)
        self.target = target
        self.best = best
        self.attempts = attempts

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (str(self), self.target, self.best, self.attempts)


class DistinctRowsWarning(UserWarning):
    """The data have fewer distinct rows than clusters were asked for, so some seeds coincide."""


class EmptyClusterWarning(UserWarning):
    """Some clusters are empty or were dropped, as ``empty_cluster`` allows."""


class EntryPointWarning(UserWarning):
    """A method that an installed distribution announces could not be loaded."""


class DataError(Exception):
    """A data set cannot be had."""


class DataNotFoundError(DataError, LookupError):
    """No such data set is known, or it is not on this machine."""


class WrongDataError(DataError, ValueError):
    """A copy of a data set is not that data set: other rows, other classes, other values."""


class TableError(DataError, ValueError):
    """A file cannot be read as a table of numbers; the message names the column and the row."""


class FetchError(DataError, OSError):
    """A data set could not be downloaded from any of its addresses."""


class UnverifiedDataWarning(UserWarning):
    """A data set could not be compared with known content, or its rows are in another order."""


class DataCacheWarning(UserWarning):
    """A data set could not be kept for the next time."""
