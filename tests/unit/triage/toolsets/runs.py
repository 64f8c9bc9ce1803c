"""Helpers about runs: histories in short, calls as the guard sees them, senders of every standing, names as a project resolves them."""

from collections.abc import Iterable, Mapping
from typing import Any

from triage.agent.toolbox import Resolve
from triage.domain.conversation import Grant, Json
from triage.domain.mail import Trust
from triage.domain.tickets import Person, Project, Status
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import MADE, RunHistory, Terms, Verdict, WriteBudget, recorded, verdict
from triage.policy.decision.resolution import Live, resolve
from triage.policy.decision.rights import Sender, Standing
from triage.policy.decision.sprints import SPRINT
from triage.toolsets.table import RULES
from triage.toolsets.tickets.rules import CERTAIN, NAMED, READ, SEARCH


def a_run(  # noqa: PLR0913 - one argument per kind of entry
    *,
    searched: bool = False,
    shown: Mapping[str, float] | None = None,
    certain: Iterable[str] = (),
    read: Iterable[str] = (),
    named: Iterable[str] = (),
    made: Iterable[str] = (),
    proposed: Iterable[str] = (),
    sprints: Mapping[int, str] | None = None,
    creates: int = 0,
    comments: Mapping[str, int] | None = None,
    changes: Mapping[str, int] | None = None,
) -> RunHistory:
    """A history with just this in it."""
    seen: dict[str, Mapping[Any, Json]] = {
        SEARCH: {"answered": True} if searched else {},
        Live.TICKET: shown or {},
        CERTAIN: dict.fromkeys(certain, "same error"),
        READ: dict.fromkeys(read, True),
        NAMED: dict.fromkeys(named, True),
        MADE: dict.fromkeys(made, True),
        Live.PERSON: dict.fromkeys(proposed, True),
        SPRINT: sprints or {},
    }
    done: dict[str, Mapping[str, int]] = {
        "create": {"": creates} if creates else {},
        "comment": comments or {},
        "change": changes or {},
    }
    return RunHistory(
        seen={noun: things for noun, things in seen.items() if things},
        done={what: counts for what, counts in done.items() if counts},
    )


def noted(tool: str, arguments: Mapping[str, Json], result: Json, history: RunHistory) -> RunHistory:
    """The history with a result of this tool in it."""
    return recorded(RULES[tool], arguments, result, history)


def judged(tool: str, grant: Grant, arguments: Mapping[str, Json], history: RunHistory, terms: Terms) -> Verdict:
    """The verdict on a call by the rule of this tool."""
    return verdict(tool, grant, RULES.get(tool), arguments, history, terms)


def resolver(project: Project) -> Resolve:
    """Names as this project has them."""

    async def name(noun: str, text: str) -> Json:
        return resolve(Live(noun), text, project)

    return name


KEY = "HARB-1"
SEEN = a_run(
    searched=True,
    shown={KEY: 1.0, "HARB-2": 0.6, "HARB-3": 0.2, "HARB-5": 0.1, "HARB-6": 0.9},
    certain={"HARB-5"},
    read={"HARB-2", "HARB-3"},
    proposed={"kim"},
)
ADA = Person(id="ada", name=Untrusted("Ada"))
KIM = Person(id="kim", name=Untrusted("Kim"))
OPEN, SHIPPED = Status(name="In Progress", category="indeterminate"), Status(name="Shipped", category="done")
SENDERS = {
    Standing.PARTICIPANT: Sender(trust=Trust.VERIFIED, thread=KEY, participant=True),
    Standing.STRANGER: Sender(trust=Trust.VERIFIED, foreign_thread="HARB-9"),
    Standing.UNVERIFIED: Sender(trust=Trust.WEAK, thread=KEY),
    Standing.FAILED: Sender(trust=Trust.FAILED, thread=KEY),
}
CREATE, MODIFY = "create_jira_ticket", "modify_jira_ticket"


def say(
    tool: str,
    arguments: Mapping[str, object],
    history: RunHistory = SEEN,
    sender: Sender = SENDERS[Standing.PARTICIPANT],
    budget: WriteBudget | None = None,
) -> Verdict:
    """The verdict on a resolved call."""
    terms = Terms(sender=sender, budget=budget or WriteBudget(), priorities=("Highest", "High"))
    return judged(tool, Grant.WRITE, arguments, history, terms)
