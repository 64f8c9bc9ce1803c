"""Explains to people why a ticket was created or commented on."""

from collections.abc import Iterator, Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.effects import Effect
from triage.domain.findings import NOT_READ
from triage.policy.text.word_patterns import ended

LIKE: Final = 0.02
"""Probability below which two texts share only common words."""
REQUESTS: Final = {"bug": "a bug", "feature": "a wish", "support": "a question"}


def why_there(case: Case, effects: Sequence[Effect]) -> Iterator[str]:
    """Yield the reason that code found: same thread, similarity, or cues."""
    done = {effect.kind: effect for effect in effects}
    spoken = next((done[kind] for kind in ("comment", "transition", "change", "sprint") if kind in done), None)
    if "create" not in done:
        near = next((one for one in case.retrieval.candidates if spoken and one.ticket.key == spoken.target), None)
        if near and near.evidence == ("same thread",):
            yield "Same thread."
        elif near:
            shared = "; ".join(near.evidence) or "words in common"
            same = near.certain or f"{near.percent} likely the same matter: {shared}"
            yield ended(f"{same[:1].upper()}{same[1:]}")
        return
    if case.support and case.support.escalation:
        yield ended(f"Given to a person, {case.support.escalation.priority}: {case.support.why_a_person}")
        return
    if not case.retrieval.searched:
        return
    best = [one for one in case.retrieval.candidates[:1] if one.probability >= LIKE]
    unlike = f"most similar: {best[0].ticket.key} ({best[0].percent})" if best else "no similar ticket"
    why = f"; priority from: {', '.join(case.cues.priority.evidence)}" if case.cues.priority.evidence else ""
    kind = REQUESTS.get(case.cues.type.value, "a request")
    unread = " in a language without word lists" if case.cues.type.value == NOT_READ else ""
    yield ended(f"Read as {kind}{unread}; {unlike}{why}")
