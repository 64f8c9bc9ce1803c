"""Answers a question by quoting the sentences that say it, each with its source, or says that nothing does."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.memory.answers import MemoryAnswer, MemorySource, QuotedSentence, SourceKind
from triage.domain.memory.notes import NoteKind
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.named_day import DAYS
from triage.policy.memory.asking.questions import KINDS, WISH, Horizon, MemoryQuestion, WantedAnswer
from triage.policy.memory.reading.wording import languages_of, pattern
from triage.policy.memory.search import name_terms
from triage.policy.text.commands import commands_in
from triage.policy.text.number_words import languages_in, number_words
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import terms_in, terms_of, words_in
from triage.policy.text.word_patterns import MONTHS, levelled, one_of, sentences_of

LACKING: Final = 0.1
"""How much less of the question a source may hold than the one that holds most of it: who asks for one customer means no other."""
COVERED: Final = 0.7
"""Share of the question's words, by their rarity, that a source must hold to answer it."""
ENOUGH: Final = 0.6
"""The same of a sentence with its title and the sentence before, whose words count a little less."""
LEAST: Final = 0.25
"""The same of a sentence alone, unless it has the kind of thing that is asked for."""
CLOSE: Final = 0.9
"""Share of the best sentence's score that a further one needs."""
MOST: Final = 3
"""Sentences of an answer."""
LISTED: Final = 10
"""Notes of an answer that lists."""
READ: Final = 20_000
"""Characters of a source that are read."""
LONGEST: Final = 400
"""Characters of a sentence; a longer one is a table or data."""
SAME: Final = 0.6
"""Share of common words from which two sentences say the same."""
AROUND: Final = 0.7
"""What a word counts that stands in the title or the sentence before, not in the sentence."""
KIND: Final = 0.2
"""Added to notes of the kind that is asked for."""
SAID: Final = 0.1
"""Added to mails where a person is asked for: a ticket names who works on it, a mail who has said it."""
FITS: Final = 0.25
"""Added to a sentence that has the time, number or person that is asked for."""
RARE: Final = 1.0
"""Weight of a word that stands nowhere."""
SHORTEST_DAY: Final = 3
"""Letters of an abbreviated day or month; shorter ones are words of other languages."""
SAID_IN: Final = {NoteKind.COMMITMENT: "promises", NoteKind.DECISION: "decisions"}
"""Lists whose words say so in a sentence that is no note: whoever asks for promises wants no sentence without one."""
NOTHING_FOUND: Final = "I do not know: nothing that you may see says it."
NO_NUMBER: Final = "I do not know: it is written of, but no number."
NO_TIME: Final = "I do not know: it is written of, but no time."
LACKED: Final = {WantedAnswer.NUMBER: NO_NUMBER, WantedAnswer.AMOUNT: NO_NUMBER, WantedAnswer.TIME: NO_TIME}
NONE_OPEN: Final = "Nothing of that kind is noted."
_SIGN, _CODES = "[$€£¥₹]", "EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK"
_MONEY: Final = re.compile(
    rf"(?:{_SIGN}|\b(?:{_CODES}))\s?\d|\d\s?(?:{_SIGN}|(?:{_CODES}|Kč|zł|euros?|dollars?)\b)", re.IGNORECASE
)
"""A currency before or behind a number."""
_CLOCK: Final = re.compile(
    r"\b\d{1,2}[:.]\d{2}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.\s?\d{1,2}\.|\b\d{1,2}\s?(?:am|pm|uhr|h)\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"^(?:[-*•>]|\d{1,2}[.)]) ")
_HEADING: Final = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_LINE: Final = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•>|]|\d{1,2}[.)])\s)|(?<=[:;])\n")


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence, and how well it answers."""

    score: float
    text: Untrusted
    source: MemorySource
    terms: frozenset[str]
    covered: float = 0.0
    """Share of the question's words that its source holds."""


def answered(
    question: MemoryQuestion, sources: Sequence[MemorySource], today: date, rarity: Mapping[str, float] | None = None
) -> MemoryAnswer:
    """Return the best sentences of the sources with their citations; `rarity` weighs words from 0 (in all) to 1 (in none)."""
    if not question.terms and not question.named:
        return _listed(question, sources, today)
    weights = {term: (rarity or {}).get(term, RARE) for term in question.terms}
    found = [one for source in sources for one in _scored(question, source, weights)]
    if not found:
        return MemoryAnswer(question=question.text, refused=NOTHING_FOUND)
    fitting = [one for one in found if question.wants is WantedAnswer.WISH or _fits(question, one)]
    if question.wants in LACKED and not fitting:
        return MemoryAnswer(question=question.text, refused=LACKED[question.wants])
    most = max(one.covered for one in fitting or found)
    return _quoted(question, _best([one for one in fitting or found if one.covered >= most - LACKING]))


def _scored(question: MemoryQuestion, source: MemorySource, weights: Mapping[str, float]) -> Iterator[Scored]:
    """Yield the sentences of a source that hold enough of the question; nothing that speaks to a program."""
    named = source.id.partition("#")[0] in question.named
    said_by = frozenset(name_terms(source.author))
    people = frozenset(term for person in source.people for term in name_terms(person))
    about = people.union(terms_in(plain(f"{source.title} {source.fact}")))
    sentences = tuple(_sentences(source, question.wants, named=named))
    whole = about.union(said_by, *(terms for _, terms in sentences))
    covered = _share(weights, whole)
    if not named and covered < COVERED:
        return
    before: frozenset[str] = frozenset()
    for text, words in sentences:
        to_whom = question.by_us and text == source.fact and _of_kind(question, source)
        terms = words | people if to_whom else words  # what was promised Claire names her in its fields alone
        by_fields = question.wants is WantedAnswer.PERSON and (text == source.fact or terms.isdisjoint(weights))
        says = terms if by_fields or text == source.title else terms | said_by
        own = _share(weights, says)
        near = whole - said_by if by_fields else about | before
        score = (own + AROUND * _share(weights, near - says)) * _novelty(question, source, text)
        one = Scored(score, Untrusted(text), source, terms, covered)
        fits = question.wants is not WantedAnswer.ANYTHING and _fits(question, one)
        asks = _asks(text) and question.wants is not WantedAnswer.WISH
        if named or (score >= ENOUGH and (own >= LEAST or fits) and not asks and _says_kind(question, source, text)):
            yield replace(one, score=score + _bonus(question, source) + named + FITS * fits)
        before = terms


def _novelty(question: MemoryQuestion, source: MemorySource, text: str) -> float:
    """Return what a sentence counts: less where it is a title that says nothing beyond the question."""
    heads = text in {source.title, source.fact} and question.wants is not WantedAnswer.PERSON
    return AROUND if heads and set(terms_in(plain(source.title))) <= set(question.terms) else 1.0


def _share(weights: Mapping[str, float], terms: Collection[str]) -> float:
    """Return the share of the question's words, by their rarity, that stand among the terms."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in terms) / total if total else 1.0


def _bonus(question: MemoryQuestion, source: MemorySource) -> float:
    """Return what speaks for a source beside its words: a note of the kind that is asked for, the mail for who said it."""
    if source.kind is SourceKind.NOTE:
        return KIND * _of_kind(question, source)
    return SAID * (source.kind is SourceKind.MAIL and question.wants is WantedAnswer.PERSON)


def _says_kind(question: MemoryQuestion, source: MemorySource, text: str) -> bool:
    """Tell whether a sentence is about a promise or a decision, where the question asks for one."""
    wanted = question.kinds & SAID_IN.keys()
    if not wanted or _of_kind(question, source):
        return True
    known = languages_of(text)
    phrases = (pattern(SAID_IN[kind], known).search(levelled(text)) for kind in wanted)
    return any(phrases) or any(words.search(plain(text)) for kind, words in KINDS if kind in wanted)


def _of_kind(question: MemoryQuestion, source: MemorySource) -> bool:
    """Tell whether a source is a note of a kind that is asked for."""
    return source.kind is SourceKind.NOTE and any(source.id.startswith(f"{kind}/") for kind in question.kinds)


def _asks(text: str) -> bool:
    """Tell whether a sentence is a question: that answers none."""
    return text.rstrip(" \"')").endswith(("?", "\uff1f"))


def _sentences(source: MemorySource, wants: WantedAnswer, *, named: bool) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the fact and each sentence with its terms; of a mail that somebody wrote it only where that is asked."""
    said_who = wants is WantedAnswer.PERSON or named
    first = source.title if source.kind is SourceKind.MAIL and not said_who else source.fact
    for text in (first, *_cut(source.text[:READ])):
        shown = _BULLET.sub("", " ".join(text.split()))
        if shown and len(shown) <= LONGEST and not commands_in(shown):
            yield shown, frozenset(terms_in(plain(shown)))


def _cut(text: str) -> Iterator[str]:
    """Yield sentences; a line that its author ended is one, too."""
    for paragraph in _LINE.split(_HEADING.sub("\n", text)):
        yield from sentences_of(" ".join(paragraph.split()))


def _fits(question: MemoryQuestion, one: Scored) -> bool:
    """Tell whether a sentence has the kind of thing that is asked for."""
    match question.wants:
        case WantedAnswer.AMOUNT:
            return bool(_MONEY.search(one.text))
        case WantedAnswer.TIME:
            return bool(_CLOCK.search(one.text) or _days().search(plain(one.text)))
        case WantedAnswer.NUMBER:
            return one.text != one.source.fact and _counts(one.text, question.terms)
        case WantedAnswer.WISH:
            return bool(WISH.search(plain(one.text)) or _wishes().search(plain(one.text)))
        case WantedAnswer.PERSON:
            return one.text == one.source.fact and bool(one.source.people)
    return True


def _counts(text: str, terms: Collection[str]) -> bool:
    """Tell whether a sentence has a number that is neither a day nor the name of a thing in question: crane 4."""
    words = words_in(plain(_CLOCK.sub(" ", text)))
    numbers = number_words(languages_in(text))
    for place, word in enumerate(words):
        near = words[max(0, place - 1) : place + 2]
        named = place > 0 and not set(terms_of(words[place - 1])).isdisjoint(terms)
        if (word in numbers or word[0].isdigit()) and not named and not any(map(_days().fullmatch, near)):
            return True
    return False


@cache
def _wishes() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{one_of('said.wanted')}|{one_of('said.please')})")


@cache
def _days() -> re.Pattern[str]:
    lists = word_lists()
    words = {plain(entry) for name in (*DAYS, *MONTHS, "tomorrow", "today") for entry in lists[f"date.{name}"]}
    longest_first = sorted((one for one in words if len(one) >= SHORTEST_DAY), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _best(found: Sequence[Scored]) -> list[Scored]:
    """Choose sentences by score; none that says what an earlier one says."""
    ordered = sorted(found, key=lambda one: -one.score)  # among equals as their source has them
    chosen: list[Scored] = []
    for one in ordered:
        if len(chosen) == MOST or one.score < CLOSE * ordered[0].score:
            break
        if not any(_same(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def _same(one: Scored, other: Scored) -> bool:
    """Tell whether a sentence says what a better one says, or what the fields of the same note say already."""
    if one.source.key == other.source.key and one.terms <= other.terms:
        return True
    both = one.terms | other.terms
    return bool(both) and len(one.terms & other.terms) / len(both) >= SAME


def _quoted(question: MemoryQuestion, chosen: Sequence[Scored]) -> MemoryAnswer:
    return MemoryAnswer(
        question=question.text,
        sentences=tuple(QuotedSentence(text=one.text, source=one.source.key) for one in chosen),
        sources=tuple({one.source.key: one.source for one in chosen}.values()),
    )


def _listed(question: MemoryQuestion, sources: Sequence[MemorySource], today: date) -> MemoryAnswer:
    """Answer a question for all notes of a kind or with a deadline: `What is overdue?`."""
    if not question.kinds and question.horizon is Horizon.ANY:
        return MemoryAnswer(question=question.text, refused=NOTHING_FOUND)
    fitting = [one for one in sources if listed(question, one, today)]
    promised = [one.title for one in fitting if one.id.startswith(f"{NoteKind.COMMITMENT}/")]
    found = sorted((one for one in fitting if not _keeps(one, promised)), key=lambda one: (one.due or date.max, one.id))
    if not found:
        return MemoryAnswer(question=question.text, refused=NONE_OPEN)
    chosen = found[:LISTED]
    return MemoryAnswer(
        question=question.text,
        sentences=tuple(QuotedSentence(text=Untrusted(one.fact), source=one.key) for one in chosen),
        sources=tuple(chosen),
    )


def _keeps(source: MemorySource, promised: Iterable[str]) -> bool:
    """Tell whether a note is the action to keep a promise that is listed, too."""
    return source.id.startswith(f"{NoteKind.ACTION}/") and any(source.title.endswith(f": {one}") for one in promised)


def listed(question: MemoryQuestion, source: MemorySource, today: date) -> bool:
    """Tell whether a source is a note that still asks for something and is of the kinds and the time in question."""
    if source.kind is not SourceKind.NOTE or not source.open:
        return False
    if question.kinds and not _of_kind(question, source):
        return False
    match question.horizon:
        case Horizon.OVERDUE:
            return source.due is not None and source.due < today
        case Horizon.SOON if source.due is None and source.id.startswith(f"{NoteKind.DECISION}/"):
            return source.at is not None and source.at.date() > today - timedelta(days=7)
        case Horizon.SOON:
            return source.due is not None and source.due <= today + timedelta(days=7)
    return True
