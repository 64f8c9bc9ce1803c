"""Builds the index entry of a ticket that was just created; Jira's own search shows it seconds to minutes later."""

from collections.abc import Mapping

from triage.domain.approvals import PART
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.toolsets.tickets.rules import CREATING


def made_by(case: Case) -> tuple[Ticket, ...]:
    """Build the tickets from the create calls and the fields that Jira accepted; empty if the case created none."""
    made = (run for run in case.calls if run.tool in {CREATING, PART} and run.facts.get("status") == "created")
    return tuple(_ticket(run.arguments, run.facts) for run in made)


def _ticket(arguments: Mapping[str, Json], result: Mapping[str, Json]) -> Ticket:
    written = result.get("written") or arguments  # older results lack it
    return Ticket(
        key=str(result["key"]),
        url=str(result.get("url", "")),
        summary=Untrusted(str(arguments.get("summary", ""))),
        description=Untrusted(str(arguments.get("description", ""))),
        status="new",
        category="new",
        issue_type=str(arguments.get("issue_type", "")),
        priority=written.get("priority"),
        components=tuple(str(name) for name in written.get("components") or ()),
    )
