"""Decides whether two notes say the same, and merges them without losing a word or a source."""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Prefix

from triage.domain.memory.notes import Note, NoteKind, NoteStatus, NoteTrust
from triage.policy.memory.notes.sources import NotePart, parts_of, text_of
from triage.policy.text.sentences import folded, plain
from triage.policy.text.tokenizer import STOP_WORDS

FUZZY: Final = 0.70
"""From here on two notes are worth a look: the new one names the other."""
MERGE: Final = 0.85
"""From here on they are one."""
LOOK: Final = MERGE - 0.01
"""What is alike and must not be merged."""
TITLE_SHARE: Final = 0.6
TELLING: Final = 4
"""Words of a title that is a sentence: with the same one two notes are about one matter, whatever the text."""
OF_TITLES: Final = 0.9
"""What such titles count without the text."""
MOST_PARTS: Final = 20
"""A note of so many parts takes no more: what is repeated without end gets notes of its own, which can be seen."""
CACHED: Final = 1 << 14
NUMBER: Final = re.compile(r"\w*\d\w*")
WORD: Final = re.compile(r"\w+")
FORM: Final = 4
"""Letters that two forms of a word begin with; one fewer where the rest is alike, too."""
OF_FORM: Final = 0.57
"""Share of the longer form that these letters are."""
ALIKE: Final = 70
"""How alike, of 100, the rest makes them."""
NOT: Final = folded("negation.words")


class Similar(NamedTuple):
    """Another note and its similarity, 0 to 1."""

    note: Note
    score: float


def similar(note: Note, notes: Iterable[Note], at_least: float = FUZZY) -> Similar | None:
    """Return the most similar note of the same kind, if it is similar enough to be merged."""
    others = {other.id: other for other in notes if other.kind is note.kind and other.id != note.id}
    titles = {name: _folded(other.title) for name, other in others.items()}
    enough = 100 * (at_least - (1 - TITLE_SHARE)) / TITLE_SHARE  # below it the same text would not help
    alike = process.extract(_folded(note.title), titles, scorer=fuzz.token_sort_ratio, score_cutoff=enough, limit=None)
    found = {name for _, _, name in alike}
    found |= {name for name, other in others.items() if _same_person(note, other)}
    best = max(
        (Similar(others[name], score(note, others[name])) for name in sorted(found)),
        key=attrgetter("score"),
        default=None,
    )
    return best if best is not None and best.score >= at_least else None


def score(one: Note, other: Note) -> float:
    """Return the similarity of two notes, 0 to 1; it is below MERGE if they must not be merged."""
    if one.kind is not other.kind:
        return 0.0
    if one.kind is NoteKind.PERSON:
        return _of_people(one, other)
    if _repeated(one, other):
        return 1.0
    titles = fuzz.token_sort_ratio(plain(one.title), plain(other.title)) / 100
    texts = [plain(part.text) for note in (one, other) for part in parts_of(note)[:1]]
    likeness = titles
    if all(texts):
        alone = OF_TITLES * titles if min(len(one.title.split()), len(other.title.split())) >= TELLING else 0.0
        likeness = max(alone, TITLE_SHARE * titles + (1 - TITLE_SHARE) * fuzz.token_set_ratio(*texts) / 100)
    return round(min(likeness, 1.0 if _may_merge(one, other) else LOOK), 4)


def merged(kept: Note, new: Note) -> Note:
    """Return `kept` with what `new` says beyond it: parts with their sources, and, of the same senders, fields that are empty.

    Nothing that `kept` says is changed; merging the same note twice changes nothing.
    """
    parts = list(parts_of(kept))
    for part in parts_of(new):
        place = next((at for at, old in enumerate(parts) if _holds(old, part)), None)
        if place is None:
            parts.append(part)
        else:
            parts[place] = replace(parts[place], sources=_with(parts[place].sources, part.sources))
    note = replace(
        kept,
        text=kept.text if len(parts) == 1 else text_of(kept.title, tuple(parts)),
        source_emails=_with(kept.source_emails, new.source_emails),
        source_senders=_with(kept.source_senders, new.source_senders),
        source_memories=_with(kept.source_memories, new.source_memories),
        trust=max(kept.trust, new.trust, key=list(NoteTrust).index),
    )
    return _filled(note, new) if _senders(kept) == _senders(new) else note


@lru_cache(maxsize=CACHED)
def _folded(title: str) -> str:
    return plain(title)


def _repeated(one: Note, other: Note) -> bool:
    """Whether both came from the same mail with the same words: a build that was interrupted says so again."""
    return bool(set(one.source_emails) & set(other.source_emails)) and plain(one.title) == plain(other.title)


def _may_merge(one: Note, other: Note) -> bool:
    """Whether nothing speaks against it: other numbers, people, dates, states, a `not`, or a source that is not proven."""
    apart = (
        _differ(one.owner.casefold(), other.owner.casefold()),
        _differ(one.deadline, other.deadline),
        (one.status is NoteStatus.ACTIVE) is not (other.status is NoteStatus.ACTIVE),
        bool(one.tickets and other.tickets) and not set(one.tickets) & set(other.tickets),
        _numbers(one) != _numbers(other),
        _denies(one) is not _denies(other),
        _is_reworded(one.title, other.title),
        one.trust is not other.trust,
        one.trust is NoteTrust.UNTRUSTED and _senders(one) != _senders(other),
        max(len(parts_of(one)), len(parts_of(other))) >= MOST_PARTS,
    )
    return not any(apart)


def _differ(one: object, other: object) -> bool:
    return bool(one and other) and one != other


def _numbers(note: Note) -> frozenset[str]:
    return frozenset(NUMBER.findall(plain(note.title)))


def _denies(note: Note) -> bool:
    return bool(NOT & set(plain(note.title).split()))


def _is_reworded(one: str, other: str) -> bool:
    """Whether each title has a word of which the other has no form: the contract and the invoice, to accept and to refuse."""
    words, others = _telling(one), _telling(other)
    return _lacks_form(words - others, others) and _lacks_form(others - words, words)


def _lacks_form(words: Iterable[str], others: Collection[str]) -> bool:
    return any(not any(_are_forms(word, other) for other in others) for word in words)


def _telling(title: str) -> frozenset[str]:
    return frozenset(WORD.findall(plain(title))) - STOP_WORDS


def _are_forms(word: str, other: str) -> bool:
    """Whether two words begin alike and go on alike: `send` and `sent`, `summary` and `sumary`."""
    begins = Prefix.similarity(word, other)
    longer = max(len(word), len(other))
    return (begins >= FORM and begins >= OF_FORM * longer) or (begins >= FORM - 1 and fuzz.ratio(word, other) >= ALIKE)


def _senders(note: Note) -> frozenset[str]:
    return frozenset(address.casefold() for address in note.source_senders)


def _addresses(note: Note) -> frozenset[str]:
    return frozenset(name.casefold() for name in note.people if "@" in name)


def _same_person(one: Note, other: Note) -> bool:
    return one.kind is NoteKind.PERSON and bool(_addresses(one) & _addresses(other))


def _of_people(one: Note, other: Note) -> float:
    """A person is an address; a name alone may be anybody's."""
    if _same_person(one, other):
        return 1.0 if _may_merge(one, other) or _repeated(one, other) else LOOK
    if _addresses(one) and _addresses(other):
        return 0.0
    return LOOK if plain(one.title) == plain(other.title) else 0.0


def _holds(old: NotePart, part: NotePart) -> bool:
    return old.senders == part.senders and plain(part.text) in plain(old.text) and plain(part.title) == plain(old.title)


def _with(values: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*values, *more)))


def _filled(note: Note, new: Note) -> Note:
    """Fill what is empty, and put lists together."""
    return replace(
        note,
        people=_with(note.people, new.people),
        tags=_with(note.tags, new.tags),
        tickets=_with(note.tickets, new.tickets),
        related_to=tuple(one for one in _with(note.related_to, new.related_to) if one != note.id),
        owner=note.owner or new.owner,
        deadline=note.deadline or new.deadline,
        quadrant=note.quadrant or new.quadrant,
        priority_justification=note.priority_justification or new.priority_justification,
        commitment_status=note.commitment_status or new.commitment_status,
    )
