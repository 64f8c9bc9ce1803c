"""Finds the people and ticket keys that a text mentions; they are hints, not rights."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from triage.domain.mail import Address
from triage.domain.tickets import Person
from triage.policy.text.sentences import Passage, pieces, plain

ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
HANDLE: Final = re.compile(r"(?<![\w@.])@(\w+(?:[.-]\w+)*)")
NAME: Final = re.compile(r"\w+(?:['\u2019]\w+)*")


def keys_in(text: str, project: str) -> tuple[str, ...]:
    """Return the ticket keys of our project, in capitals, each once."""
    if not project:
        return ()
    key = re.compile(rf"(?<![\w-]){re.escape(project)}-([1-9][0-9]{{0,8}})(?!\w)", re.IGNORECASE)
    return tuple(dict.fromkeys(f"{project}-{number}" for number in key.findall(text)))


@dataclass(frozen=True, slots=True)
class MentionText:
    """The parts of a text that can name a person."""

    words: str
    """All words, folded, with a blank around each."""
    addresses: frozenset[str]
    handles: frozenset[str]

    @classmethod
    def of(cls, text: str, passages: Sequence[Passage]) -> Self:
        """Collect the words, addresses and @handles of a text; `passages` is the same text as words."""
        marked = text if "@" in text else ""
        return cls(
            words="".join(f" {' '.join(word.plain for word in passage.words)} " for passage in passages),
            addresses=frozenset(found.lower() for found in ADDRESS.findall(marked)),
            handles=frozenset(plain(found) for found in HANDLE.findall(marked)),
        )


def people_in(mail: MentionText, people: Sequence[Person], sender: Address | None = None) -> tuple[str, ...]:
    """Return known people who are mentioned, except the sender: by name, or by address if several have the name.

    A mention is a full name, an e-mail address or an @handle; a first name alone is ambiguous.
    """
    names = [parts_of(person.name) for person in people]
    bearers = Counter(names)
    found = []
    for person, name in zip(people, names, strict=True):
        alone = bearers[name] == 1
        named = (alone and _named(name, mail)) or person.email.lower() in mail.addresses or _called(person, name, mail)
        if named and not _is(person, name, sender):
            found.append(str(person.name) if alone else person.email)
    return tuple(found)


def parts_of(name: str) -> tuple[str, ...]:
    return tuple(piece for part in NAME.findall(name) for piece in pieces(plain(part)))


def _is(person: Person, name: tuple[str, ...], sender: Address | None) -> bool:
    """Tell whether the person is the sender, whose name stands in the signature."""
    if sender is None:
        return False
    return name == parts_of(sender.name) or (bool(person.email) and person.email.lower() == sender.address)


def _named(name: tuple[str, ...], mail: MentionText) -> bool:
    """Tell whether first and last name occur, in either order."""
    if not name[1:]:
        return False
    return any(f" {' '.join(order)} " in mail.words for order in (name, (*name[1:], name[0]), (name[-1], *name[:-1])))


def _called(person: Person, name: tuple[str, ...], mail: MentionText) -> bool:
    """Tell whether an @handle matches the user name, the address before the @, or the joined name."""
    whole = {joint.join(name) for joint in ("", ".", "-", "_")} if name[1:] else set()
    return not mail.handles.isdisjoint({plain(person.id), plain(person.email).partition("@")[0], *whole} - {""})
