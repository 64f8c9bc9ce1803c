"""Whom and which tickets a text names: hints for the decision, never an authority."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from triage.domain.mail import Address
from triage.domain.tickets import Person
from triage.policy.words import plain, read

ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
HANDLE: Final = re.compile(r"(?<![\w@.])@(\w+(?:[.-]\w+)*)")


def keys_in(text: str, project: str) -> tuple[str, ...]:
    """The ticket keys of our project, in capitals, each once."""
    if not project:
        return ()
    key = re.compile(rf"(?<![\w-]){re.escape(project)}-([1-9][0-9]{{0,8}})(?!\w)", re.IGNORECASE)
    return tuple(dict.fromkeys(f"{project}-{number}" for number in key.findall(text)))


def people_in(text: str, people: Sequence[Person], sender: Address | None = None) -> tuple[str, ...]:
    """The known people the text names, by name where only one bears it, else by address; never the sender.

    A mention is a full name, an e-mail address or an @handle; a first name alone could be anybody.
    """
    bearers = Counter(_folded(person.name) for person in people)
    said = " " + " ".join(word.plain for word in read(text).words) + " "
    addresses = {found.lower() for found in ADDRESS.findall(text)}
    handles = {plain(found) for found in HANDLE.findall(text)}
    return tuple(
        str(person.name) if bearers[_folded(person.name)] == 1 else person.email
        for person in people
        if not _is(person, sender)
        and (
            (bearers[_folded(person.name)] == 1 and _named(person, said))
            or person.email.lower() in addresses
            or not handles.isdisjoint(_handles(person))
        )
    )


def _folded(name: str) -> str:
    return " ".join(plain(name).replace(",", " ").split())


def _is(person: Person, sender: Address | None) -> bool:
    """The sender's own signature is no mention."""
    if sender is None:
        return False
    same_address = bool(person.email) and person.email.lower() == sender.address
    return same_address or _folded(person.name) == _folded(sender.name)


def _named(person: Person, said: str) -> bool:
    """First and last name, or last name first."""
    parts = [word.plain for word in read(person.name).words]
    if not parts[1:]:
        return False
    return any(f" {' '.join(order)} " in said for order in (parts, [*parts[1:], parts[0]], [parts[-1], *parts[:-1]]))


def _handles(person: Person) -> Iterable[str]:
    """What an @handle of this person may look like: the user name, the address before the @, the name run together."""
    parts = [word.plain for word in read(person.name).words]
    joined = {"".join(parts), ".".join(parts), "-".join(parts), "_".join(parts)} if len(parts) > 1 else set()
    return {plain(person.id), plain(person.email).partition("@")[0], *joined} - {""}
