"""Parses Authentication-Results headers (RFC 8601); a malformed one counts as absent."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 20_000
"""Characters of a field that are parsed; a longer one is not believed."""

_PAIR: Final = re.compile(r'\s*([A-Za-z0-9_.-]+)(?:\s*/\s*[0-9]+)?\s*=\s*((?:"(?:[^"\\]|\\.)*"|[^\s"])+)(?=\s|$)')
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SERVER: Final = re.compile(r"\s*([^\s=]+)(?:\s+[0-9]+)?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one check."""

    method: str
    """spf, dkim, dmarc, … in lower case."""
    value: str
    """pass, fail, none, … in lower case."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """Such as `header.from`; of two with the same name, the first counts."""

    def domain(self, name: str) -> str:
        """Return the domain of a property, empty if it is neither a domain nor an address."""
        return self.properties.get(name, "").strip("<>").rpartition("@")[2].rstrip(".").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One Authentication-Results field."""

    server: str
    """The authserv-id in lower case; Microsoft 365 writes none."""
    results: tuple[Result, ...]


def results_of(value: str) -> Results | None:
    """Parse a field in linear time; None if it is malformed."""
    segments = _segments(value) if len(value) <= LONGEST else None
    if not segments:
        return None
    named = _SERVER.fullmatch(segments[0])
    parts = segments[1:] if named else segments
    if named is None and "=" not in segments[0]:
        return None
    results = tuple(result for segment in parts if (result := _result(segment)))
    return Results(server=_plain(named[1]).lower() if named else "", results=results)


def _segments(text: str) -> list[str] | None:
    """Split at semicolons outside quotes and comments; None where one of these does not end.

    The sender can choose a text with semicolons for both, so that the letters are read one by one.
    """
    parts, depth, quoted, escaped = [[]], 0, False, False  # type: list[list[str]], int, bool, bool
    for letter in text:
        if escaped:
            escaped = False
        elif letter == "\\" and (quoted or depth):
            escaped = True
        elif letter == '"' and not depth:
            quoted = not quoted
        elif letter == "(" and not quoted:
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
            letter = " "  # noqa: PLW2901 - a comment stands for a blank
        elif letter == ";" and not quoted and not depth:
            parts.append([])
            continue
        if not depth:
            parts[-1].append(letter)
    return None if quoted or depth or escaped else ["".join(part) for part in parts]


def _result(segment: str) -> Result | None:
    """Parse `method=value` and its properties; None where anything else stands between them."""
    pairs = list(_pairs(segment))
    if not pairs or None in pairs:
        return None
    (method, value), *rest = [pair for pair in pairs if pair]
    return Result(method=method, value=value.lower(), properties=dict(reversed(rest)))


def _pairs(segment: str) -> Iterator[tuple[str, str] | None]:
    """Yield names in lower case with their values, None for text that is no pair."""
    at = 0
    while segment[at:].strip():
        pair = _PAIR.match(segment, at)
        if pair is None:
            yield None
            return
        yield pair[1].lower(), _plain(pair[2])
        at = pair.end()


def _plain(word: str) -> str:
    """Remove quotes."""
    return _QUOTED.sub(lambda found: re.sub(r"\\(.)", r"\1", found[1]), word)
