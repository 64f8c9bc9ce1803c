"""Earlier tickets as votes for their assignees and components: one row of arrays each, so that thousands are counted at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.domain.tickets import Ticket

LONG_AGO: Final = 9_999.0
"""Days that count as forever."""
DAY: Final = 86_400


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Votes:
    """Tickets as votes: one row each."""

    owner: NDArray[Any]
    """Number of the assignee; -1 without one."""
    day: NDArray[Any]
    """When it was touched last, in days since 1970; 0 if unknown."""
    components: Mapping[str, int]
    """Component → its column."""
    has: NDArray[Any]
    """1 where the ticket has the component: a row per ticket, a column per component."""

    @property
    def newest(self) -> float:
        """Day of the latest change."""
        return float(self.day.max(initial=0.0))

    def ages(self, newest: float) -> NDArray[Any]:
        """Return days before the newest known ticket, so that a gap after it changes no share."""
        return np.clip(newest - self.day, 0.0, LONG_AGO)

    def of(self, here: NDArray[Any]) -> "Votes":
        """Return the tickets with each assignee who is not present replaced by nobody.

        The array has an entry per person, and one more for nobody.
        """
        return replace(self, owner=np.where(here[self.owner], self.owner, -1))

    def and_first(self, others: "Votes", count: int) -> "Votes":
        """Append the first `count` tickets of `others`, whose components are the first columns of these."""
        has = np.zeros((len(self.owner) + count, len(self.components)))
        has[: len(self.owner)] = self.has
        has[len(self.owner) :, : others.has.shape[1]] = others.has[:count]
        return Votes(
            owner=np.concatenate([self.owner, others.owner[:count]]),
            day=np.concatenate([self.day, others.day[:count]]),
            components=self.components,
            has=has,
        )

    def count(self, amounts: NDArray[Any], people: int) -> NDArray[Any]:
        """Sum up the amounts of each person's tickets."""
        return np.bincount(self.owner + 1, amounts, people + 1)[1:]

    def shares_of(self, components: Mapping[str, float]) -> NDArray[Any]:
        """Return these components' amounts by column, without those that no ticket has."""
        found = np.zeros(len(self.components))
        for name, amount in components.items():
            if name in self.components:
                found[self.components[name]] = amount
        return found


def votes_of(tickets: Sequence[Ticket], people: dict[str, int], columns: dict[str, int]) -> Votes:
    """Return the tickets as votes; assignees get numbers in `people`, components in `columns`."""
    owners = [people.setdefault(t.assignee.id, len(people)) if t.assignee else -1 for t in tickets]
    held = [(row, columns.setdefault(name, len(columns))) for row, t in enumerate(tickets) for name in t.components]
    has = np.zeros((len(tickets), len(columns)))
    if held:
        has[tuple(zip(*held, strict=True))] = 1.0
    return Votes(
        owner=np.array(owners, dtype=np.int64),
        day=np.array([_day(ticket) for ticket in tickets]),
        components=columns,
        has=has,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Work:
    """Who did how much, with a weight that halves with age: counted once for all mails."""

    newest: float
    """The day from which ages count."""
    half_life: float
    """In days."""
    all: NDArray[Any]
    """By the person's number."""
    on: NDArray[Any]
    """By the person's number and the component's column."""

    def amounts(self, newest: float, here: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the amounts by person, and by person and component, decayed to the day `newest`.

        `here` is 1 for each person who counts, else 0; it may have more entries than there were people.
        """
        kept = here[: len(self.all)] * 0.5 ** ((newest - self.newest) / self.half_life)
        everything, each = np.zeros(len(here)), np.zeros((len(here), self.on.shape[1]))
        everything[: len(kept)], each[: len(kept)] = self.all * kept, self.on * kept[:, None]
        return everything, each


def work_of(votes: Votes, half_life: float, people: int) -> Work:
    """Count the work of each person, on each component and at all."""
    newest, columns = votes.newest, votes.has.shape[1]
    fresh = 0.5 ** (votes.ages(newest) / half_life)
    rows, places = np.nonzero(votes.has)
    each = np.bincount(votes.owner[rows] * columns + places, fresh[rows], people * columns)
    return Work(newest=newest, half_life=half_life, all=votes.count(fresh, people), on=each.reshape(people, columns))


def touched(ticket: Ticket) -> datetime | None:
    """Return when the ticket was changed last; a time without zone counts as UTC."""
    at = ticket.updated or ticket.created
    return at if at is None or at.tzinfo else at.replace(tzinfo=UTC)


def _day(ticket: Ticket) -> float:
    at = touched(ticket)
    return 0.0 if at is None else at.timestamp() / DAY
