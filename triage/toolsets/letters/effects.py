"""The effects of the letter tools: a letter or a draft is queued, a case is handed to people."""

from typing import Final

from triage.domain.cases import Outcome
from triage.domain.ports import TrackerView
from triage.effects.kinds import EffectKind, Intent, WriteResult
from triage.effects.letter_writer import body_digest, queue_letter


async def _hand_over(_: TrackerView, _intent: Intent[str]) -> WriteResult:
    """Write nothing: the row itself hands the case over, since the review reads it."""
    return WriteResult()


REPLY: Final = EffectKind(
    name="reply", send=queue_letter, digest=body_digest, verb="Answered the mail of", ends=Outcome.ANSWERED
)
DRAFT: Final = EffectKind(name="draft", send=queue_letter, digest=body_digest)
ESCALATION: Final = EffectKind(name="escalation", send=_hand_over, ends=Outcome.WAITING)
LETTER_EFFECTS: Final = (ESCALATION, REPLY, DRAFT)
