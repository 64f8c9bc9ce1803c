"""The rule of the tool that proposes a meeting: a draft for a person, one for each mail, never to anybody unproven. Pure."""

from enum import StrEnum
from typing import Final

from triage.policy.decision.permission import ToolRule
from triage.policy.decision.rights import Right, RightsRow
from triage.policy.letters.one_letter import counted, one_letter

INVITATION: Final = "invitation"


class MeetingDeed(StrEnum):
    """What a call would do."""

    PROPOSE = "lay an invitation to a meeting before a person"


PROPOSE_RULE: Final = ToolRule(
    rights={MeetingDeed.PROPOSE: RightsRow(Right.YES, Right.YES, Right.NO, Right.NO)},
    refusal=one_letter(INVITATION),
    deeds=lambda *_: {"": MeetingDeed.PROPOSE},
    counts=(INVITATION,),
    record=counted(INVITATION),
    kinds=lambda _: (INVITATION,),
    describe=lambda run: (
        f"Lays an invitation for {run.result['when']} before a person." if "when" in run.result else ""
    ),
)
