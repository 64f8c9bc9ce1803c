"""Finds how much a mail matters: by what it says is broken for whom, and by how its sender presses."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from triage.config.ticket.severity import Severity
from triage.config.word_lists import word_lists
from triage.domain.findings import Alert, AlertSeverity, AlertState, Cue
from triage.domain.mail import Message
from triage.policy.alerts.alert import alert_of
from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import words_listed
from triage.policy.text.phrase_matcher import PhraseMatch, phrases
from triage.policy.text.sentences import Word

ORDER: Final = ("Highest", "unhurried", "High", "Low", "Medium")
"""Where findings contradict each other, the first of these decides: `no rush` takes back what presses or is called urgent, no outage."""
JUDGEMENTS: Final = (
    *("priority.highest", "priority.high", "priority.unhurried", "priority.low"),
    "priority.exceptions",
)
KINDS: Final = {"highest": "urgent", "high": "pressing", "unhurried": "unhurried", "low": "Low"}
"""List of judgements → kind of impact, or the finding itself."""
SETTLED: Final = {"vital": "outage", "flagged": "pressing"}
"""Findings that no reading of the whole text takes back → kind of impact: systems that an admin names, the mail's own flag."""
HITTING: Final = ("exposure", "loss", "safety", "payment", "outage", "money")
"""Kinds of impact that tell what is broken, for whom; the surest first."""
DEFAULT: Final = Severity()
COMPLETE: Final = (
    *("impact.outage", "impact.loss", "impact.exposure", "impact.payment", "impact.money", "impact.safety"),
)
"""Lists whose phrases say all by themselves."""
URGING: Final = {"x-priority": ("1", "2"), "importance": ("high",), "priority": ("urgent",)}
"""Header fields that mail programs write for "high importance", and the beginnings of their values."""
OPENING: Final = 3
"""Words of a text behind which no review of an incident is announced any more."""
GRADED: Final = words_listed(("any",), "priority.graded")
_GRADE: Final = re.compile(r"p[0-5]")
CACHED: Final = 16
COUNTED: Final = 2
"""Most words between a number and what it counts: `300 of our agents`."""


@dataclass(frozen=True, slots=True)
class ListedPriority:
    """What the lists say of a mail's priority."""

    cue: Cue
    settled: bool = False
    """The meaning of the whole text has no say."""
    dated: bool = False
    """Something is needed by a day that is near."""
    hit: str = ""
    """The kind of impact that it follows from: what is broken, for whom. Empty: a word of urgency alone, or nothing."""


def priority_of(message: Message, subject: Reading, reply: Reading, severity: Severity) -> ListedPriority:
    """Return Highest, High, Medium or Low with its evidence. A program's own severity counts more than its words."""
    alert = alert_of(message)
    if alert and (alert.state is AlertState.RESOLVED or alert.severity is not AlertSeverity.UNKNOWN):
        return ListedPriority(Cue(value=_alerted(alert, severity), evidence=(f"{alert}",)), settled=True)
    findings = tuple(_findings(message, subject, reply, severity))
    time = any(impact == "unhurried" for impact, _ in findings)
    found_words: dict[str, list[str]] = {}
    for impact, words in findings:
        if not (time and impact == "urgent"):
            found_words.setdefault(_priority(impact, severity), []).append(words)
    for finding in ORDER:
        if finding in found_words:
            value = "Low" if finding == "unhurried" else finding
            cue = Cue(value=value, evidence=tuple(dict.fromkeys(found_words[finding])))
            impacts = {impact for impact, _ in findings}
            settled = any(impact in SETTLED or _configured(impact, severity) for impact in impacts)
            hit = next((one for one in HITTING if one in impacts and _priority(one, severity) == finding), "")
            return ListedPriority(cue, settled=settled, dated="deadline" in impacts, hit=hit)
    return ListedPriority(Cue(value="Medium"))


def _priority(impact: str, severity: Severity) -> str:
    return impact if impact in {"unhurried", "Low"} else severity.priority_of(SETTLED.get(impact, impact))


def _configured(impact: str, severity: Severity) -> bool:
    """Tell whether an admin has given the kind of impact another priority."""
    return _priority(impact, severity) != _priority(impact, DEFAULT)


def _alerted(alert: Alert, severity: Severity) -> str:
    """Return the priority of an alert: a critical one counts as an outage, one of high severity as pressing."""
    if alert.state is AlertState.RESOLVED:
        return "Low"
    match alert.severity:
        case AlertSeverity.CRITICAL:
            return severity.outage
        case AlertSeverity.HIGH:
            return severity.pressing
        case AlertSeverity.INFO:
            return "Low"
    return "Medium"


def _findings(message: Message, subject: Reading, reply: Reading, severity: Severity) -> Iterator[tuple[str, str]]:
    """Yield kind of impact and words of each finding; whoever reviews an incident reports none."""
    reviews = looks_back(subject, reply)
    for reading in (subject, reply):
        for found in reading.asserted(reading.lists(*JUDGEMENTS, light=True), judgement=True):
            if not _names_a_thing(reading.words, found):
                yield KINDS[found.label], reading.shown(found)
        yield from () if reviews else impacts_of(reading, severity)
    for found in () if reviews else subject.asserted(subject.lists("impact.subject", "impact.exceptions", light=True)):
        yield "outage", subject.shown(found)
    for name, values in URGING.items():
        value = message.header(name)
        if value.lower().startswith(values):
            yield "flagged", f"{name}: {value}"


def _names_a_thing(words: Sequence[Word], found: PhraseMatch) -> bool:
    """Tell whether what looks like a grade is a name: `platform P4`, and each of `P3 and P4`."""
    at = found.start
    if found.end - at > 1 or not _GRADE.fullmatch(words[at].plain):
        return False
    near = {near for near in range(at - 2, at + 3) if near != at and 0 <= near < len(words)}
    if any(_GRADE.fullmatch(words[one].plain) and words[one].sentence == words[at].sentence for one in near):
        return True
    led = at > 0 and words[at - 1].clause == words[at].clause
    return led and words[at - 1].plain not in GRADED


def looks_back(subject: Reading, reply: Reading) -> bool:
    """Tell whether a subject, or the very first words of a text, announce the review of an incident."""
    return any(
        found.start <= latest
        for reading, latest in ((subject, len(subject.words)), (reply, OPENING))
        for found in reading.asserted(reading.lists("impact.reviews"))
    )


@lru_cache(maxsize=CACHED)
def impacts_of(reading: Reading, severity: Severity) -> tuple[tuple[str, str], ...]:
    """Return kind and words of what is broken, for whom, or needed when; priority and type of a mail ask for it in turn."""
    return tuple(_impacts(reading, severity))


def _impacts(reading: Reading, severity: Severity) -> Iterator[tuple[str, str]]:
    for found in reading.asserted(reading.lists(*COMPLETE, "impact.exceptions", light=True)):
        yield found.label, reading.shown(found)
    if stopped := _by_sentence(reading, "impact.stopped"):
        everyone = _by_sentence(reading, "impact.everyone")
        yield from _together("outage", everyone | _many(reading, severity.many_people), stopped)
    if nobody := _by_sentence(reading, "impact.nobody"):
        once = any(word_lists().of(code, "negation.once") for code in reading.language.leading)
        doubled = () if once else ("impact.stopped",)
        able = _by_sentence(reading, "impact.able", *doubled, deniable=False)
        yield from _together("outage", nobody, able)
    if stopped:
        yield from _together("outage", _by_sentence(reading, "impact.vital"), stopped)
        yield from _together("vital", _vital(reading, severity.vital), stopped)
        yield from _shared(everyone, _by_sentence(reading, "impact.same"), stopped)
    if foreign := _by_sentence(reading, "impact.foreign"):
        private, seen = _by_sentence(reading, "impact.private"), _by_sentence(reading, "impact.seen")
        yield from _together("exposure", private, foreign, seen)
    if soon := _by_sentence(reading, "deadline.soon"):
        asked = reading.passage.asked - reading.requests  # `must I pay twice to shift it to today?`
        needed = _by_sentence(reading, "deadline.needed")
        spared = asked | _nowadays(reading)
        yield from _together("deadline", {at: words for at, words in needed.items() if at not in spared}, soon)
    for found in reading.asserted(reading.lists("deadline.firm", "deadline.exceptions")):
        yield "deadline", reading.shown(found)


def _together(impact: str, *parts: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """Yield the impact for each sentence that has all parts, with the words of each."""
    for at in parts[0]:
        if all(at in part for part in parts):
            yield impact, " … ".join(part[at] for part in parts)


def _shared(
    everyone: Mapping[int, str], same: Mapping[int, str], stopped: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    """Yield what has stopped where another sentence says that everybody has the same."""
    for _, words in islice(_together("outage", everyone, same), 1):
        yield "outage", f"{next(iter(stopped.values()))}, {words}"


def _nowadays(reading: Reading) -> frozenset[int]:
    """Return the sentences in which `today` tells how things are: `Today we have to open each file by itself`."""
    habits = {reading.words[one.start].sentence for one in reading.lists("deadline.habits").find(reading.words)}
    soon = (reading.words[one.start] for one in reading.lists("deadline.soon").find(reading.words))
    first: dict[int, Word] = {}
    for word in reading.words:
        first.setdefault(word.clause, word)
    return frozenset(word.sentence for word in soon if word.sentence in habits and first[word.clause] is word)


def _by_sentence(reading: Reading, *names: str, deniable: bool = True) -> dict[int, str]:
    """Return sentence → words of the first asserted match in it."""
    topic = names[0].partition(".")[0]
    return _first(reading, reading.asserted(reading.lists(*names, f"{topic}.exceptions"), deniable=deniable))


def _first(reading: Reading, found: Iterator[PhraseMatch]) -> dict[int, str]:
    first: dict[int, str] = {}
    for one in found:
        first.setdefault(reading.words[one.start].sentence, reading.shown(one))
    return first


def _vital(reading: Reading, names: tuple[str, ...]) -> dict[int, str]:
    return _first(reading, phrases(vital=names).find(reading.words)) if names else {}


def _many(reading: Reading, many: int) -> dict[int, str]:
    """Return sentence → a number of people that is large: `300 agents`."""
    people = {one.start: one for one in reading.lists("impact.people").find(reading.words)}
    found: dict[int, str] = {}
    for at, word in enumerate(reading.words):
        if word.plain.isdecimal() and len(word.plain) < LONGEST_NUMBER and int(word.plain) >= many:
            counted = next((people[near] for near in range(at + 1, at + 2 + COUNTED) if near in people), None)
            if counted:
                found.setdefault(word.sentence, f"{word.shown} {reading.shown(counted)}")
    return found


LONGEST_NUMBER: Final = 8
"""Digits; a longer number counts no people."""
