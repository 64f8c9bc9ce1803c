"""Reads the word lists of `triage/words/`, one TOML file per language, and reports every fault in them at once."""

import marshal
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from triage.domain.errors import SettingsInvalid
from triage.domain.text.encoding import not_utf8

FOLDER: Final = Path(__file__).parents[1] / "words"
SECTIONS: Final = "sections.toml"
"""Names every list and the kind of its entries."""
TECHNOLOGIES: Final = "technologies.toml"
CODE: Final = re.compile(r"[a-z]{2,3}")
"""A file's name: the code of its language (ISO 639), or `any`."""
NAME_WORDS: Final = 4
"""Most words of a technology's name that the policy looks for."""
ALIAS: Final = re.compile(rf"(?:… )?[^\s*…#]+#?(?: [^\s*…#]+#?){{0,{NAME_WORDS - 1}}}(?: #)?")
"""A technology's name as `technologies.toml` lists it; its head explains the signs."""

ENTRIES: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "word": (re.compile(r"[^\s*…]+"), "write one word, without blanks, * and …"),
    "text": (re.compile(r"[^*…]+"), "write it without * and …"),
    "stem": (re.compile(r"[^*…]+\*?"), "write * at the end alone, and no …"),
    "pair": (
        re.compile(r"[^*…=/]+\*?(?:/[^*…=/]+\*?)* = [^*…=/]+(?:/[^*…=/]+)*"),
        "write words, each with * at its end alone, / between them, then ` = ` and English words with / between",
    ),
    "phrase": (
        re.compile(r"(?:\w[\w']{2,}\*|[\w']+)(?: (?:\*|…|[\w']+\*?))*(?<!…)"),
        "write letters, digits and ', one blank between words (e mail, not e-mail), … between words, * behind 3 letters",
    ),
}
"""Kind → pattern of its entries, and the advice for a wrong one. `pattern` entries are compiled instead."""
PATTERN_SHAPE: Final = "write patterns one per line between [ and ], each in '…' with a comma behind it"
WORD_SHAPE: Final = "write words between ''' and ''', with commas between them"


@dataclass(frozen=True, slots=True)
class WordLists:
    """The entries of every list, all languages together."""

    languages: tuple[str, ...]
    lists: Mapping[str, tuple[str, ...]]
    """`topic.list` → entries as written."""
    patterns: frozenset[str]
    """Names of the lists whose entries are regular expressions."""
    technologies: Mapping[str, str]
    """Name as it is listed in `technologies.toml` → the technology."""
    by_language: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Code of a language → its own entries, for what may not mix words of two languages."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Code of a language → its English name."""

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self.lists[name]

    def of(self, language: str, name: str) -> tuple[str, ...]:
        """Return one language's entries of a list; none where it lacks the list."""
        return self.by_language.get(language, {}).get(name, ())

    def alternatives(self, *names: str) -> str:
        """Return a regular expression for any entry of these lists; a word's final `*` matches any ending."""
        words = {entry for name in names if name not in self.patterns for entry in self[name]}
        longest_first = sorted(words, key=lambda entry: (-len(entry), entry))
        patterns = [entry for name in names if name in self.patterns for entry in self[name]]
        return f"(?:{'|'.join((*map(_expression, longest_first), *patterns))})"


def _expression(entry: str) -> str:
    return re.escape(entry[:-1]) + r"\w*" if entry.endswith("*") else re.escape(entry)


@cache
def word_lists() -> WordLists:
    """Return the lists of `triage/words/`, read once per process. Raises `SettingsInvalid`."""
    return kept_lists(FOLDER)


def kept_lists(folder: Path, *, write: bool = False) -> WordLists:
    """Return a folder's lists as they were read last, while no file has changed since; else read and keep them.

    Reading and checking takes a seventh of a second, which each command and each reader of mail would pay. They are kept as
    Python keeps bytecode: beside the files, for this version of Python and of this module, and by nobody who may not write there.
    With `write` also where Python is told to write no bytecode, as `compileall` does.
    """
    kept = folder / "__pycache__" / f"word_lists.{sys.implementation.cache_tag}.marshal"
    files = [*sorted(folder.glob("*.toml")), Path(__file__)]
    known = [(file.name, file.stat()) for file in files]
    state = [(name, status.st_size, int(status.st_mtime)) for name, status in known]
    with suppress(OSError, EOFError, LookupError, TypeError, ValueError):
        found = marshal.loads(kept.read_bytes())  # noqa: S302 - written by whoever may write our bytecode
        if found[0] == state:
            return _lists_of(*found[1:])
    lists = read_lists(folder)
    if write or not sys.dont_write_bytecode:
        with suppress(OSError):
            _keep(kept, [state, *_parts_of(lists)])
    return lists


def _parts_of(lists: WordLists) -> list[Any]:
    return [
        lists.languages,
        dict(lists.lists),
        lists.patterns,
        {code: dict(own) for code, own in lists.by_language.items()},
        dict(lists.technologies),
        dict(lists.names),
    ]


def _lists_of(
    languages: tuple[str, ...],
    lists: Mapping[str, tuple[str, ...]],
    patterns: frozenset[str],
    by_language: Mapping[str, Mapping[str, tuple[str, ...]]],
    technologies: Mapping[str, str],
    names: Mapping[str, str],
) -> WordLists:
    return WordLists(languages, lists, patterns, technologies, by_language, names)


def _keep(path: Path, parts: list[Any]) -> None:
    """Write the file whole or not at all; processes that start together write the same."""
    path.parent.mkdir(exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(marshal.dumps(parts))
    part.replace(path)


def read_lists(folder: Path) -> WordLists:
    """Read a folder's lists. Raises `SettingsInvalid` that names each fault with file, list and cure."""
    reader = _Reader(folder)
    read = reader.all()
    if reader.problems:
        raise SettingsInvalid(tuple(reader.problems))
    return read


@dataclass(slots=True)
class _Reader:
    """Reads the files and collects their faults."""

    folder: Path
    problems: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def all(self) -> WordLists:
        kinds = self._kinds()
        lists: dict[str, list[str]] = {name: [] for name in kinds}
        languages: dict[str, dict[str, tuple[str, ...]]] = {}
        for path in sorted(self.folder.glob("*.toml")):
            if path.name not in {SECTIONS, TECHNOLOGIES}:
                languages[path.stem] = {name: tuple(own) for name, own in self._language(path, kinds)}
                for name, own in languages[path.stem].items():
                    lists[name].extend(own)
        return WordLists(
            languages=tuple(languages),
            by_language=languages,
            names=self.names,
            lists={name: tuple(dict.fromkeys(entries)) for name, entries in lists.items()},
            patterns=frozenset(name for name, kind in kinds.items() if kind == "pattern"),
            technologies=self._technologies(),
        )

    def _add_problem(self, file: str, where: str, problem: str) -> None:
        self.problems.append(f"{self.folder.name}/{file}{', ' if where else ''}{where}: {problem}")

    def _toml(self, file: str) -> dict[str, Any]:
        try:
            return tomllib.loads((self.folder / file).read_text("utf-8"))
        except UnicodeDecodeError as e:
            self._add_problem(file, "", not_utf8(e))
        except OSError as e:
            self._add_problem(file, "", f"cannot be read: {e}")
        except tomllib.TOMLDecodeError as e:
            self._add_problem(
                file, "", f"{e}: close each list that opens with ''' or [ in the same way; README.md has a sample"
            )
        return {}

    def _kinds(self) -> dict[str, str]:
        """Read the kind of every list's entries from `sections.toml`."""
        tables = self._toml(SECTIONS).items()
        return {f"{topic}.{name}": row.partition(":")[0] for topic, rows in tables for name, row in rows.items()}

    def _language(self, path: Path, kinds: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
        """Yield one language's known lists."""
        tables = self._toml(path.name)
        if not CODE.fullmatch(path.stem):
            self._add_problem(path.name, "", "name the file by the code of its language, such as nl.toml")
        name = tables.pop("language", None)
        if isinstance(name, str):
            self.names[path.stem] = name
        elif tables or name is not None:
            self._add_problem(path.name, "", 'the first line must name the language: language = "Dutch"')
        for topic, rows in tables.items():
            if not isinstance(rows, dict):
                self._add_problem(
                    path.name, topic, "stands in front of the first section: put it below a line such as [reply]"
                )
                continue
            for row, value in rows.items():
                name = f"{topic}.{row}"
                if name in kinds:
                    yield name, list(self._entries(path.name, name, kinds[name], value))
                else:
                    self._add_problem(
                        path.name, name, f"there is no such list: {_nearest(name, kinds)}{SECTIONS} has all"
                    )

    def _entries(self, file: str, name: str, kind: str, value: object) -> Iterator[str]:
        """Yield the valid entries of one list; report the others."""
        entries = self._parted(file, name, kind, value)
        for twice in [entry for entry, often in Counter(entries).items() if often > 1]:
            self._add_problem(file, name, f"{twice!r} stands twice: delete one")
        for entry in entries:
            problem = _fault(kind, entry)
            if problem:
                self._add_problem(file, name, f"{entry!r}: {problem}" if entry else problem)
            else:
                yield entry

    def _parted(self, file: str, name: str, kind: str, value: object) -> list[str]:
        """Split a list into entries: an array of patterns, else a text with commas and line ends between words."""
        if kind == "pattern" and isinstance(value, list) and all(isinstance(one, str) for one in value):
            entries = value
        elif kind != "pattern" and isinstance(value, str):
            lines = [line.strip().removesuffix(",") for line in value.strip().splitlines()]
            entries = [entry.strip() for line in lines for entry in line.split(",")]
        else:
            self._add_problem(file, name, PATTERN_SHAPE if kind == "pattern" else WORD_SHAPE)
            return []
        if not entries:
            self._add_problem(file, name, "an empty list: add entries or delete it")
        return entries

    def _technologies(self) -> dict[str, str]:
        names: dict[str, str] = self._toml(TECHNOLOGIES).get("names", {})
        aliases: dict[str, str] = {}
        for name, spellings in names.items():
            for alias in self._parted(TECHNOLOGIES, name, "text", spellings):
                if alias in aliases:
                    self._add_problem(TECHNOLOGIES, name, f"{alias!r} is a name of {aliases[alias]}, too: delete one")
                if not ALIAS.fullmatch(alias):
                    self._add_problem(
                        TECHNOLOGIES, name, f"{alias!r}: write one to {NAME_WORDS} words, `… ` in front or ` #` behind"
                    )
                aliases[alias] = name
        return aliases


def _fault(kind: str, entry: str) -> str:
    """Describe an entry's fault and its cure; empty if it is valid."""
    if not entry:
        return "an empty entry: delete one of two commas"
    if kind != "pattern":
        shape, cure = ENTRIES[kind]
        return "" if shape.fullmatch(entry) else cure
    try:
        re.compile(entry)
    except re.error as e:
        return f"no regular expression ({e}): put \\ before a sign of . ? * + ( ) [ ] that means itself"
    return ""


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a fault needs it

    near = get_close_matches(name, list(known), 1)
    return f"did you mean {near[0]}? " if near else ""
