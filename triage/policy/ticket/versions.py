"""Reads which of the project's versions a mail says to have the fault; a version that is not surely meant is not taken.

A number counts where the project has exactly one version of it, and where the mail says that it is a version of ours:
by a word for it (`version 2.3`), by the product's name, or by `since 4.2.1`. Browsers, systems and other programs have
versions, too (decision 285).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.cases import Case
from triage.domain.tickets import Project
from triage.policy.cues.language import language_of
from triage.policy.text.sentences import read
from triage.policy.text.technologies import technologies_in
from triage.policy.text.word_patterns import any_of, levelled
from triage.policy.ticket.text.draft import words_of
from triage.policy.ticket.version_names import SUFFIX, KnownVersion, known_versions, meant, meant_surely, normal

BUG: Final = "bug"
LONGEST_TEXT: Final = 8_000
MOST: Final = 5
"""Versions that one mail can name."""
REACH: Final = 60
"""Characters before a number in which the words that tell what it is stand."""
JOINED: Final = 14
"""Most characters between two versions of one list: `4.2.0, 4.2.1 and 4.2.2`."""
SHORT_CLAUSE: Final = 4
"""Most words of a clause that says nothing by itself: `In 4.2.0, it worked`."""
LONGEST_DAY: Final = 31
OURS_FROM: Final = 4
"""Letters of a word of the project's or a component's name that stands for the product."""
CACHED: Final = 32

_NUMBER: Final = re.compile(
    rf"(?<![a-z0-9_./,@#$€£-])(?P<v>v[. ]?)?(?P<number>\d{{1,6}}(?:\.\d{{1,6}}){{0,3}}){SUFFIX}(?![.,:/-]\d)(?! ?[%€°])(?!@)"
)
_CLAUSE_END: Final = re.compile(r"[,;!?()\n]|[.](?=\s|$)|\s[-\u2013\u2014]\s|[\u3001\u3002\uff0c\uff1b]")
_SENTENCE_END: Final = re.compile(r"[;!?\n]|[.](?=\s|$)|[\u3002\uff1b]")
_LISTED: Final = re.compile(r"\d(?:,|\s?[&/+]|,?\s[^\W\d_]{1,4})\s$")
"""Before a number that goes on a list of versions: `in 4.2.0 and 4.2.1`."""
_BETWEEN: Final = r"[\s:=#|*_(\[-]{0,4}"
"""What may stand between a word for a version and its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedVersion:
    """A version of the project that a mail names, with the mail's words."""

    name: str
    """As Jira writes it."""
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsNamed:
    """The project's versions that a mail names."""

    affected: tuple[NamedVersion, ...] = ()
    """It says that they have the fault."""
    unsure: tuple[NamedVersion, ...] = ()
    """They may be meant, or may be another product's; a person looks. Empty where some are surely affected."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.affected)


class _Claim(Enum):
    """What a mail says about a version."""

    AFFECTED = auto()
    SPARED = auto()
    """It does not have the fault."""
    UNSURE = auto()


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    """Where the words begin that make it a version."""
    end: int
    versions: tuple[str, ...]
    """The project's versions that it may be."""
    claim: _Claim


def versions_of(case: Case, project: Project) -> VersionsNamed:
    """Return which versions of the project a bug report names; a wish or a question is about no version's fault."""
    if case.cues.type.value != BUG or not project.versions:
        return VersionsNamed()
    return versions_in(versioned_text(case), project.versions, product_names(project))


def versioned_text(case: Case) -> str:
    """Return the text in which a mail may name a version."""
    return f"{' '.join(case.own_subject.split())}\n{words_of(case.mail)}"


def product_names(project: Project) -> tuple[str, ...]:
    """Return the names that stand for our product before the number of a version."""
    return (project.name, *project.components)


def versions_in(text: str, versions: Sequence[str], ours: Iterable[str] = ()) -> VersionsNamed:
    """Return which of these versions a text names; its first line is the subject. `ours` are names of our products."""
    text = text[:LONGEST_TEXT]
    known = known_versions(tuple(versions))
    if not known or not any(c.isdigit() for c in text):
        return VersionsNamed()
    return _concluded(text, list(_Reader(text, known, _words_of_names(ours)).mentions()))


def _concluded(text: str, mentions: list[_Mention]) -> VersionsNamed:
    """Take what is surely affected: one version, or several in one list."""
    sure = [one for one in mentions if one.claim is _Claim.AFFECTED and len(one.versions) == 1]
    spared = {name for one in mentions if one.claim is _Claim.SPARED for name in one.versions}
    names = dict.fromkeys(one.versions[0] for one in sure)
    if names and spared.isdisjoint(names) and (len(names) == 1 or _one_list(text, sure)):
        return VersionsNamed(affected=_named(text, sure)[:MOST])
    doubtful = [one for one in mentions if one.claim is not _Claim.SPARED]
    return VersionsNamed(unsure=_named(text, doubtful)[:MOST])


def _named(text: str, mentions: Iterable[_Mention]) -> tuple[NamedVersion, ...]:
    found: dict[str, NamedVersion] = {}
    for one in mentions:
        for name in one.versions:
            found.setdefault(name, NamedVersion(name=name, evidence=" ".join(text[one.start : one.end].split())))
    return tuple(found.values())


def _one_list(text: str, mentions: Sequence[_Mention]) -> bool:
    """Tell whether the first mentions of several versions stand in one list."""
    first = {one.versions[0]: one for one in reversed(mentions)}
    ordered = sorted(first.values(), key=lambda one: one.end)
    gaps = [text[before.end : after.end] for before, after in pairwise(ordered)]
    return all(len(gap) <= JOINED + len("2026.10") and not _SENTENCE_END.search(gap) for gap in gaps)


def _words_of_names(names: Iterable[str]) -> tuple[str, ...]:
    words = (word for name in names for word in re.findall(r"[^\W\d_]+", levelled(name)))
    return tuple(sorted({word for word in words if len(word) >= OURS_FROM}))


# --- the mail's words -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    """The expressions of some languages, for levelled text."""

    noun: re.Pattern[str]
    since: re.Pattern[str]
    begun: re.Pattern[str]
    """Since, with or without a noun, in every language."""
    lead: re.Pattern[str]
    behind: re.Pattern[str]
    noun_behind: re.Pattern[str]
    of: re.Pattern[str]
    until: re.Pattern[str]
    other: re.Pattern[str]
    denied: re.Pattern[str]
    spared: re.Pattern[str]
    contrast: re.Pattern[str]


@lru_cache(maxsize=CACHED)
def _words(codes: tuple[str, ...]) -> _Words:
    lists = word_lists()

    def entries(name: str) -> list[str]:
        return [entry for code in codes for entry in lists.of(code, name)]

    def any_in(*names: str) -> str:
        return any_of(entry for name in names for entry in entries(name))

    nouns = any_in("version.nouns")
    denial = any_in("negation.words")
    return _Words(
        noun=re.compile(rf"{nouns}{_BETWEEN}$"),
        since=re.compile(rf"{any_in('version.since')}\s*$"),
        begun=re.compile(rf"{any_in('version.since', 'said.since')}\s*(?:{nouns}{_BETWEEN})?$"),
        lead=re.compile(rf"{any_in('version.leads')}\s*$"),
        behind=re.compile(rf"\s?{_or_nothing(entries('version.behind'))}"),
        noun_behind=re.compile(rf"[\s-]?{nouns}"),
        of=re.compile(rf"\s{any_in('version.of')}\s(\S+)"),
        until=re.compile(rf"{any_in('version.until')}\s*(?:{nouns}{_BETWEEN})?$"),
        other=re.compile(rf"{any_in('version.others')}[\s:-]*$"),
        denied=re.compile(rf"{denial}\s+{any_in('version.leads', 'version.since')}\s*(?:{nouns}{_BETWEEN})?$"),
        spared=re.compile("|".join(entries("version.spared_patterns")) or r"(?!)"),
        contrast=re.compile(any_in("sentence.contrasts")),
    )


def _or_nothing(entries: Sequence[str]) -> str:
    """Return an expression for any of these words, whatever follows them: endings stand there without blanks."""
    return f"(?:{'|'.join(re.escape(levelled(entry)) for entry in entries)})" if entries else r"(?!)"


class _Reader:
    """Finds the mentions of versions in one text."""

    def __init__(self, text: str, known: Sequence[KnownVersion], ours: Sequence[str]) -> None:
        self._text = text
        self._low = levelled(text)
        self._known = known
        self._words_there = frozenset(re.findall(r"\w+", self._low)) | frozenset(ours)
        self._ours = re.compile(rf"\b(?:{'|'.join(ours)})\s*$") if ours else None

    @cached_property
    def _words(self) -> _Words:
        return _words(language_of(read(self._text).words).codes)

    def mentions(self) -> Iterator[_Mention]:
        """Yield the mentions of the project's versions, in the order of the text."""
        last: _Mention | None = None
        for found in _NUMBER.finditer(self._low):
            start, end = found.span()
            versions = () if self._goes_on(end) else meant(normal(found[0]), self._known, self._words_there)
            begins = self._begins(found) if versions else None
            if begins is not None and meant_surely(versions, self._known, self._words_there):
                last = _Mention(begins, end, versions, self._claim(found, begins, last))
                yield last
            elif versions and (begins is not None or _is_telling(found["number"])):
                yield _Mention(start if begins is None else begins, end, versions, _Claim.UNSURE)

    def _goes_on(self, end: int) -> bool:
        """Tell whether a number is a part of a longer name: `3.0.0-M7`, `4.2.1.v2013`, `3.4+`."""
        return bool(re.match(r"[-.+]\w|\+", self._low[end : end + 2])) and not self._words.noun_behind.match(
            self._low, end
        )

    def _begins(self, found: re.Match[str]) -> int | None:
        """Return where the words begin that make a number a version of ours; None if nothing does."""
        words, start = self._words, found.start()
        before, low = self._before(start), max(0, start - REACH)
        if (of := words.of.match(self._text, found.end())) and technologies_in(f"{of[1]} 1.0"):
            return None
        if noun := words.noun.search(before):
            return self._ours_at(low + noun.start())
        if found["v"] or words.noun_behind.match(self._low, found.end()):
            return self._ours_at(start)
        if self._ours and (name := self._ours.search(before)):
            return low + name.start()
        if since := words.since.search(before):
            return low + since.start() if "." in found["number"] else None
        return self._led(found) if _is_telling(found["number"]) and not _is_day(found["number"]) else None

    def _led(self, found: re.Match[str]) -> int | None:
        """Return where the preposition of a whole number of a version begins: `in 4.2.1`."""
        start = found.start()
        if self._words.behind.match(self._low, found.end()):
            return start
        if _LISTED.search(self._low[max(0, start - JOINED) : start]):
            return self._ours_at(start)
        lead = self._words.lead.search(self._before(start))
        return self._ours_at(max(0, start - REACH) + lead.start()) if lead else None

    def _before(self, at: int) -> str:
        return self._low[max(0, at - REACH) : at]

    def _ours_at(self, at: int) -> int | None:
        """Return the place, unless the word before it is another product or part of a computer: `Chrome version 120`."""
        words = re.split(r"[.,;:!?()\n]", self._text[max(0, at - REACH) : at])[-1].split()[-2:]
        if self._words.other.search(self._before(at)):
            return None
        return None if technologies_in(" ".join(words[-1:]), f"{' '.join(words)} 1.0") else at

    def _claim(self, found: re.Match[str], begins: int, last: _Mention | None) -> _Claim:
        """Tell what a mail says about a version."""
        words, before = self._words, self._before(found.start())
        if words.begun.search(before):
            return _Claim.AFFECTED
        if words.until.search(before):
            return _Claim.SPARED
        if words.denied.search(before):
            same = last is not None and not _SENTENCE_END.search(self._low[last.end : begins])
            return _Claim.AFFECTED if same and last is not None and last.claim is _Claim.SPARED else _Claim.SPARED
        return _Claim.SPARED if words.spared.search(self._clause(begins, found.end())) else _Claim.AFFECTED

    def _clause(self, start: int, end: int) -> str:
        """Return the clause around a mention, with the next one if it says nothing by itself."""
        begin = max((cut.end() for cut in self._cuts(0, start)), default=0)
        first = next(self._cuts(end, len(self._low)), None)
        stop = first.start() if first else len(self._low)
        if first and first[0] == "," and len(self._low[begin:stop].split()) <= SHORT_CLAUSE:
            second = next(self._cuts(first.end(), len(self._low)), None)
            stop = second.start() if second else len(self._low)
        return self._low[begin:stop]

    def _cuts(self, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the ends of clauses between two places."""
        part = [*_CLAUSE_END.finditer(self._low, start, end), *self._words.contrast.finditer(self._low, start, end)]
        return iter(sorted(part, key=lambda one: one.start()))


def _is_telling(number: str) -> bool:
    """Tell whether a number is more than a count, a price or a day: three parts, or a year before a dot."""
    parts = number.split(".")
    return len(parts) > 2 or (len(parts) > 1 and int(parts[0]) > LONGEST_DAY)  # noqa: PLR2004 - major, minor, patch


def _is_day(number: str) -> bool:
    """Tell whether a number may be a day: `4.2.26`, `4.2.2026`."""
    parts = [int(part) for part in number.split(".")]
    return (
        len(parts) == 3  # noqa: PLR2004 - day, month, year
        and 1 <= parts[0] <= LONGEST_DAY
        and 1 <= parts[1] <= 12  # noqa: PLR2004 - months
        and (20 <= parts[2] <= 40 or 2000 <= parts[2] <= 2100)  # noqa: PLR2004 - years of mails
    )
