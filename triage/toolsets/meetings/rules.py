"""The rule of the tool that proposes a meeting: a draft for a person, one for each mail, never to anybody unproven. Pure."""

from enum import StrEnum
from typing import Final

from triage.policy.decision.permission import Arguments, RunHistory, Terms, ToolRule
from triage.policy.decision.rights import Right, Row

INVITATION: Final = "invitation"


class Deed(StrEnum):
    """What a call would do."""

    PROPOSE = "lay an invitation to a meeting before a person"


def _refusal(_: Arguments, history: RunHistory, terms: Terms) -> str:
    if history.times(INVITATION):
        return "this mail has its invitation already: one is enough"
    return f"no letter may go: {terms.no_letter}" if terms.no_letter else ""


PROPOSE_RULE: Final = ToolRule(
    rights={Deed.PROPOSE: Row(Right.YES, Right.YES, Right.NO, Right.NO)},
    refusal=_refusal,
    deeds=lambda *_: {"": Deed.PROPOSE},
    counts=(INVITATION,),
    record=lambda _arguments, _result, history: history.did(INVITATION),
    kinds=lambda _: (INVITATION,),
    told=lambda run: f"Lays an invitation for {run.result['when']} before a person." if "when" in run.result else "",
)
