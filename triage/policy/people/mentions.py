"""Finds the people and ticket keys that a text mentions; they are hints, not rights."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from triage.domain.mail import Address
from triage.domain.tickets import Person
from triage.policy.people.names import KnownNames, form_of
from triage.policy.people.wishes import wishes_among
from triage.policy.text.sentences import TokenizedText, Word, plain

ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
HANDLE: Final = re.compile(r"(?<![\w@.])@(\w+(?:[.-]\w+)*)")


def keys_in(text: str, project: str) -> tuple[str, ...]:
    """Return the ticket keys of our project, in capitals, each once."""
    if not project:
        return ()
    key = re.compile(rf"(?<![\w-]){re.escape(project)}-([1-9][0-9]{{0,8}})(?!\w)", re.IGNORECASE)
    return tuple(dict.fromkeys(f"{project}-{number}" for number in key.findall(text)))


@dataclass(frozen=True, slots=True)
class MentionText:
    """The parts of a text that can name a person."""

    passages: Sequence[Sequence[Word]]
    addresses: frozenset[str]
    handles: frozenset[str]

    @classmethod
    def of(cls, text: str, passages: Sequence[TokenizedText]) -> Self:
        """Collect the words, addresses and @handles of a text; `passages` is the same text as words."""
        marked = text if "@" in text else ""
        return cls(
            passages=[passage.words for passage in passages],
            addresses=frozenset(found.lower() for found in ADDRESS.findall(marked)),
            handles=frozenset(plain(found) for found in HANDLE.findall(marked)),
        )


def people_in(mail: MentionText, people: Sequence[Person], sender: Address | None = None) -> tuple[str, ...]:
    """Return known people who are mentioned, except the sender: by name, or by address if several have the name.

    A mention is an e-mail address, an @handle, a whole name, or a part of one with a title (`Herr Müller`) or a wish (`ask Jana`)
    beside it; a first name alone is ambiguous. Who uses capitals at all writes names with them: `we will price it` is not Will Price.
    """
    named = _named_in(mail.passages, people) if people else frozenset()
    mentioned = [
        person
        for person in people
        if person.id in named
        or person.email.lower() in mail.addresses
        or (mail.handles and _called(person, mail.handles))
    ]
    bearers = Counter(form_of(person.name) for person in people) if mentioned else Counter()
    return tuple(
        str(person.name) if bearers[form_of(person.name)] == 1 else person.email
        for person in mentioned
        if not _is(person, sender)
    )


def _named_in(passages: Sequence[Sequence[Word]], people: Sequence[Person]) -> frozenset[str]:
    """Return the ids of the people whom the words name."""
    known = KnownNames.of(tuple(people))
    named: set[str] = set()
    for words in passages:
        found = list(known.in_words(words))
        capitals = any(word.shown[:1].isupper() for word in words)
        named.update(name.person for name in found if name.titled or (name.whole and (name.capital or not capitals)))
        named |= wishes_among(words, found).asked
    return frozenset(named)


def _is(person: Person, sender: Address | None) -> bool:
    """Tell whether the person is the sender, whose name stands in the signature."""
    if sender is None:
        return False
    return form_of(person.name) == form_of(sender.name) or (
        bool(person.email) and person.email.lower() == sender.address
    )


def _called(person: Person, handles: frozenset[str]) -> bool:
    """Tell whether an @handle is the user name, the address before the @, or the joined name."""
    name = form_of(person.name)
    whole = {joint.join(name) for joint in ("", ".", "-", "_")} if name[1:] else set()
    return not handles.isdisjoint({plain(person.id), plain(person.email).partition("@")[0], *whole} - {""})
