"""Pseudonyms for a recording of Jira: people, projects and words, in the shape of what they stand for."""

import re
from typing import Final
from urllib.parse import urlsplit

from triage.domain.conversation import Json
from triage.domain.text.stand_ins import StandIns

HOST: Final = "jira.example.com"
_SHORTEST_PART: Final = 3
_SHORTEST_LABEL: Final = 4
_COMMON: Final = frozenset({"atlassian", "jira", "localhost", "example", "cloud", "server", "team", "support", "user"})
"""Parts of names that identify nobody."""
_NAMES: Final = ("accountId", "key", "name", "emailAddress", "displayName")
_TELLING: Final = frozenset({"name", "emailAddress", "displayName"})
"""Keys whose values identify a person even in parts."""


class Pseudonyms:
    """Assigns pseudonyms numbered by first occurrence; they are not derived from the originals."""

    def __init__(self) -> None:
        self._stand_ins = StandIns()
        self._people: dict[str, int] = {}
        self._telling: set[str] = set()

    def of(self, kind: str, value: str) -> str:
        """Return the pseudonym of this kind for the value: `Text 3`, `label-1`."""
        return self._stand_ins.of(kind, value, _SHAPES.get(kind, "Text {}").format)

    # --- people ---------------------------------------------------------------------------------

    def register(self, user: Json) -> int:
        """Register a person under all ids and names; return the pseudonym's number."""
        named = _names(user)
        new = len(set(self._people.values())) + 1
        number = next((self._people[name] for name in named.values() if name in self._people), new)
        for key, name in named.items():
            self._people.setdefault(name, number)
            self._telling.add(name.casefold())
            if key in _TELLING:
                self.register_name(name.partition("@")[0])
        return number

    def person(self, user: Json) -> dict[str, str]:
        """Return a pseudonymous user with the same keys."""
        number = self.register(user)
        shown = {
            "accountId": f"account-{number}",
            "key": f"JIRAUSER{10_000 + number}",
            "name": f"person{number}",
            "emailAddress": f"person{number}@example.com",
            "displayName": f"Person {number}",
        }
        return {name: shown[name] for name in _names(user)}

    def number_of(self, name: str) -> int | None:
        """Return the number of the person with this id, name or address, or None."""
        return self._people.get(name)

    # --- projects ---------------------------------------------------------------------------------

    def project(self, key: str) -> str:
        """Return a pseudonymous project key; `PROJ` is the first registered project, the configured one."""
        number = int(self.of("project", key))
        return "PROJ" if number == 1 else f"PROJ{number}"

    def knows_project(self, key: str) -> bool:
        """Tell whether this is the key of a registered project."""
        return key in self._stand_ins.all("project")

    # --- identifying words ------------------------------------------------------------------------

    def register_name(self, name: str) -> None:
        """Register an identifying name: `kept` replaces words that contain it or a part of it."""
        parts = {name, *re.split(r"[\s.,;_@()/-]+", name)}
        self._telling |= {part.casefold() for part in parts if len(part) >= _SHORTEST_PART} - _COMMON

    def register_host(self, url: str) -> None:
        """Register the labels of a host name likewise."""
        labels = (urlsplit(url if "//" in url else f"//{url}").hostname or "").split(".")
        self._telling |= {label for label in labels if len(label) >= _SHORTEST_LABEL} - _COMMON

    def kept(self, word: str) -> str:
        """Return a word of Jira unchanged, or a pseudonym if it contains a name or an address."""
        return self.of("word", word) if self.contains_name(word) or "://" in word or "@" in word else word

    def contains_name(self, text: str) -> bool:
        folded = text.casefold()
        return any(name in folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) for name in self._telling)


def _names(user: Json) -> dict[str, str]:
    """Return the identifying values of a user, by key."""
    return {key: user[key] for key in _NAMES if isinstance(user.get(key), str) and user[key]}


_SHAPES: Final = {
    "project": "{}",
    "word": "Word {}",
    "label": "label-{}",
    "mark": "triage-{:020x}",
    "email": "address{}@example.com",
    "host": "host{}.example.com",
    "file": "file-{}",
    "id": "id-{}",
}
