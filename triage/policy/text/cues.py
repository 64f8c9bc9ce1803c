"""Finds the cues of a mail by word lists and patterns: priority, type, technologies, people, keys, resolution claims.

It reads the subject and the author's own text, never the quoted history. Where findings contradict each other, the
first of these decides: Highest (an outage), `no rush`, High, Low. A negated word (`not urgent`) gives no finding.

"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.findings import Cue, Cues
from triage.domain.mail import Message
from triage.domain.tickets import Person
from triage.policy.people.mentions import Said, keys_in, people_in
from triage.policy.text.author_text import author_text, subject_of
from triage.policy.text.phrase_matcher import PhraseMatch, Phrases, phrases
from triage.policy.text.resolution_claims import fixed_in
from triage.policy.text.sentences import Passage, Word, folded, plain, read
from triage.policy.text.technologies import technologies_in

_LISTS: Final = word_lists()
LIGHT: Final = folded("sentence.fillers")
NEGATIONS: Final = folded("negation.words")
NEAR: Final = folded("negation.between")
NEGATIONS_BEHIND: Final = folded("negation.after")
REACH: Final = 5
"""Most words between a negation and the word that it negates."""

PRIORITIES: Final = phrases(
    LIGHT,
    Highest=_LISTS["priority.highest"],
    High=_LISTS["priority.high"],
    unhurried=_LISTS["priority.unhurried"],
    Low=_LISTS["priority.low"],
    nothing=_LISTS["priority.exceptions"],
)
SUBJECT_ONLY: Final = phrases(
    LIGHT, Highest=_LISTS["priority.highest_in_subject"], nothing=_LISTS["priority.exceptions"]
)
"""Matches `down` in subjects, which often have no verb: `Checkout down`."""
ORDER: Final = (("Highest", "Highest"), ("unhurried", "Low"), ("High", "High"), ("Low", "Low"))

TYPES: Final = phrases(
    bug_3=_LISTS["type.bug_strong"],
    bug_1=_LISTS["type.bug"],
    feature_3=_LISTS["type.feature_strong"],
    feature_1=_LISTS["type.feature"],
    support_3=_LISTS["type.support_strong"],
    support_1=_LISTS["type.support"],
    nothing=_LISTS["type.exceptions"],
)
KINDS: Final = ("bug", "feature", "support")
"""On equal points, the first kind wins."""
IN_SUBJECT: Final = 2
ASKED: Final = 2
LONGEST_QUESTION: Final = 40
"""Words; a longer run up to a question mark is code or a log."""
POLITE: Final = phrases(polite=_LISTS["question.requests"])
ANSWERS: Final = tuple(f"{prefix}:" for prefix in folded("subject.short_answers"))
URGING: Final = {"x-priority": ("1", "2"), "importance": ("high",), "priority": ("urgent",)}
"""Header fields that mail programs write for "high importance", and the beginnings of their values."""


def cues_of(message: Message, people: Sequence[Person] = (), project: str = "") -> Cues:
    """Return all cues of a mail, each with the words that gave it. Calls no model."""
    subject_text, reply_text = subject_of(message), author_text(message.reply or message.text)
    subject, reply = read(subject_text), read(reply_text)
    kind = _type_of(subject, reply)
    own_subject = () if _is_reply(message) else (subject,)
    return Cues(
        priority=_priority_of(message, subject, reply),
        type=kind,
        technologies=technologies_in(subject_text, reply_text),
        people=people_in(Said.of(f"{subject_text}\n{reply_text}", (subject, reply)), people, message.sender),
        keys=keys_in(f"{subject_text}\n{reply_text}", project),
        fixed=fixed_in(*own_subject, reply),
        question=_question_in(kind.value, *own_subject, reply),
        sender_domain=message.sender.domain if message.sender else "",
    )


def _is_reply(message: Message) -> bool:
    """Tell whether the mail answers another one; its subject then belongs to somebody else."""
    return bool(message.thread) or plain(message.subject[:4]).startswith(ANSWERS)


# --- priority -----------------------------------------------------------------------------------


def _priority_of(message: Message, subject: Passage, reply: Passage) -> Cue:
    said: dict[str, list[str]] = {}
    for passage in (subject, reply):
        for label, words in _meant(passage, PRIORITIES):
            said.setdefault(label, []).append(words)
    if "Highest" not in said:
        said["Highest"] = [words for label, words in _meant(subject, SUBJECT_ONLY) if label == "Highest"]
    said.setdefault("High", []).extend(_button(message))
    for label, priority in ORDER:
        if said.get(label):
            return Cue(value=priority, evidence=tuple(dict.fromkeys(said[label])))
    return Cue(value="Medium")


def _button(message: Message) -> Iterator[str]:
    for name, values in URGING.items():
        value = message.header(name)
        if value.lower().startswith(values):
            yield f"{name}: {value}"


def _meant(passage: Passage, lists: Phrases) -> Iterator[tuple[str, str]]:
    """Yield label and words of each phrase that is not negated."""
    found = tuple(lists.find(passage.words))
    taken = frozenset(at for one in found for at in range(one.start, one.end))
    for one in found:
        if one.label != "nothing" and not _denied(passage.words, one, taken):
            yield one.label, " ".join(word.shown for word in passage.words[one.start : one.end])


def _denied(words: Sequence[Word], found: PhraseMatch, taken: frozenset[int]) -> bool:
    """Tell whether a negation stands before the phrase, or ends its clause as in German (`eilt … nicht`)."""
    for at in range(found.start - 1, max(-1, found.start - 1 - REACH), -1):
        if words[at].clause != words[found.start].clause:
            break
        if words[at].plain in NEGATIONS and at not in taken:
            return True
        if words[at].plain not in NEAR and at not in taken:
            break
    return _denied_behind(words, found)


def _denied_behind(words: Sequence[Word], found: PhraseMatch) -> bool:
    for at in range(found.end, min(len(words), found.end + REACH)):
        if words[at].clause != words[found.start].clause:
            break
        if words[at].plain in NEGATIONS_BEHIND:
            return at + 1 == len(words) or words[at + 1].clause != words[at].clause
        if words[at].plain not in NEAR:
            break
    return False


# --- type and question --------------------------------------------------------------------------


def _type_of(subject: Passage, reply: Passage) -> Cue:
    """Return the kind with the most points; findings in the subject count twice."""
    points = dict.fromkeys(KINDS, 0)
    evidence: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for passage, factor in ((subject, IN_SUBJECT), (reply, 1)):
        for (kind, weight), words in _hints(passage):
            points[kind] += factor * weight
            evidence[kind].append(words)
    best = max(KINDS, key=lambda kind: points[kind])
    return Cue(value=best, evidence=tuple(dict.fromkeys(evidence[best]))) if points[best] else Cue(value="general")


def _hints(passage: Passage) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield each finding as (kind, points) and words; a repeated phrase counts once."""
    once = {words.lower(): (label, words) for label, words in reversed(tuple(_meant(passage, TYPES)))}
    for label, words in reversed(once.values()):
        kind, _, weight = label.partition("_")
        yield (kind, int(weight)), words
    for sentence in _asked(passage)[:1]:
        yield ("support", ASKED), sentence


def _asked(passage: Passage) -> tuple[str, ...]:
    """Return the questions that ask for information, not for work."""
    asked = []
    for number, group in groupby(passage.words, key=lambda word: word.sentence):
        words = tuple(group)
        if number in passage.asked and len(words) <= LONGEST_QUESTION and not any(True for _ in POLITE.find(words)):
            asked.append(" ".join(word.shown for word in words) + "?")
    return tuple(asked)


def _question_in(kind: str, *passages: Passage) -> Cue:
    """Say whether the mail asks a question: it has one, and reports neither a bug nor a wish."""
    if kind in {"bug", "feature"}:
        return Cue(value="no")
    asked = tuple(sentence for passage in passages for sentence in _asked(passage))
    hints = tuple(words for passage in passages for label, words in _meant(passage, TYPES) if label == "support_3")
    evidence = tuple(dict.fromkeys((*asked, *hints)))
    return Cue(value="yes", evidence=evidence) if evidence else Cue(value="no")
