"""Finds the cues of a mail by word lists and patterns: priority, type, technologies, people, keys, resolution claims.

Only the subject and what the sender writes now are read, never the quoted history. Where words contradict each
other, the reader's common sense decides: an outage or an urgent matter is Highest whatever else is said; `no rush`
takes back a mere `important`; `minor` gives way to everything. A word that is denied (`not urgent`) says nothing.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.cases import Cue, Cues
from triage.domain.mail import Message
from triage.domain.tickets import Person
from triage.policy.people.mentions import Said, keys_in, people_in
from triage.policy.text.author_text import spoken, subject_of
from triage.policy.text.phrase_matcher import Found, Phrases, phrases
from triage.policy.text.resolution_claims import fixed_in
from triage.policy.text.sentences import Passage, Word, folded, plain, read
from triage.policy.text.technologies import technologies_in

_LISTS: Final = word_lists()
LIGHT: Final = folded("sentence.fillers")
NEGATIONS: Final = folded("negation.words")
NEAR: Final = folded("negation.between")
NEGATIONS_BEHIND: Final = folded("negation.after")
REACH: Final = 5
"""So many near words may stand between a negation and what it takes back."""

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
"""Subjects are terse: `Checkout down` needs no verb."""
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
"""Of equal weight, the first."""
IN_SUBJECT: Final = 2
ASKED: Final = 2
LONGEST_QUESTION: Final = 40
"""More words than that before a question mark are code or a log."""
POLITE: Final = phrases(polite=_LISTS["question.requests"])
ANSWERS: Final = tuple(f"{prefix}:" for prefix in folded("subject.short_answers"))
URGING: Final = {"x-priority": ("1", "2"), "importance": ("high",), "priority": ("urgent",)}
"""What mail programs write when the sender presses the red button."""


def cues_of(message: Message, people: Sequence[Person] = (), project: str = "") -> Cues:
    """All cues of a mail, each with the words that gave it; no model is asked."""
    subject_text, reply_text = subject_of(message), spoken(message.reply or message.text)
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
    """Then the subject is somebody else's."""
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
    """Label and words of what is said and not taken back."""
    found = tuple(lists.find(passage.words))
    taken = frozenset(at for one in found for at in range(one.start, one.end))
    for one in found:
        if one.label != "nothing" and not _denied(passage.words, one, taken):
            yield one.label, " ".join(word.shown for word in passage.words[one.start : one.end])


def _denied(words: Sequence[Word], found: Found, taken: frozenset[int]) -> bool:
    """A negation stands before it, with nothing weighty between, or ends its clause, as German likes."""
    for at in range(found.start - 1, max(-1, found.start - 1 - REACH), -1):
        if words[at].clause != words[found.start].clause:
            break
        if words[at].plain in NEGATIONS and at not in taken:
            return True
        if words[at].plain not in NEAR and at not in taken:
            break
    return _denied_behind(words, found)


def _denied_behind(words: Sequence[Word], found: Found) -> bool:
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
    """The kind that most of the evidence speaks for; what stands in the subject counts twice."""
    points = dict.fromkeys(KINDS, 0)
    evidence: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for passage, factor in ((subject, IN_SUBJECT), (reply, 1)):
        for (kind, weight), words in _hints(passage):
            points[kind] += factor * weight
            evidence[kind].append(words)
    best = max(KINDS, key=lambda kind: points[kind])
    return Cue(value=best, evidence=tuple(dict.fromkeys(evidence[best]))) if points[best] else Cue(value="general")


def _hints(passage: Passage) -> Iterator[tuple[tuple[str, int], str]]:
    """What speaks for which kind, and how much; a word said ten times counts once."""
    once = {words.lower(): (label, words) for label, words in reversed(tuple(_meant(passage, TYPES)))}
    for label, words in reversed(once.values()):
        kind, _, weight = label.partition("_")
        yield (kind, int(weight)), words
    for sentence in _asked(passage)[:1]:
        yield ("support", ASKED), sentence


def _asked(passage: Passage) -> tuple[str, ...]:
    """The sentences that want an answer rather than work done."""
    asked = []
    for number, group in groupby(passage.words, key=lambda word: word.sentence):
        words = tuple(group)
        if number in passage.asked and len(words) <= LONGEST_QUESTION and not any(True for _ in POLITE.find(words)):
            asked.append(" ".join(word.shown for word in words) + "?")
    return tuple(asked)


def _question_in(kind: str, *passages: Passage) -> Cue:
    """A mail asks when it wants to know something and reports no fault and no wish."""
    if kind in {"bug", "feature"}:
        return Cue(value="no")
    asked = tuple(sentence for passage in passages for sentence in _asked(passage))
    hints = tuple(words for passage in passages for label, words in _meant(passage, TYPES) if label == "support_3")
    evidence = tuple(dict.fromkeys((*asked, *hints)))
    return Cue(value="yes", evidence=evidence) if evidence else Cue(value="no")
