"""Compares numbers in texts with the names of the project's versions."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.text.word_patterns import levelled

CACHED: Final = 32
SUFFIX: Final = r"(?:[-. ]?(?:snapshot|alpha|beta|rc|sp|hf|lts|ga|final)[-. ]?\d{0,3})?(?![a-z0-9_])"
"""What belongs to a number: `4.2.1-rc1`. For levelled text."""
_IN_NAME: Final = re.compile(rf"(?<![a-z0-9.])(?:v[. ]?)?(?P<number>\d{{1,6}}(?:\.\d{{1,6}}){{0,3}}){SUFFIX}")


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A version of the project."""

    name: str
    number: str
    """With what belongs to it: `4.2.1-rc1` without signs."""
    words: frozenset[str]
    """Other words of its name: `Mobile 4.2` is one of several products."""


@lru_cache(maxsize=CACHED)
def known_versions(versions: tuple[str, ...]) -> tuple[KnownVersion, ...]:
    """Return the versions that can be named by a number."""
    return tuple(one for name in versions if (one := _parsed(name)))


def _parsed(name: str) -> KnownVersion | None:
    """Return a version with exactly one number in its name; `Next` and `2024 to 2026` name nothing by number."""
    found = _number_in(name)
    if found is None:
        return None
    low = levelled(name)
    rest = f"{low[: found.start()]} {low[found.end() :]}"
    general = _general()
    words = frozenset(word for word in re.findall(r"\w+", rest) if word not in general)
    return KnownVersion(name, normal(found[0]), words)


def _number_in(name: str) -> re.Match[str] | None:
    found = list(_IN_NAME.finditer(levelled(name)))
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=1)
def _general() -> frozenset[str]:
    """Return the words for a version in all languages: `Release 4.2` is just 4.2."""
    return frozenset(levelled(noun) for noun in word_lists()["version.nouns"])


def normal(number: str) -> str:
    """Return a number without sign and `v`: `v4.2.1-RC1` is `4.2.1rc1`."""
    found = _IN_NAME.search(number)
    digits = found["number"] if found else number
    suffix = number[number.index(digits) + len(digits) :]
    return _plain(digits) + re.sub(r"[^a-z0-9]|ga|final", "", suffix)


def _plain(digits: str) -> str:
    return ".".join(str(int(part)) for part in digits.split("."))


def _trimmed(digits: str) -> str:
    """Return a number without zeros at its end: 2.3.0 is 2.3."""
    return re.sub(r"(?:\.0)+$", "", _plain(digits))


def meant(number: str, known: Sequence[KnownVersion], words: AbstractSet[str]) -> tuple[str, ...]:
    """Return the versions that a number may be; of several products' those that the words of the text name."""
    same = [one for one in known if one.number == number]
    if not same:
        trimmed = re.sub(r"(?:\.0)+$", "", number)
        same = [one for one in known if re.sub(r"(?:\.0)+$", "", one.number) == trimmed]
        if any(one.number.startswith(f"{number}.") and one not in same for one in known):
            return ()  # `2.3` of a project with 2.3.0 and 2.3.1 is the series
    named = [one for one in same if one.words and one.words <= words]
    bare = [one for one in same if not one.words]
    return tuple(one.name for one in (named or bare or same))


def meant_surely(names: Sequence[str], known: Sequence[KnownVersion], words: AbstractSet[str]) -> bool:
    """Tell whether these are one version, all of whose name is in the text: `Mobile 4.2` may be another one's 4.2."""
    return len(names) == 1 and any(one.name == names[0] and one.words <= words for one in known)


def named_anywhere(text: str, versions: Sequence[str]) -> frozenset[str]:
    """Return the versions whose name or number stands somewhere in a text, whatever is said of it."""
    low = levelled(text)
    numbers = {_trimmed(found["number"]) for found in re.finditer(r"(?P<number>\d+(?:\.\d+)*)", low)}
    return frozenset(
        name
        for name in versions
        if re.search(rf"(?<![\w.]){re.escape(levelled(name))}(?!\w|\.\d)", low)
        or ((found := _number_in(name)) and _trimmed(found["number"]) in numbers)
    )
