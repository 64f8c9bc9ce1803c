"""Creates projects from templates: issue types, statuses and a workflow."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import TypeAdapter

from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.seed import boards as seed_boards
from triage_sandbox.jira.seed import desks, rights


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A project template: issue types, workflow, boards."""

    title: str
    """As Data Center's list of templates has it."""
    kind: str
    keys: tuple[str, ...]
    """What clients call it, the current name first; a beginning is enough."""
    types: tuple[str, ...]
    states: tuple[tuple[str, str], ...]
    """Names and categories, the first one for new issues."""
    buttons: tuple[tuple[str, str, str], ...] = ()
    """Name, from, to. Without any, every state can be reached from everywhere by its own name."""
    board: str = ""
    """scrum, kanban; empty where it has none."""
    next_gen: bool = False
    hidden: str = ""
    """Fields that its screens do not show."""

    def steps(self) -> Iterator[tuple[str, str, str]]:
        """The workflow as (button, from, to)."""
        names = [name for name, _ in self.states]
        yield from self.buttons or ((target, source, target) for source in names for target in names)


TEMPLATES: Final = TypeAdapter(dict[str, Template]).validate_python(
    yaml.safe_load(Path(__file__).with_name("templates.yaml").read_text(encoding="utf-8"))
)
SIMPLIFIED: Final = frozenset(name for name, plan in TEMPLATES.items() if plan.kind == "software" and not plan.buttons)
"""Templates whose workflow is that of a board: every state from everywhere, and no screen on the way."""
_OF_KIND: Final = {"software": "basic", "business": "task", "service_desk": "service_desk"}


def template_of(key: str, kind: str) -> str | None:
    """Return the template that a client names, by its key or by the project type; None if there is none."""
    if not key:
        return _OF_KIND.get(kind)
    return next((name for name, known in TEMPLATES.items() if key.startswith(known.keys) or key == name), None)


def make(db: Database, columns: dict[str, Any], template: str) -> int:
    """Create a project from a template; return its id. `columns` hold its key, name and lead."""
    plan = TEMPLATES[template]
    states = {name: _named(db, "status", name, category=category) for name, category in plan.states}
    project = db.insert(
        "project",
        {
            "description": "",
            "kind": plan.kind,
            "style": "next-gen" if plan.next_gen else "classic",
            "hidden": plan.hidden,
            "initial": states[plan.states[0][0]],
            "template": template,
            **columns,
        },
    )
    for name in plan.types:
        kind = _named(db, "issue_type", name, description="", subtask=name == "Sub-task")
        db.insert("project_type", {"project": project, "type": kind})
    _workflow(db, project, plan, states)
    rights.staff(db, project, columns["lead"])
    if plan.board:
        seed_boards.board(db, db.all("SELECT * FROM project WHERE id = ?", project)[0], plan.board)
    if plan.kind == "service_desk":
        desks.opened(db, project)
    return project


def _workflow(db: Database, project: int, plan: Template, states: dict[str, int]) -> None:
    """Buttons of the same name and target are one transition, as in Jira; their ids go up by ten from 11."""
    ids: dict[tuple[str, str], int] = {}
    for name, source, target in plan.steps():
        number = ids.setdefault((name, target), 11 + 10 * len(ids))
        row = {"id": number, "name": name, "source": states[source], "target": states[target], "project": project}
        db.insert("transition", row)


def _named(db: Database, table: str, name: str, **columns: Any) -> int:
    """A row of a catalogue by its name, made where there is none."""
    found = db.value(f"SELECT id FROM {table} WHERE name = ?", name)
    if found is not None:
        return int(found)
    rank = db.value(f"SELECT coalesce(max(rank), -1) + 1 FROM {table}")
    number = db.value(f"SELECT max(coalesce(max(id), 0), 10100) + 1 FROM {table}")
    return db.insert(table, {"id": number, "name": name, "rank": rank, **columns})
