"""Sets suggested phrasing aside where it answers a request, and the customer only asks: `I have passed your request on`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from triage.domain.support.articles import Passage, PassageHit
from triage.policy.cues.assertion import Reading
from triage.policy.cues.request_type import asked
from triage.policy.knowledge.passages import without_suggested
from triage.policy.text.sentences import read
from triage.policy.text.tokenizer import terms_in
from triage.policy.text.word_patterns import levelled, words_in

ACKNOWLEDGES: Final = words_in("knowledge.acknowledges")


def fitting(question: str, hits: Sequence[PassageHit]) -> tuple[PassageHit, ...]:
    """Return the hits without phrasing that does not fit the question.

    What is left of such a passage stands behind the other passages of its article: it is mostly what the desk is told.
    """
    if not any(_acknowledges(hit.passage) for hit in hits) or not _asks(question):
        return tuple(hits)
    first: dict[str, int] = {}
    for place, hit in enumerate(hits):
        first.setdefault(hit.passage.article, place)
    ordered = sorted(hits, key=lambda hit: (first[hit.passage.article], _acknowledges(hit.passage)))
    return tuple(
        replace(hit, passage=without_suggested(hit.passage)) if _acknowledges(hit.passage) else hit for hit in ordered
    )


def _asks(question: str) -> bool:
    """Tell whether the text has a question with a matter of its own, which wants an answer rather than work."""
    return any(terms_in(one) for one in asked(Reading.of(read(question))))


def _acknowledges(passage: Passage) -> bool:
    return any(ACKNOWLEDGES.search(levelled(one)) for one in passage.suggested)
