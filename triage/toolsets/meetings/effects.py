"""The effect of the meeting tool: an invitation is queued as a draft."""

from typing import Final

from triage.effects.kinds import EffectKind
from triage.effects.letter_writer import body_digest, queue_letter
from triage.toolsets.meetings.rules import INVITATION

INVITE: Final = EffectKind(name=INVITATION, send=queue_letter, digest=body_digest)
