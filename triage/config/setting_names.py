"""Recognises misspelt names of settings, and settings that were renamed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Final

from dotenv.parser import Binding, parse_stream

from triage.domain.operations.checks import SettingProblem

SUFFIX: Final = "_FILE"
"""Suffix of the variable that names a secret's file."""
COMPOSE: Final = ("COMPOSE_", "DOCKER_")
"""Docker Compose reads the same `.env`; these prefixes belong to it."""
ENVIRONMENT: Final = "environment"
"""Place of a variable that stands in no file."""
ALIKE: Final = 0.5
"""Least similarity, 0 to 1, of a name that a message suggests."""

MEAN_ALIKE: Final = {
    **dict.fromkeys(("URL", "SERVER", "SITE", "ENDPOINT", "ADDRESS", "URI"), "HOST"),
    **dict.fromkeys(("USERNAME", "LOGIN", "EMAIL", "ACCOUNT"), "USER"),
    **dict.fromkeys(("PASS", "PASSWD", "PWD"), "PASSWORD"),
    "KEY": "TOKEN",
}
"""Words of settings that other programs use for the same: JIRA_SERVER is our JIRA_BASE_URL."""
SAY_NOTHING: Final = frozenset({"BASE", "API"})


@dataclass(frozen=True, slots=True)
class SettingNames:
    """Every variable name that Triage knows."""

    settings: frozenset[str]
    secrets: frozenset[str] = frozenset()
    """Settings that may also be read from a file."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old name → current name."""

    @property
    def known(self) -> frozenset[str]:
        """Settings, their `_FILE` variables, and old names."""
        return self.settings | self._files | frozenset(self.old)

    @property
    def _files(self) -> frozenset[str]:
        return frozenset(name + SUFFIX for name in self.secrets)

    @property
    def old(self) -> Mapping[str, str]:
        """Old name → current name, with the `_FILE` variables."""
        files = {old + SUFFIX: new + SUFFIX for old, new in self.renamed.items() if new in self.secrets}
        return {**self.renamed, **files}

    def in_new_words(self, given: Mapping[str, str | None]) -> dict[str, str | None]:
        """Return the variables, names in lower case, with current names added for old ones; a given current name wins."""
        moved = {new.casefold(): given[old.casefold()] for old, new in self.old.items() if old.casefold() in given}
        return moved | dict(given)

    def outdated(self, given: Iterable[str], where: str) -> Iterator[SettingProblem]:
        """Yield a warning for each old name in use."""
        used = {name.upper() for name in given}
        for old in sorted(used & set(self.old)):
            new = self.old[old]
            ignored = f"; it is ignored, since {new} is set, too" if new in used else ""
            yield SettingProblem(old, f"is called {new} now; rename it{ignored}", where)

    def unknown(self, text: str, file: str) -> Iterator[SettingProblem]:
        """Yield a problem for each line of an `.env` that sets no known variable, or one that a line before it sets."""
        before: dict[str, int] = {}
        for number, line in numbered(text):
            where, name = f"{file}, line {number}", (line.key or "").upper()
            if line.error:
                yield SettingProblem(file, "is not NAME=value; correct it, or put a # in front", f"line {number}")
            elif name in self.known and line.value is None:
                yield SettingProblem(name, f"has no =; write {name}=value, or take the line out", where)
            elif name and name not in self.known and not name.startswith(COMPOSE):
                yield SettingProblem(name, f"unknown; {self._cure(name)}", where)
            elif line.value and before.setdefault(name, number) != number:
                yield SettingProblem(name, f"is set in line {before[name]}, too; keep one of them", where)

    def near_misses(self, environment: Iterable[str], given: Iterable[str]) -> Iterator[SettingProblem]:
        """Yield a warning for each unknown environment variable that looks like a misspelt setting.

        `given` are the settings that are set; a name that only shares words with one of them is taken for another
        program's variable.
        """
        names, taken = {name.upper() for name in environment}, {name.upper() for name in given}
        every = self.known
        for name in sorted(names - every):
            if self._of_a_file(name) or any(
                _misspelt(name, known) or (known not in taken and _shortened(name, known)) for known in every
            ):
                yield SettingProblem(name, f"means nothing to Triage; {self._cure(name)}", ENVIRONMENT)

    def _of_a_file(self, name: str) -> bool:
        return name.endswith(SUFFIX) and name.removesuffix(SUFFIX) in self.settings

    def _cure(self, name: str) -> str:
        if self._of_a_file(name):
            return f"only secrets come from files: set {name.removesuffix(SUFFIX)} itself"
        known = nearest(name, self.known)
        return (
            f"did you mean {known}?"
            if known
            else "no setting is like it: take it out (`triage doctor --settings` lists all)"
        )


def numbered(text: str) -> Iterator[tuple[int, Binding]]:
    """Yield what stands in an `.env` with the number of its line."""
    for line in parse_stream(StringIO(text)):
        written = line.original.string
        yield line.original.line + written[: len(written) - len(written.lstrip())].count("\n"), line


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the most similar known name; empty if none is similar enough."""
    best = max(sorted(known), key=lambda known: _likeness(name, known))
    return best if _likeness(name, best) >= ALIKE else ""


def _likeness(name: str, known: str) -> float:
    """Return the similarity, plus 1 if the name is a shortened form of the known one or says it in other words."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - most starts do not need it

    return OSA.normalized_similarity(name, known) + (_shortened(name, known) or _meaning(name) == _meaning(known))


def _meaning(name: str) -> list[str]:
    return [MEAN_ALIKE.get(word, word) for word in name.split("_") if word not in SAY_NOTHING]


def _misspelt(name: str, known: str) -> bool:
    """Tell whether at most two letters differ (one below 10 letters); names below 6 letters never match."""
    most = 2 if len(known) >= 10 else 1 if len(known) >= 6 else 0  # noqa: PLR2004 - letters; 0: never
    # Cheap bounds first, so that most starts do not import rapidfuzz.
    if not most or abs(len(name) - len(known)) > most or len(set(name) ^ set(known)) > 2 * most:
        return False
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - most starts do not need it

    return OSA.distance(name, known, score_cutoff=most) <= most


def _shortened(name: str, known: str) -> bool:
    """Tell whether words are left out or reordered (JIRA_URL, JIRA_TOKEN_API), or the last one is cut."""
    words, all_words = name.split("_"), known.split("_")
    left_out = len(words) > 1 and words[0] == all_words[0] and set(words) <= set(all_words)
    cut = len(words) > 1 and all_words[: len(words) - 1] == words[:-1] and len(words[-1]) > 2  # noqa: PLR2004
    return left_out or (cut and len(words) == len(all_words) and all_words[-1].startswith(words[-1]))
