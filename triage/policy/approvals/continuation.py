"""Words what people decided for the agent whose calls had waited: instructions are trusted, results are fenced."""

import json
from collections.abc import Sequence
from typing import Final

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.conversation import Json
from triage.domain.untrusted import Prompt, Untrusted
from triage.policy.text.untrusted import fenced, ours, word

RESULT: Final = "RESULT"
OPENING: Final = "People have decided about calls of yours that waited.\n"
CLOSING: Final = "Go on if this leaves something to do; else end without a call. What is written stays written: do not write it again.\n"


def continuation(decided: Sequence[tuple[Approval, Json]], nonce: str) -> Prompt:
    """Return the message that tells the agent what people decided about its calls, so that its run goes on."""
    text = ours(OPENING)
    for approval, came in decided:
        text += _decision_text(approval, came, nonce)
    return text + ours(CLOSING)


def _decision_text(approval: Approval, came: Json, nonce: str) -> Prompt:
    head, by = f"- {approval.tool}, approval {approval.id}: ", word(approval.by)
    match approval.state:
        case ApprovalState.ACCEPTED:
            edited = ", with arguments that they changed" if approval.edited else ""
            result = json.dumps(came, ensure_ascii=False, separators=(",", ":"), default=str)
            return ours(f"{head}accepted by {by}{edited}. Its result:\n") + fenced(RESULT, Untrusted(result), nonce)
        case ApprovalState.ANSWERED:
            return ours(f"{head}not done. {by} wants this instead: {approval.instruction}\n")
        case ApprovalState.REJECTED:
            return ours(f"{head}rejected by {by}; do not propose it again.\n")
    return ours(f"{head}not done ({approval.state}).\n")
