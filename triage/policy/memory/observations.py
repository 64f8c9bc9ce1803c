"""Finds by rules what a mail says that a team should remember: promises, requests, decisions, deadlines, who is in charge.

The rules read the words of `triage/words/` (section `memory`), in each language that has them, and only the author's own text.
A sentence gives at most one observation of a kind; what is quoted, reported, supposed or long past gives none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from triage.domain.memory.notes import MemoryMail, NoteKind, Observation
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.text.truncation import truncated
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.due_date import days_named
from triage.policy.memory.quadrants import quadrant_of
from triage.policy.memory.reading.owners import NO_NAMES, addressed, ordered, owner_of, same_person
from triage.policy.memory.reading.wording import Sentence, pattern, sentences_of_mail
from triage.policy.text.author_text import greeting_with_names
from triage.policy.text.commands import commands_in
from triage.policy.text.word_patterns import levelled
from triage.policy.thread.fingerprint import bare_subject

MOST: Final = 20
"""Observations of one mail; a mail with more of them is minutes of a day, or wants to fill the vault."""
TITLE: Final = 90
"""Characters of a title."""
REACH: Final = 40
"""Characters behind a promise within which a `not` takes it back."""
BARE: Final = 3
"""Words of a promise that tells no matter: `On it.`"""
LEAST_WORDS: Final = 2
"""Words of a sentence that asks for something."""
SUBJECT: Final = 60
"""Characters of a subject in a title."""
TELLING: Final = 3
"""Words of a sentence from which on it needs no subject; such words have so many letters at least:"""
LEAST_LETTERS: Final = 4
_WORD: Final = re.compile(r"[^\W_]+")
_GREETED: Final = lazy_pattern(lambda: rf"{greeting_with_names()}(?=\W{{0,3}}\w)")
_ONE_NAME: Final = re.compile(r"(?:(?P<before>\S+)\s+)?(?<!\w)(?P<name>[^\W\d_a-z][^\W\d_]+)\s*$")
_TITLED: Final = re.compile(r"^(?:Herr|Frau|Dr|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra)\b")
_TICKET: Final = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b")
_NAMES: Final = re.compile(r"(?<![.!?]\s)(?<!^)\b[^\W\d_a-z][^\W\d_]+(?:[ -][^\W\d_a-z][^\W\d_]+)+")
_FIRST_NAMES: Final = re.compile(r"^\W*([^\W\d_a-z][^\W\d_]+(?: [^\W\d_a-z][^\W\d_]+)+)")
_BREAK: Final = re.compile(r"[;\u2013\u2014]|\s-\s")
"""Behind it something else is said."""
BUT: Final = re.compile(r"\b(?:otherwise|or else)\b")
"""What comes if nobody does what is asked: `please pay by Friday, otherwise we stop`."""
INFINITIVES: Final = frozenset({"fr", "it"})
"""Languages whose infinitives are written as the Spanish future is without its accent."""
_CLAUSE: Final = re.compile(r"(?:^|[,;:\u2013\u2014]|\band\b|\bund\b|\bet\b|\by\b)\s*(?:[-*•]\s*)?")


def observe(mail: MemoryMail) -> tuple[Observation, ...]:
    """Return what a mail says, in its order; nothing of a mail to many, nor of one that speaks to a program."""
    found: list[Observation] = []
    sentences = list(sentences_of_mail(mail.text))
    if _speaks_to_nobody(mail.subject, sentences):
        return ()
    for sentence in sentences:
        found.extend(_of_sentence(sentence, mail))
    return tuple(_without_bare_promises(found)[:MOST])


def _without_bare_promises(found: Sequence[Observation]) -> list[Observation]:
    """Leave out `On it.` where the mail says beside it what the author will do."""
    promises = [one for one in found if one.kind is NoteKind.COMMITMENT and not _is_bare(one)]
    return [one for one in found if one.kind is not NoteKind.COMMITMENT or not _is_bare(one) or not promises]


def _is_bare(one: Observation) -> bool:
    return one.deadline is None and len(_WORD.findall(one.text)) <= BARE


def speaks_to_nobody(mail: MemoryMail) -> bool:
    """Tell whether a mail is one to many, a lure, or speaks to a program: neither rules nor a model make a note of it."""
    return _speaks_to_nobody(mail.subject, list(sentences_of_mail(mail.text)))


def _speaks_to_nobody(subject: str, sentences: Sequence[Sentence]) -> bool:
    """Where the author's own words command a model, his other sentences may be part of the order."""
    many = any(sentence.found("bulk") for sentence in (*sentences_of_mail(subject), *sentences))
    return many or bool(commands_in(" ".join(sentence.text for sentence in sentences)))


def _of_sentence(sentence: Sentence, mail: MemoryMail) -> Iterator[Observation]:
    for read in (_minutes, _person, _decision, _deadline):
        if found := read(sentence, mail):
            yield found
            return
    for read in (_commitment, _action):
        if found := read(sentence, mail):
            yield found


def _minutes(sentence: Sentence, mail: MemoryMail) -> Observation | None:
    """Read `- Marek to write the plan by Friday`, `Action: Marek to write it`, and `- Marek: plan of the fair, by Friday`."""
    name, end = ordered(sentence)
    if name and (sentence.follows("orders", end) or _task(sentence, end, mail)):
        own = same_person(name, mail.sender)
        kind = NoteKind.COMMITMENT if own else NoteKind.ACTION
        return _observation(kind, sentence, mail, owner=mail.sender if own else owner_of(name, mail))
    return None


def _task(sentence: Sentence, end: int, mail: MemoryMail) -> bool:
    """Tell whether a name with a colon or a dash is followed by something to do by a day: no `Marek: on holiday until Friday`."""
    here = not sentence.follows("away", end)
    return (
        here and sentence.text[:end].rstrip().endswith((":", "-", "\u2013")) and deadline_of(sentence, mail) is not None
    )


def _commitment(sentence: Sentence, mail: MemoryMail) -> Observation | None:
    if sentence.asked or _supposed(sentence) or sentence.found("no_promises"):
        return None
    for found in pattern("promises", sentence.languages).finditer(sentence.low):
        taken_back = pattern("negations", sentence.languages).search(sentence.low, found.end(), found.end() + REACH)
        reported = sentence.found("reported")
        if (
            not (reported and reported.end() <= found.start())
            and not (taken_back and _near(sentence, found, taken_back))
            and not _names_a_place(sentence, found)
            and _stressed(sentence, found)
        ):
            promise = _observation(NoteKind.COMMITMENT, sentence, mail, owner=mail.sender)
            return replace(promise, people=tuple(dict.fromkeys((*promise.people, *mail.to))))
    return None


def _names_a_place(sentence: Sentence, found: re.Match[str]) -> bool:
    """Tell whether a name stands where a verb is wanted: `I'm going to Oslo`."""
    words = sentence.text[found.start() : found.end()].split()
    return len(words) > LEAST_WORDS and words[-1][0].isupper() and words[-2] == "to"


def _stressed(sentence: Sentence, found: re.Match[str]) -> bool:
    """Tell whether a vowel bears the accent that tells it from an infinitive, where the text may have such: `construiré`, French `construire`."""
    at = found.start("stressed") if found.groupdict().get("stressed") else None
    return at is None or INFINITIVES.isdisjoint(sentence.languages) or sentence.text[at] != sentence.low[at]


def _near(sentence: Sentence, found: re.Match[str], other: re.Match[str]) -> bool:
    """Tell whether no comma parts two places of a sentence."""
    return not re.search(r"[,;]", sentence.low[found.end() : other.start()])


def _action(sentence: Sentence, mail: MemoryMail) -> Observation | None:
    if _supposed(sentence, BUT) or sentence.found("no_asks") or len(sentence.low.split()) < LEAST_WORDS:
        return None
    asks = sentence.found("asks") or (sentence.asked and sentence.found("questions")) or _ordering(sentence)
    if not asks or _reported(sentence, asks):
        return None
    return _observation(NoteKind.ACTION, sentence, mail, owner=owner_of(addressed(sentence), mail))


def _reported(sentence: Sentence, asks: re.Match[str]) -> bool:
    """Tell whether somebody else asks: `she said please wait`, but not `they want the plan - can you send it?`."""
    reported = sentence.found("reported")
    if reported is None or reported.end() > asks.start():
        return False
    return not _BREAK.search(sentence.low[reported.end() : asks.start()])


def _ordering(sentence: Sentence) -> re.Match[str] | None:
    """Return a verb that orders at the beginning of the sentence, or behind a name: `Tom, send me the file`."""
    if sentence.asked:
        return None
    for start in _CLAUSE.finditer(sentence.low):
        before = sentence.text[: start.start()].strip()
        if (not before or before.endswith(":") or before == addressed(sentence)) and (
            found := sentence.follows("verbs", start.end())
        ):
            return found
    return None


def _supposed(sentence: Sentence, end: re.Pattern[str] | None = None) -> bool:
    """Tell whether the sentence, as far as `end`, depends on something that is no mere courtesy."""
    low = end.split(sentence.low, maxsplit=1)[0] if end else sentence.low
    low = pattern("courtesies", sentence.languages).sub("", low)
    found = pattern("conditions", sentence.languages).search(low)
    return bool(found) and not re.search(
        r"\b(?:great|good|nice|helpful|glad|grateful|happy|kind|wonderful|it) if you\b", low
    )


def _decision(sentence: Sentence, mail: MemoryMail) -> Observation | None:
    if sentence.asked or sentence.found("no_decisions") or not sentence.found("decisions"):
        return None
    return replace(_observation(NoteKind.DECISION, sentence, mail), deadline=None)


def _deadline(sentence: Sentence, mail: MemoryMail) -> Observation | None:
    """Read `the deadline for travel expenses is 11 December`."""
    if sentence.asked or not sentence.found("deadlines") or sentence.found("asks"):
        return None
    found = _observation(NoteKind.INSIGHT, sentence, mail)
    return found if found.deadline else None


def _person(sentence: Sentence, mail: MemoryMail) -> Observation | None:
    """Read who is in charge of what: somebody with a name, or the author."""
    if sentence.asked or _supposed(sentence):
        return None
    if sentence.found("roles"):
        return replace(_observation(NoteKind.PERSON, sentence, mail), people=(mail.sender,), deadline=None)
    introduced = sentence.found("introductions")
    names = _names(sentence) or (_one_name(sentence, introduced) if introduced else ())
    if not names or not introduced:
        return None
    return replace(_observation(NoteKind.PERSON, sentence, mail), people=names, deadline=None)


def _names(sentence: Sentence) -> tuple[str, ...]:
    """Return names of two words or more in a sentence."""
    first = _FIRST_NAMES.match(sentence.text)
    found = [*(first.groups() if first else ()), *(name[0] for name in _NAMES.finditer(sentence.text))]
    return tuple(dict.fromkeys(name for name in found if _is_name(name, sentence)))


def _one_name(sentence: Sentence, introduced: re.Match[str]) -> tuple[str, ...]:
    """Return the name of one word before several that introduce somebody, or before their last one: `ist ab sofort Uwe zuständig`."""
    last = introduced[0].rfind(" ")
    stops = pattern("stops", sentence.languages)
    for end in (introduced.start(), introduced.start() + last) if last > 0 else ():
        found = _ONE_NAME.search(sentence.text[:end])
        if found is None or levelled(found["name"]) in NO_NAMES or not _is_name(found["name"], sentence):
            continue
        if found.start() == introduced.start() or not stops.fullmatch(levelled(found["before"] or "")):
            return (found["name"],)
    return ()


def _is_name(name: str, sentence: Sentence) -> bool:
    """Tell whether words with capitals are a name; in German every noun has one, so that there a name needs its `Herr` or no article."""
    stops = pattern("stops", sentence.languages)
    first, *_ = words = name.split()
    articles = [word for word in words if stops.fullmatch(levelled(word)) and not _TITLED.match(word)]
    return bool(_TITLED.match(first)) or (
        not articles and not pattern("no_names", sentence.languages).search(levelled(name))
    )


def _observation(kind: NoteKind, sentence: Sentence, mail: MemoryMail, *, owner: str = "") -> Observation:
    """Return what a sentence says, with its deadline, its people and the words as evidence."""
    deadline = deadline_of(sentence, mail)
    judged = quadrant_of(sentence, mail, deadline) if kind is NoteKind.ACTION else None
    return Observation(
        kind=kind,
        title=title_in(kind, sentence, mail),
        text=sentence.text.strip(),
        source_email=mail.case,
        sender=mail.sender,
        people=tuple(dict.fromkeys(filter(None, (owner, mail.sender, *_names(sentence))))),
        owner=owner,
        deadline=deadline,
        quadrant=judged.quadrant if judged else None,
        priority_justification=judged.why if judged else "",
        tickets=tuple(dict.fromkeys((*filter(None, (mail.ticket,)), *_TICKET.findall(sentence.text)))),
        quote=Untrusted(sentence.text.strip()),
        trust=mail.trust,
    )


def deadline_of(sentence: Sentence, mail: MemoryMail) -> date | None:
    """Return the first day that a sentence names, counted from the mail's date; none that has passed by then."""
    for place, day in days_named(sentence.text, mail.at, sentence.languages):
        passed = pattern("last", sentence.languages).search(sentence.low[: place.start])
        if day >= mail.at.date() and not passed:
            return day
    return None


def title_in(kind: NoteKind, sentence: Sentence, mail: MemoryMail) -> str:
    """Return a title that is understood in a list: who speaks of himself has a name, and a sentence of few words its mail's subject."""
    title = title_of(sentence.text)
    if kind is NoteKind.PERSON and sentence.found("roles"):
        return title_of(f"{name_of(mail.sender)}: {title}")
    subject = bare_subject(mail.subject)[:SUBJECT].strip()
    stops = pattern("stops", sentence.languages)
    telling = [word for word in _WORD.findall(stops.sub(" ", sentence.low)) if len(word) >= LEAST_LETTERS]
    return f"{title} ({subject})" if subject and len(telling) < TELLING else title


def title_of(text: str) -> str:
    """Return a sentence as a title: without the sign of a list, greeting and full stop, with a capital, cut at a word."""
    bare = text.strip().lstrip("-*• ")
    greeted = _GREETED.match(levelled(bare))
    bare = bare[greeted.end() if greeted else 0 :].rstrip(" .!:,")
    bare = bare[:1].upper() + bare[1:]
    return truncated(bare, TITLE, at_word=True)


def name_of(address: str) -> str:
    """Return how somebody is called by his address: `Miguel Torres` of `miguel.torres@northwind.example`."""
    return " ".join(part.capitalize() for part in re.split(r"[._+-]+", address.partition("@")[0]) if part) or address
