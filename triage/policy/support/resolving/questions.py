"""Answers the questions of a mail one by one: what is sure goes to the customer, what stays open to a person."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.support.articles import KnowledgeAnswer
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.memory.asking.follow_up import MOST_TERMS, goes_on
from triage.policy.memory.asking.questions import POINTING, read_question
from triage.policy.support.resolving.needs import needs_of
from triage.policy.text.sentences import plain, read
from triage.policy.text.tokenizer import terms_in
from triage.policy.text.word_patterns import any_of, levelled, one_of, sentences_of, words_in

MOST: Final = 4
"""Questions that are answered one by one; a mail that asks more is for a person."""
COVERED: Final = 0.2
"""Least confidence that a passage answers a question where the letter quotes it anyway, for another one."""
LEAST_OWN: Final = 3
"""Words about the matter in a text that needs no subject."""
MOST_UNKNOWN: Final = 0.5
"""Confidence of an answer to a question about something that no article has, at most."""
NOWHERE: Final = 0.999
"""Rarity of a term that no article has."""
LONGEST: Final = 300
"""Characters of a question."""
BLOCKS: Final = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*\u2022]|\d{1,2}[.)])\s)")
ITEM: Final = re.compile(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s+")
SECOND: Final = lazy_pattern(lambda: rf",?\s+(?={one_of('support.second_questions')})")
_SECONDS: Final = [entry.partition(" ") for entry in word_lists()["support.second_questions"]]
JOINER: Final = lazy_pattern(lambda: rf"{any_of(joiner for joiner, _, _ in _SECONDS)}\s+")
_JOINED: Final = lazy_pattern(lambda: rf",|\s{JOINER.pattern}")
BEGINS: Final = lazy_pattern(lambda: any_of(rest for _, _, rest in _SECONDS))
LISTED: Final = lazy_pattern(lambda: rf",\s+(?={BEGINS.pattern})|{SECOND.pattern}")
"""Where a question begins in a list of them: `how do I cancel, how do I pay and what does it cost?`."""
ANOTHER: Final = lazy_pattern(lambda: rf"{one_of('matters.ordinals', 'matters.another')}[\s,:]+")
"""Opens a question about something else."""
OR: Final = lazy_pattern(lambda: rf",?\s+{one_of('support.alternatives')}\s+")


def questions_in(text: str) -> tuple[str, ...]:
    """Return the questions of a text that have a matter of their own, each with those that go on from it; none where fewer than two do.

    What is reported before the only question counts as one where this opens another matter: `also, do you take cash?`.
    More than `MOST` are for a person.
    """
    found: list[str] = []
    for one in _asked(text):
        if _has_matter(one):
            found.append(_opened(one))
        elif found and not _is_request(one):
            found[-1] += f" {one}"
    if len(found) == 1:
        return _beside_a_report(text)
    return tuple(one[:LONGEST] for one in found)


def _beside_a_report(text: str) -> tuple[str, ...]:
    """Return what stands before the first question that opens another matter, and that question; nothing where none does."""
    sentences = [one for block in BLOCKS.split(text) for one in sentences_of(ITEM.sub("", block, count=1))]
    for place, one in enumerate(sentences):
        opener = ANOTHER.match(levelled(one))
        question = one[opener.end() :] if opener and read(one).asked else ""
        reported = " ".join(" ".join(sentences[:place]).split())
        if _has_matter(question) and terms_in(reported):
            return reported[:LONGEST], _opened(question)[:LONGEST]
    return ()


def says_all(subject: str, text: str, rarity: Mapping[str, float]) -> bool:
    """Tell whether the text asks all by itself, and its subject adds only words that no article has: `Weekend`, `Première visite`.

    `rarity`: each term of subject and text, 1 where no article has it. What points at something in its first sentence may mean the subject.
    """
    first = next(iter(sentences_of(text)), "")
    enough = len(frozenset(terms_in(text))) >= LEAST_OWN and bool(read(text).asked)
    return enough and not POINTING.search(plain(first)) and _adds_unknown(subject, text, rarity)


def means_unknown(subject: str, text: str, rarity: Mapping[str, float]) -> bool:
    """Tell whether the first question points at what the subject names, and no article has that: `Sauna: Until when is it open?`."""
    first = next(iter(sentences_of(text)), "")
    clause = _JOINED.split(levelled(first))[0]
    asks = bool(read(first).asked)  # else it may point at what the text tells before
    return (
        asks
        and bool(POINTING.search(plain(clause)))
        and not _has_matter(clause)
        and _adds_unknown(subject, text, rarity)
    )


def _adds_unknown(subject: str, text: str, rarity: Mapping[str, float]) -> bool:
    """Tell whether the subject has words beside those of the text, and no article has any of them."""
    added = frozenset(terms_in(subject)) - frozenset(terms_in(text))
    return bool(added) and all(rarity.get(term, 0.0) >= NOWHERE for term in added)


def combined(whole: KnowledgeAnswer, parts: Sequence[tuple[str, KnowledgeAnswer]], least: float) -> KnowledgeAnswer:
    """Return one answer of the parts that are sure enough, as sure as the least sure of them; the whole one where no part is.

    A question stays open where its own answer is unsure, unless it is about a passage that answers another one. The whole
    answer is no surer than a question that it leaves open.
    """
    sure = [(question, one) for question, one in parts if is_sure(one, least)]
    cited = {sentence.passage for _, one in sure or [("", whole)] for sentence in one.sentences}
    left = tuple(question for question, one in parts if not is_sure(one, least) and _stays_open(question, one, cited))
    if not sure:
        lowest = min((one.confidence for question, one in parts if question in left), default=whole.confidence)
        return whole if whole.confidence <= lowest else replace(whole, confidence=lowest)
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
                yield from (" ".join(one.split()) for one in _parted(sentence))


def _parted(sentence: str) -> Sequence[str]:
    """Return the questions of a sentence: `how do I cancel, and what does it cost?`; what asks nothing of its own stays with the one before."""
    low = levelled(sentence)
    cuts = [cut.end() for cut in (LISTED if BEGINS.match(low) else SECOND).finditer(low)]
    parts = [""]
    for start, end in pairwise([0, *cuts, len(sentence)]):
        alone = parts[-1] and all(_has_matter(f"{_bare(one)}?") for one in (parts[-1], sentence[start:end]))
        parts[-1:] = [parts[-1], sentence[start:end]] if alone else [parts[-1] + sentence[start:end]]
    return [f"{_bare(one)}?" for one in parts] if len(parts) > 1 else parts


def _opened(question: str) -> str:
    """Return a question as it stands alone: without the `and` before it, with a capital."""
    joiner = JOINER.match(levelled(question))
    bare = question[joiner.end() if joiner else 0 :]
    return bare[:1].upper() + bare[1:]


def _bare(part: str) -> str:
    """Return a part of a sentence without the `and` before it and the signs behind it."""
    joiner = JOINER.match(levelled(part))
    return part[joiner.end() if joiner else 0 :].rstrip(" ,?\n")


def _has_matter(question: str) -> bool:
    """Tell whether it can be answered by itself: `is it free?` and `what do I have to do?` cannot."""
    low = words_in("support.existence").sub(" ", levelled(question))
    read_as = read_question(low)
    return bool(read_as.terms) and not goes_on(read_as) and not _points_back(low)


def _points_back(low: str) -> bool:
    """Tell whether it weighs two ways of a matter that it does not name: `cancel or does it come along?`."""
    ways = [read_question(way) for way in OR.split(low)]
    return len(ways) > 1 and any(map(goes_on, ways)) and all(len(way.terms) <= MOST_TERMS for way in ways)


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
