"""Explains to people why a ticket was created or commented on."""

from collections.abc import Iterator, Sequence
from typing import Final

from triage.domain.cases import Case
from triage.domain.effects import Effect
from triage.domain.findings import NOT_READ

LIKE: Final = 0.02
"""Probability below which two texts share only common words."""
REQUESTS: Final = {"bug": "A bug", "feature": "A wish", "support": "A question"}


def why_there(case: Case, effects: Sequence[Effect]) -> Iterator[str]:
    """Yield the reason that code found: same thread, similarity, or cues."""
    done = {effect.kind: effect for effect in effects}
    spoken = next((done[kind] for kind in ("comment", "transition", "change", "sprint") if kind in done), None)
    if "create" not in done:
        near = next((one for one in case.retrieval.candidates if spoken and one.ticket.key == spoken.target), None)
        if near and near.evidence == ("same thread",):
            yield "It belongs to the same thread."
        elif near:
            yield f"{near.certain or f'The same matter by {near.percent}'}: {'; '.join(near.evidence) or 'words in common'}."
        return
    if not case.retrieval.searched:
        return
    best = [one for one in case.retrieval.candidates[:1] if one.probability >= LIKE]
    unlike = f"the nearest is {best[0].ticket.key} at {best[0].percent}" if best else "nothing is like it"
    said = f"; words about priority: {', '.join(case.cues.priority.evidence)}" if case.cues.priority.evidence else ""
    kind = REQUESTS.get(case.cues.type.value, "A request")
    read = "in a language that the word lists do not read" if case.cues.type.value == NOT_READ else "by its words"
    yield f"{kind} {read}; {unlike}{said}."
