"""Collects the cards of the HTML board, by column, from the database."""

from dataclasses import dataclass, replace
from typing import Any, Final
from zlib import crc32

from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.site import Site
from triage_sandbox.jira.ground.stamps import moment

NOBODY: Final = "nobody"
BACKLOG: Final = "backlog"
ORIGIN: Final = "triage"
"""The property by which a ticket or comment says which mail it came from."""
_MOST_CARDS: Final = 100
_HUES: Final = 8
_COLUMNS: Final = (("new", "To do"), ("indeterminate", "In progress"), ("done", "Done"))
_STEPS: Final = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))


@dataclass(frozen=True, slots=True)
class Face:
    """The avatar of a person: a circle with initials."""

    id: str
    name: str

    @property
    def initials(self) -> str:
        """At most two letters."""
        words = self.name.split() or ["?"]
        return (words[0][0] + (words[-1][0] if len(words) > 1 else "")).upper()

    @property
    def hue(self) -> int:
        """Hue of the circle in degrees, always the same for the same person."""
        return crc32(self.id.encode()) % _HUES


@dataclass(frozen=True, slots=True)
class When:
    """A moment, as the board shows it."""

    at: int
    now: int

    @property
    def exact(self) -> str:
        """The moment with date and time, as a tooltip."""
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
class Shown:
    """The filters that a visitor has chosen."""

    project: str = ""
    """A key; empty: the first project."""
    text: str = ""
    assignee: str = ""
    sprint: str = ""

    @property
    def filtered(self) -> bool:
        """Whether any filter leaves tickets out."""
        return bool(self.text or self.assignee or self.sprint)


@dataclass(frozen=True, slots=True)
class Board:
    """The whole board."""

    project: str
    key: str
    columns: list[Column]
    people: list[Face]
    sprints: list[tuple[str, str]]
    """Number, and name with state; the latest first."""
    projects: list[tuple[str, str]]
    """Key and name."""
    shown: Shown
    new: int

    @property
    def total(self) -> int:
        """Number of tickets in all columns."""
        return sum(column.total for column in self.columns)


def board(site: Site, shown: Shown) -> Board:
    """Return the board with the visitor's filters applied."""
    db = site.db
    projects = db.all("SELECT id, key, name FROM project ORDER BY id")
    project = next((row for row in projects if row["key"] == shown.project), projects[0] if projects else None)
    number = project["id"] if project else 0
    assigned = "SELECT * FROM account WHERE id IN (SELECT assignee FROM issue WHERE project = ?) ORDER BY shown"
    people = [Face(row["id"], row["shown"]) for row in db.all(assigned, number)]
    sprints = [(str(row["id"]), f"{row['name']} ({row['state']})") for row in db.all(_SPRINTS, number)]
    shown = _known(shown, {NOBODY, *(face.id for face in people)}, {BACKLOG, *(each for each, _ in sprints)})
    where, values = _filter(number, shown)
    return Board(
        project=project["name"] if project else "",
        key=project["key"] if project else "",
        columns=[_column(site, id_, name, where, values) for id_, name in _COLUMNS],
        people=people,
        sprints=sprints,
        projects=[(row["key"], row["name"]) for row in projects],
        shown=shown,
        new=db.value("SELECT count(*) FROM issue WHERE project = ? AND created >= ?", number, site.started),
    )


def _known(shown: Shown, people: set[str], sprints: set[str]) -> Shown:
    """Without the person or sprint of another project, which the form still names when the project changes."""
    assignee = shown.assignee if shown.assignee in people else ""
    return replace(shown, assignee=assignee, sprint=shown.sprint if shown.sprint in sprints else "")


_SPRINTS: Final = (
    "SELECT s.id, s.name, s.state FROM sprint s JOIN board b ON b.id = s.board WHERE b.project = ?"
    " ORDER BY s.position DESC, s.id DESC"
)


def _filter(project: int, shown: Shown) -> tuple[str, list[Any]]:
    """Conditions on the tickets `t`."""
    like = "%" + shown.text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") + "%"
    where, values = (
        [r"t.project = ? AND (t.summary LIKE ? ESCAPE '\' OR t.key LIKE ? ESCAPE '\')"],
        [project, like, like],
    )
    for asked, nothing, column, some in (
        (shown.assignee, NOBODY, "t.assignee", "t.assignee = ?"),
        (
            shown.sprint,
            BACKLOG,
            "t.sprint",
            "t.id IN (SELECT issue FROM issue_sprint WHERE sprint = CAST(? AS INTEGER))",
        ),
    ):
        if asked == nothing:
            where.append(f"{column} IS NULL")
        elif asked:
            where.append(some)
            values.append(asked)
    return " AND ".join(where), values


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
