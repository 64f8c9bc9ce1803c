"""Answers a question from the help pages alone, where they answer it surely and it asks for nothing of the team's own."""

from collections.abc import Sequence

from triage.config.support.confidence import RESOLVE_FROM
from triage.domain.memory.answers import MemoryAnswer, QuotedSentence
from triage.domain.support.articles import PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.answer import answer
from triage.policy.memory.asking.evidence import source_of_passage
from triage.policy.memory.asking.questions import MemoryQuestion, WantedAnswer


def from_articles(question: MemoryQuestion, hits: Sequence[PassageHit]) -> MemoryAnswer | None:
    """Return what the articles say; None for questions about people, notes and mails, and where they say it unsurely.

    A help page says what holds for everybody; a mail that has the same words tells of one case.
    """
    if question.kinds or question.named or question.wants is WantedAnswer.PERSON:
        return None
    answered = answer(question.whole, hits)
    if answered.refused or answered.confidence < RESOLVE_FROM:
        return None
    sources = {hit.passage.id: source_of_passage(hit) for hit in hits}
    cited = dict.fromkeys(one.passage for one in answered.sentences)
    return MemoryAnswer(
        question=question.text,
        sentences=tuple(
            QuotedSentence(text=Untrusted(one.text), source=sources[one.passage].key) for one in answered.sentences
        ),
        sources=tuple(sources[passage] for passage in cited),
    )
