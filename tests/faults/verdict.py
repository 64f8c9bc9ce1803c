"""What became of a run: the judge is what stands in the sandbox's tables, never our own books."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.table import Table

from triage_sandbox.jira import JiraSandbox

MARK: Final = re.compile(r"triage-[0-9a-f]{20}")
TICKETS: Final = """
    SELECT ticket.key, summary, description_plain, value,
        (SELECT group_concat(label, ' ') FROM issue_label WHERE issue = ticket.id) AS labels
    FROM ticket LEFT JOIN property ON entity = 'issue' AND owner = ticket.id AND property.key = 'triage'
    WHERE summary LIKE 'case-%'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One run in figures."""

    name: str
    creates: int
    kills: int
    posts: int
    tickets: int
    doubles: int
    lost: int
    strays: int
    """Tickets that do not carry exactly one mark, and one that no other ticket carries."""
    waiting: int
    """For a person, by our books."""
    seconds: float

    @property
    def broken(self) -> bool:
        """Something is there twice, not at all or without its mark."""
        return bool(self.doubles or self.lost or self.strays or self.tickets != self.creates)

    @property
    def cells(self) -> tuple[str, ...]:
        """As a row."""
        numbers = (self.creates, self.kills, self.posts, self.tickets, self.doubles, self.lost, self.strays)
        return self.name, *map(str, (*numbers, self.waiting)), f"{self.seconds:.0f}"


@dataclass(frozen=True, slots=True)
class Made:
    """The tickets of a run, wherever they stand now."""

    cases: Counter[str]
    marks: Counter[str]
    unclear: int
    """Without a mark, or with several."""

    @classmethod
    def by(cls, app: JiraSandbox) -> "Made":
        """All that were made in this sandbox for a case."""
        cases: Counter[str] = Counter()
        marks: Counter[str] = Counter()
        unclear = 0
        for ticket in app.site.db.all(TICKETS):
            said = json.loads(ticket["value"] or "{}").get("label", "")
            found = set(MARK.findall(" ".join((said, ticket["labels"] or "", ticket["description_plain"] or ""))))
            cases[ticket["summary"]] += 1
            marks.update(found)
            unclear += len(found) != 1
        return cls(cases, marks, unclear)

    @property
    def strays(self) -> int:
        """See `Verdict`."""
        return self.unclear + sum(count - 1 for count in self.marks.values())


def print_table(verdicts: list[Verdict], console: Console, title: str) -> None:
    """For people."""
    table = Table(title=title, title_justify="left", show_edge=False, pad_edge=False)
    table.add_column("fault", no_wrap=True)
    for name in ("creates", "kills", "posts", "tickets", "doubles", "lost", "strays", "for a person", "s"):
        table.add_column(name, justify="right")
    for verdict in verdicts:
        table.add_row(*verdict.cells)
    table.add_section()
    table.add_row(*_sum(verdicts).cells)
    console.print(table)


def _sum(verdicts: list[Verdict]) -> Verdict:
    names = ("creates", "kills", "posts", "tickets", "doubles", "lost", "strays", "waiting", "seconds")
    return Verdict(name="together", **{name: sum(getattr(v, name) for v in verdicts) for name in names})
