"""The tool `finish`: ends a run, with what the mail is and why nothing more is written."""

from typing import Annotated, Final, Literal

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.findings import Disposition
from triage.policy.decision.finish import FINISHED, finish_refusal
from triage.policy.decision.permission import WRITTEN, Arguments, RunHistory, Terms, ToolRule
from triage.toolsets.context import Context

ASKS_A_WRITE: Final = frozenset({Disposition.WORK, Disposition.ADDITION, Disposition.SEVERAL})
"""What a mail cannot be without a ticket or a comment."""
NOTHING_WRITTEN: Final = (
    f"nothing is written yet: write what the mail needs, or finish with {Disposition.UNSURE}, so that a person looks"
)

Named = Literal[
    "work",
    "question",
    "addition",
    "status",
    "not_for_us",
    "newsletter",
    "spam",
    "automatic",
    "several",
    "confidential",
    "unsure",
]


def _unwritten(arguments: Arguments, history: RunHistory, _: Terms) -> str:
    """Refuse to end as work where each write has failed, or none was tried."""
    return NOTHING_WRITTEN if arguments["disposition"] in ASKS_A_WRITE and not history.times(WRITTEN) else ""


@tool(Grant.READ, ToolRule(refusal=_unwritten), ends=True)
async def finish(
    at: Context,
    disposition: Named,
    reason: Annotated[str, Field(max_length=300, description="one sentence for people")],
) -> Json:
    """End the run; writes nothing. Confidential and unsure hand the mail to a person."""
    named = Disposition(disposition)
    action = at.rules.dispositions.action_of(named)
    if refused := finish_refusal(named, action, at.case.classification.disposition):
        raise ToolRefused(refused)
    return {"status": FINISHED, "disposition": disposition, "action": action.value, "reason": reason}
