"""Answers the questions of a mail one by one: what is sure goes to the customer, what stays open to a person."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triage.domain.support.articles import KnowledgeAnswer
from triage.policy.memory.asking.follow_up import goes_on
from triage.policy.memory.asking.questions import read_question
from triage.policy.support.resolving.needs import needs_of
from triage.policy.text.sentences import read
from triage.policy.text.word_patterns import levelled, one_of, sentences_of, words_in

MOST: Final = 4
"""Questions that are answered one by one; a mail that asks more is for a person."""
COVERED: Final = 0.2
"""Least confidence that a passage answers a question where the letter quotes it anyway, for another one."""
LONGEST: Final = 300
"""Characters of a question."""
BLOCKS: Final = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*\u2022]|\d{1,2}[.)])\s)")
ITEM: Final = re.compile(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s+")
SECOND: Final = re.compile(rf",?\s+(?={one_of('support.second_questions')})")


def questions_in(text: str) -> tuple[str, ...]:
    """Return the questions of a text that have a matter of their own, each with those that go on from it; none where fewer than two do."""
    found: list[str] = []
    for one in _asked(text):
        if _has_matter(one):
            found.append(one[:1].upper() + one[1:])
        elif found and not _is_request(one):
            found[-1] += f" {one}"
    return tuple(one[:LONGEST] for one in found) if 1 < len(found) <= MOST else ()


def combined(whole: KnowledgeAnswer, parts: Sequence[tuple[str, KnowledgeAnswer]], least: float) -> KnowledgeAnswer:
    """Return one answer of the parts that are sure enough, as sure as the least sure of them; the whole one where no part is.

    A question stays open where its own answer is unsure, unless it is about a passage that answers another one.
    """
    sure = [(question, one) for question, one in parts if is_sure(one, least)]
    if not sure:
        return whole
    cited = {sentence.passage for _, one in sure for sentence in one.sentences}
    left = tuple(question for question, one in parts if not is_sure(one, least) and _stays_open(question, one, cited))
    answers = _distinct(sure)
    if len(answers) == 1 and not left:
        return answers[0][1]
    surest = min((one for _, one in answers), key=lambda one: one.confidence)
    hits = {hit.passage.id: hit for _, one in answers for hit in one.hits}
    disputes = (one.disputed for question, one in parts if question in left)
    return replace(
        surest,
        sentences=tuple(replace(each, question=question) for question, one in answers for each in one.sentences),
        hits=tuple(hits.values()),
        suggested=any(one.suggested for _, one in answers),
        worded_by=next((one.worded_by for _, one in answers if one.worded_by), ""),
        disputed=next(filter(None, disputes), ""),
        open=left,
    )


def _asked(text: str) -> Iterator[str]:
    """Yield the clauses that ask, each on one line, without numbers of a list."""
    for block in BLOCKS.split(text):
        for sentence in sentences_of(ITEM.sub("", block, count=1)):
            if read(sentence).asked:
                yield from (" ".join(one.split()) for one in _halves(sentence))


def _halves(sentence: str) -> Sequence[str]:
    """Return the two questions of a sentence: `how do I cancel, and what does it cost?`; the whole one where a half asks nothing of its own."""
    cut = SECOND.search(levelled(sentence))
    if cut is None:
        return (sentence,)
    halves = (f"{sentence[: cut.start()]}?", sentence[cut.end() :])
    return halves if all(map(_has_matter, halves)) else (sentence,)


def _has_matter(question: str) -> bool:
    """Tell whether it can be answered by itself: `is it free?` and `what do I have to do?` cannot."""
    read_as = read_question(words_in("support.existence").sub(" ", levelled(question)))
    return bool(read_as.terms) and not goes_on(read_as)


def _is_request(question: str) -> bool:
    """Tell whether it asks for work or for an opinion, or only blames: `could you let me know?`, `any ideas?`."""
    return bool(words_in("question.requests", "question.rhetorical").search(levelled(question)))


def is_sure(answer: KnowledgeAnswer, least: float) -> bool:
    """Tell whether an answer may go to the customer: sure enough, and no article says otherwise."""
    return bool(answer.sentences) and answer.confidence >= least and not answer.disputed


def _stays_open(question: str, answer: KnowledgeAnswer, cited: set[str]) -> bool:
    if needs_of(question).exception:
        return True
    is_covered = bool(answer.hits) and answer.hits[0].passage.id in cited and answer.confidence >= COVERED
    return not is_covered and not _is_request(question)


def _distinct(parts: Sequence[tuple[str, KnowledgeAnswer]]) -> list[tuple[str, KnowledgeAnswer]]:
    """Return the answers that say different things; questions with the same answer share it."""
    found: dict[frozenset[str], tuple[str, KnowledgeAnswer]] = {}
    for question, one in parts:
        texts = frozenset(each.text for each in one.sentences)
        before = found.get(texts)
        found[texts] = (f"{before[0]} {question}", one) if before else (question, one)
    return list(found.values())
