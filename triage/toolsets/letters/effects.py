"""The effects of the letter tools: a letter or a draft is queued, a case is handed to people."""

from typing import Final

from triage.domain.cases import Outcome
from triage.domain.letters import Letter
from triage.domain.ports import TrackerView
from triage.effects.kinds import EffectKind, Intent, WriteResult, digest
from triage.effects.letter_desk import LetterDesk


async def _queue(to: LetterDesk, intent: Intent[Letter]) -> WriteResult:
    """Queue the letter; its key makes a second try the same letter."""
    return WriteResult(answer=await to.store.queue(intent.body))


async def _hand_over(_: TrackerView, _intent: Intent[str]) -> WriteResult:
    """Write nothing: the row itself hands the case over, since the review reads it."""
    return WriteResult()


def _content(letter: Letter) -> str:
    return digest(letter.body)


REPLY: Final = EffectKind(
    name="reply", send=_queue, digest=_content, verb="Answered the mail of", ends=Outcome.ANSWERED
)
DRAFT: Final = EffectKind(name="draft", send=_queue, digest=_content)
ESCALATION: Final = EffectKind(name="escalation", send=_hand_over, ends=Outcome.WAITING)
LETTER_EFFECTS: Final = (ESCALATION, REPLY, DRAFT)
