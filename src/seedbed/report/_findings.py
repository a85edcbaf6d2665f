"""A study and what its report needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from seedbed.report._cube import Cube, read_cube
from seedbed.report._measures import Cost, Offer, costs, offers
from seedbed.report._methods import StudyMethod, shown_methods
from seedbed.study import Ranking, Study


@dataclass(frozen=True, eq=False)
class Findings:
    """A study and what the sections need of it, computed once."""

    study: Study

    @cached_property
    def cube(self) -> Cube:
        return read_cube(self.study)

    @cached_property
    def methods(self) -> dict[str, StudyMethod]:
        return shown_methods(self.study.design)

    @cached_property
    def offers(self) -> list[Offer]:
        return offers(self.cube)

    @cached_property
    def costs(self) -> list[Cost]:
        return costs(self.cube)

    @cached_property
    def rankings(self) -> list[Ranking]:
        """The study's rankings, groups in the order of the design."""
        place = {group: i for i, group in enumerate(self.cube.groups)}
        return sorted(self.study.rankings, key=lambda ranking: place[ranking.group])

    @property
    def sizes(self) -> dict[str, int]:
        return {group: len(places) for group, places in self.cube.groups.items()}
