"""Two more projects of a larger past: one that its team manages, without priorities, and one with strict forms."""

from typing import Final

from integrations.sandbox.jira.ground.database import Database
from integrations.sandbox.jira.issue import custom, issues
from integrations.sandbox.jira.markup.body import Body
from integrations.sandbox.jira.seed import templates
from integrations.sandbox.jira.seed.story import Story

TEAM: Final = "PACK"
"""Team-managed: no priority, no components, no versions on its screens."""
STRICT: Final = "COMP"
"""Company-managed: a required choice, security levels, and nothing is done without a resolution."""
REQUIRED_FIELD: Final = "Severity class"
CLASSES: Final = ("A - legal deadline", "B - audit finding", "C - improvement")
LEVELS: Final = (("Legal only", "Those who set levels."), ("Staff", "Everybody who works here."))
_DAY: Final = 86_400_000
_PACKING: Final = (
    ("Story", "Paper tape instead of plastic for all boxes", "Trial with 200 boxes a day on line two."),
    ("Bug", "Scale on line one is 40 g off after lunch", "Taring it by hand helps until the next break."),
    ("Task", "Order labels for the Christmas season", "Last year they were gone on 12 December."),
    ("Bug", "Tape machine stops when the roll is nearly empty", "The sensor sees the core of the roll."),
    ("Story", "Show the right box size on the packing screen", "Packers take a size too large in one of five cases."),
    ("Task", "Clean the camera over the conveyor weekly", "Codes are not read when there is dust on the lens."),
)
_COMPLIANCE: Final = (
    ("Task", "Yearly review of data processing contracts", "27 suppliers, the list is with legal.", 0),
    ("Task", "Dangerous goods training for new drivers", "Due within three months after they begin.", 0),
    ("Bug", "Deleted customers are still in the newsletter list", "Found by the auditors in September.", 1),
    ("Story", "Evidence of deletion for each request", "One page that can be handed to the authority.", 2),
)


def plant(db: Database, story: Story, now: int) -> None:
    """Both projects, with a few tickets each."""
    lead = db.value("SELECT lead FROM project WHERE key = ?", story.project.key)
    with db.write():
        team = templates.make(db, {"key": TEAM, "name": "Packing Lines", "lead": lead}, "team-managed")
        strict = templates.make(db, {"key": STRICT, "name": "Compliance Register", "lead": lead}, "basic")
        done = "SELECT id FROM status WHERE category = 'done'"
        db.run(f"UPDATE transition SET screen = 'resolution!' WHERE project = ? AND target IN ({done})", strict)
        field = custom.define(db, REQUIRED_FIELD, "select", projects=[strict], options=CLASSES, required=True)
        for name, description in LEVELS:
            db.insert("security_level", {"project": strict, "name": name, "description": description})
        for place, told in enumerate(_PACKING):
            _ticket(db, team, lead, told, now - (20 - place) * _DAY)
        options = [row[0] for row in db.all("SELECT id FROM custom_option WHERE field = ? ORDER BY id", field)]
        for place, (kind, summary, text, which) in enumerate(_COMPLIANCE):
            issue = _ticket(db, strict, lead, (kind, summary, text), now - (30 - place) * _DAY)
            custom.put(db, issue, field, [options[which]])


def _ticket(db: Database, project: int, lead: str, told: tuple[str, str, str], at: int) -> int:
    kind, summary, text = told
    values = {
        "type": db.value("SELECT id FROM issue_type WHERE name = ?", kind),
        "status": db.value("SELECT initial FROM project WHERE id = ?", project),
        "summary": summary,
        **Body.of(text).stored_as("description"),
        "reporter": lead,
        "creator": lead,
    }
    return issues.insert(db, project, values, at)
