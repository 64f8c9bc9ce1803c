"""The effect of the meeting tool: an invitation is queued as a draft."""

from typing import Final

from triage.domain.letters import Letter
from triage.effects.kinds import EffectKind, Intent, WriteResult, digest
from triage.effects.letter_desk import LetterDesk


async def _queue(to: LetterDesk, intent: Intent[Letter]) -> WriteResult:
    """Queue the draft; its key makes a second try the same draft."""
    return WriteResult(answer=await to.store.queue(intent.body))


INVITE: Final = EffectKind(name="invitation", send=_queue, digest=lambda letter: digest(letter.body))
