"""The board's cards: tickets in columns, read straight from the site's data."""

from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.site import Site
from integrations.sandbox.jira.stamps import moment

NOBODY: Final = "nobody"
ORIGIN: Final = "triage"
"""The property by which a ticket or comment says which mail it came from."""
_MOST_CARDS: Final = 100
_HUES: Final = 8
_COLUMNS: Final = (("new", "To do"), ("indeterminate", "In progress"), ("done", "Done"))
_STEPS: Final = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))


@dataclass(frozen=True, slots=True)
class Face:
    """A person, as a small circle with initials."""

    id: str
    name: str

    @property
    def initials(self) -> str:
        """At most two letters."""
        words = self.name.split() or ["?"]
        return (words[0][0] + (words[-1][0] if len(words) > 1 else "")).upper()

    @property
    def hue(self) -> int:
        """Always the same for the same person."""
        return crc32(self.id.encode()) % _HUES


@dataclass(frozen=True, slots=True)
class When:
    """A moment, told from now."""

    at: int
    now: int

    @property
    def exact(self) -> str:
        """For those who want to know."""
        return f"{moment(self.at):%Y-%m-%d %H:%M:%S} UTC"

    @property
    def ago(self) -> str:
        """`3 hours ago`."""
        amount = max(0, self.now - self.at) // 1000
        for size, unit in _STEPS:
            if amount < size:
                return "just now" if unit == "second" else f"{amount} {unit}{'' if amount == 1 else 's'} ago"
            amount //= size
        return f"{amount} year{'' if amount == 1 else 's'} ago"


@dataclass(frozen=True, slots=True)
class Card:
    """A ticket on the board."""

    key: str
    summary: str
    type: str
    priority: str
    rank: int
    status: str
    category: str
    assignee: Face | None
    comments: int
    updated: When
    new: bool
    from_mail: bool


@dataclass(frozen=True, slots=True)
class Column:
    """The tickets of one status category, the latest first."""

    id: str
    name: str
    total: int
    cards: list[Card]


@dataclass(frozen=True, slots=True)
class Board:
    """The whole board."""

    project: str
    key: str
    columns: list[Column]
    people: list[Face]
    text: str
    assignee: str
    new: int

    @property
    def total(self) -> int:
        """Tickets shown or counted."""
        return sum(column.total for column in self.columns)

    @property
    def filtered(self) -> bool:
        """Some tickets are left out."""
        return bool(self.text or self.assignee)


def board(site: Site, text: str, assignee: str) -> Board:
    """What a visitor asked to see."""
    project = site.db.one("SELECT * FROM project ORDER BY id LIMIT 1")
    where, values = _filter(text, assignee)
    columns = [_column(site, id_, name, where, values) for id_, name in _COLUMNS]
    people = site.db.all("SELECT * FROM account WHERE id IN (SELECT assignee FROM issue) ORDER BY shown")
    return Board(
        project=project["name"] if project else "",
        key=project["key"] if project else "",
        columns=columns,
        people=[Face(row["id"], row["shown"]) for row in people],
        text=text,
        assignee=assignee,
        new=site.db.value("SELECT count(*) FROM issue WHERE created >= ?", site.started),
    )


def _filter(text: str, assignee: str) -> tuple[str, list[Any]]:
    like = "%" + text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") + "%"
    where, values = r"(t.summary LIKE ? ESCAPE '\' OR t.key LIKE ? ESCAPE '\')", [like, like]
    if assignee == NOBODY:
        return f"{where} AND t.assignee IS NULL", values
    return (f"{where} AND t.assignee = ?", [*values, assignee]) if assignee else (where, values)


def _column(site: Site, category: str, name: str, where: str, values: list[Any]) -> Column:
    where, values = f"s.category = ? AND {where}", [category, *values]
    total = site.db.value(f"SELECT count(*) FROM ticket t JOIN status s ON s.id = t.status WHERE {where}", *values)
    return Column(category, name, total, cards(site, where, values))


def cards(site: Site, where: str, values: list[Any]) -> list[Card]:
    """The tickets `t` that a condition picks, the latest change first."""
    rows = site.db.all(
        "SELECT t.key, t.summary, t.created, t.updated, t.assignee, s.name AS status, s.category, k.name AS type,"
        " p.name AS priority, p.rank, a.shown, (SELECT count(*) FROM comment c WHERE c.issue = t.id) AS comments,"
        f" EXISTS (SELECT 1 FROM property WHERE entity = 'issue' AND owner = t.id AND key = '{ORIGIN}') AS from_mail"
        " FROM ticket t JOIN status s ON s.id = t.status JOIN issue_type k ON k.id = t.type"
        " LEFT JOIN priority p ON p.id = t.priority LEFT JOIN account a ON a.id = t.assignee"
        f" WHERE {where} ORDER BY t.updated DESC, t.id DESC LIMIT {_MOST_CARDS}",
        *values,
    )
    return [_card(site, row) for row in rows]


def _card(site: Site, row: Row) -> Card:
    return Card(
        key=row["key"],
        summary=row["summary"],
        type=row["type"],
        priority=row["priority"] or "",
        rank=4 if row["rank"] is None else min(row["rank"], 4),
        status=row["status"],
        category=row["category"],
        assignee=Face(row["assignee"], row["shown"]) if row["assignee"] else None,
        comments=row["comments"],
        updated=When(row["updated"], site.now()),
        new=row["created"] >= site.started,
        from_mail=bool(row["from_mail"]),
    )
