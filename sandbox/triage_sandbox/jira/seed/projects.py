"""Creates two more projects for a larger history: a team-managed one without priorities, and one with strict forms."""

from pathlib import Path
from typing import Any, Final

import yaml

from triage_sandbox.jira.ground.database import Database
from triage_sandbox.jira.issue import issues
from triage_sandbox.jira.issue.fields import custom
from triage_sandbox.jira.markup.body import Body
from triage_sandbox.jira.seed import templates
from triage_sandbox.jira.seed.story import Story

TEAM: Final = "PACK"
"""Team-managed: no priority, no components, no versions on its screens."""
STRICT: Final = "COMP"
"""Company-managed: a required choice, security levels, and nothing is done without a resolution."""
REQUIRED_FIELD: Final = "Severity class"
CLASSES: Final = ("A - legal deadline", "B - audit finding", "C - improvement")
LEVELS: Final = (("Legal only", "Those who set levels."), ("Staff", "Everybody who works here."))
_DAY: Final = 86_400_000
_TOLD: Final = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


def plant(db: Database, story: Story, now: int) -> None:
    """Create both further projects, with a few tickets each."""
    lead = db.value("SELECT lead FROM project WHERE key = ?", story.project.key)
    with db.write():
        team = templates.make(db, {"key": TEAM, "name": "Packing Lines", "lead": lead}, "team-managed")
        strict = templates.make(db, {"key": STRICT, "name": "Compliance Register", "lead": lead}, "basic")
        done = "SELECT id FROM status WHERE category = 'done'"
        db.run(f"UPDATE transition SET screen = 'resolution!' WHERE project = ? AND target IN ({done})", strict)
        field = custom.define(db, REQUIRED_FIELD, "select", projects=[strict], options=CLASSES, required=True)
        for name, description in LEVELS:
            db.insert("security_level", {"project": strict, "name": name, "description": description})
        for place, ticket in enumerate(_TOLD["packing"]):
            _ticket(db, team, lead, ticket, now - (20 - place) * _DAY)
        options = [row[0] for row in db.all("SELECT id FROM custom_option WHERE field = ? ORDER BY id", field)]
        for place, ticket in enumerate(_TOLD["compliance"]):
            issue = _ticket(db, strict, lead, ticket, now - (30 - place) * _DAY)
            custom.put(db, issue, field, [options[ticket["class"]]])


def _ticket(db: Database, project: int, lead: str, entry: dict[str, Any], at: int) -> int:
    values = {
        "type": db.value("SELECT id FROM issue_type WHERE name = ?", entry["kind"]),
        "status": db.value("SELECT initial FROM project WHERE id = ?", project),
        "summary": entry["summary"],
        **Body.of(entry["text"]).stored_as("description"),
        "reporter": lead,
        "creator": lead,
    }
    return issues.insert(db, project, values, at)
