"""The effects of the letter tools: a letter or a draft is queued, a case is handed to people."""

from typing import Final

from triage.domain.cases import Outcome
from triage.effects.kinds import EffectKind, record_only
from triage.effects.letter_writer import body_digest, queue_letter

REPLY: Final = EffectKind(
    name="reply", send=queue_letter, digest=body_digest, verb="Answered the mail of", ends=Outcome.ANSWERED
)
DRAFT: Final = EffectKind(name="draft", send=queue_letter, digest=body_digest)
ESCALATION: Final = EffectKind(name="escalation", send=record_only, ends=Outcome.WAITING)
"""The review reads its row and leaves the case to a person."""
LETTER_EFFECTS: Final = (ESCALATION, REPLY, DRAFT)
