"""Finds what kind of request a mail is (bug, feature, support, general) and whether it asks a question."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from triage.config.ticket.severity import Severity
from triage.domain.findings import Cue
from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import language_of
from triage.policy.cues.priority import JUDGEMENTS, impacts_of
from triage.policy.text.phrase_matcher import PhraseMatch
from triage.policy.text.resolution_claims import claimed_clauses
from triage.policy.text.sentences import TokenizedText, read, shown
from triage.policy.text.word_patterns import levelled, sentences_of, words_in

LISTS: Final = (
    *("type.bug_strong", "type.bug", "type.feature_strong", "type.feature", "type.support_strong", "type.support"),
    "type.exceptions",
)
KINDS: Final = ("bug", "feature", "support")
"""On equal points, the first kind wins."""
STRONG: Final = 3
IN_SUBJECT: Final = 2
ASKED: Final = 2
LONGEST_QUESTION: Final = 40
"""Words; a longer run up to a question mark is code or a log."""
TWO: Final = "due"
"""In Italian; in English it asks for something by a day."""
DEFAULT: Final = Severity()
BEHIND: Final = 2
"""Words behind a sign of a bug that its evidence has, too."""


def type_of(subject: Reading, reply: Reading) -> Cue:
    """Return the kind with the most points; findings in the subject count twice."""
    points = dict.fromkeys(KINDS, 0)
    evidence: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for reading, factor in ((subject, IN_SUBJECT), (reply, 1)):
        for kind, worth, words in _hints(reading):
            points[kind] += factor * worth
            evidence[kind].append(words)
    best = max(KINDS, key=lambda kind: points[kind])
    if best == "support" and any(broken_in(reading) for reading in (subject, reply)):
        best = "bug"  # `is it normal that I see the invoices of others?`
    if points[best]:
        return Cue(value=best, evidence=tuple(dict.fromkeys(evidence[best])))
    signs = tuple(dict.fromkeys(_signs(reply)))
    return Cue(value="bug", evidence=signs) if signs else Cue(value="general")


def _signs(reading: Reading) -> Iterator[str]:
    """Yield what hints at a bug where nothing else does: something is not as it was meant, or happens whenever one does a thing."""
    judged = _judged(reading)
    for found in reading.lists("type.bug_signs", "type.exceptions").find(reading.words):
        past = reading.long_ago(found)
        if found.label != "exceptions" and not past and reading.words[found.start].clause not in judged:
            yield _with_object(reading, found)


def _with_object(reading: Reading, found: PhraseMatch) -> str:
    """Return the words of a match with those behind it in its clause: `does not` alone tells nobody why."""
    clause = reading.words[found.start].clause
    behind = (word for word in reading.words[found.end : found.end + BEHIND] if word.clause == clause)
    return shown((*reading.words[found.start : found.end], *behind))


def symptoms_in(text: str) -> tuple[str, ...]:
    """Return the words of a text that report a fault."""
    found = _hints(Reading.of(read(text)))
    return tuple(dict.fromkeys(words for kind, _, words in found if kind == "bug"))


def hints_in(reading: Reading) -> tuple[str, ...]:
    """Return the words of the lists by which a text reports, wishes or asks anything; the trained classifier has no say."""
    return tuple(dict.fromkeys(words for _, _, words in _hints(reading)))


def hinted_in(reading: Reading) -> frozenset[str]:
    """Return the kinds of request that the lists find in a text: bug, feature, support."""
    return frozenset(kind for kind, _, _ in _hints(reading))


def wishes_in(text: str) -> tuple[str, ...]:
    """Return the words of a text that wish for something new; mere hints of it only where nothing is plain."""
    found = tuple(_hints(Reading.of(read(text))))
    wishes = [(points, words) for kind, points, words in found if kind == "feature"]
    plainest = max((points for points, _ in wishes), default=0)
    return tuple(dict.fromkeys(words for points, words in wishes if points == plainest))


def asks_for_information(text: str) -> bool:
    """Tell whether a text has a question that asks for an answer, not for work."""
    return bool(asked(Reading.of(read(text))))


def asks_for_access(text: str) -> bool:
    """Tell whether a sentence asks for an account or a right; without any question, several sentences may do so together.

    `How do I merge two accounts? Thank you` asks for an explanation.
    """
    sentences = map(levelled, sentences_of(text) if "?" in text else [text])
    meant = (
        one for one in sentences if words_in("said.access").search(one) and not words_in("said.no_access").search(one)
    )
    return any(asks[0] != TWO for one in meant for asks in words_in("due.asks").finditer(one))


def symptoms_left_in(text: str) -> tuple[str, ...]:
    """Return the words of a text that report a fault outside the clauses that say that one is over."""
    passage = read(text)
    over = claimed_clauses(passage)
    words = tuple(word for word in passage.words if word.clause not in over)
    found = _hints(Reading(TokenizedText(words, passage.asked), language_of(passage.words)))
    return tuple(dict.fromkeys(words for kind, _, words in found if kind == "bug"))


def _judged(reading: Reading) -> frozenset[int]:
    """Return the clauses about urgency, whose denials say nothing about a bug."""
    return frozenset(
        reading.words[found.start].clause for found in reading.lists(*JUDGEMENTS, light=True).find(reading.words)
    )


def _hints(reading: Reading) -> Iterator[tuple[str, int, str]]:
    """Yield kind, points and words of each finding; a repeated phrase counts once."""
    once: dict[str, tuple[str, int, str]] = {}
    for label, words in meant(reading, *LISTS):
        kind, _, strong = label.partition("_")
        once.setdefault(words.lower(), (kind, STRONG if strong else 1, words))
    yield from once.values()
    for words in broken_in(reading):
        yield "bug", STRONG, words
    for sentence in asked(reading)[:1]:
        yield "support", ASKED, sentence


def broken_in(reading: Reading) -> tuple[str, ...]:
    """Return the words of what is broken, lost or exposed, for whomever."""
    return tuple(words for impact, words in impacts_of(reading, DEFAULT) if impact != "deadline")


def meant(reading: Reading, *names: str) -> Iterator[tuple[str, str]]:
    """Yield label and words of each phrase that is neither denied nor of a time long past; what is quoted or supposed counts here."""
    found = tuple(reading.lists(*names).find(reading.words))
    taken = frozenset(at for one in found for at in range(one.start, one.end))
    for one in found:
        if one.label != "exceptions" and not reading.denied(one, taken) and not reading.long_ago(one):
            yield one.label, reading.shown(one)


def asked(reading: Reading) -> tuple[str, ...]:
    """Return the questions that ask for information, not for work."""
    found = []
    for number, group in groupby(reading.words, key=lambda word: word.sentence):
        words = tuple(group)
        if number in reading.passage.asked and number not in reading.requests and len(words) <= LONGEST_QUESTION:
            found.append(" ".join(word.shown for word in words) + "?")
    return tuple(one for one in found if not _rhetorical(one))


def only_blames(sentence: str) -> bool:
    """Tell whether a sentence is a rhetorical question and names no fault: `Is that too much to ask?`."""
    return _rhetorical(sentence) and not symptoms_in(sentence)


def _rhetorical(sentence: str) -> bool:
    return bool(words_in("question.rhetorical").search(levelled(sentence)))


def question_in(kind: str, *readings: Reading, text: str = "") -> Cue:
    """Say whether the mail asks a question: it has one, and reports neither a bug nor a wish.

    Words of a question without one, such as `a new account`, count for none where the `text` asks for access.
    """
    if kind in {"bug", "feature"}:
        return Cue(value="no")
    questions = tuple(sentence for reading in readings for sentence in asked(reading))
    hints = tuple(words for reading in readings for label, words in meant(reading, *LISTS) if label == "support_strong")
    evidence = tuple(dict.fromkeys((*questions, *(() if asks_for_access(text) else hints))))
    return Cue(value="yes", evidence=evidence) if evidence else Cue(value="no")
