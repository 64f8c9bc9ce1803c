"""Takes regular expressions from a configuration, and refuses those that an attacker could make slow."""

import re
from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 200
MOST_REPEATS: Final = 2
"""Open repeats in one pattern: with three, a header of 1,000 characters can take seconds."""
MOST_TIMES: Final = 50
"""`{0,500}` is as good as open."""
COUNTED: Final = re.compile(r"\{(\d*)(,?)(\d*)\}")
REFERENCE: Final = re.compile(r"[1-9]")


@dataclass(slots=True)
class _Group:
    """What a bracket, or the whole pattern, has held so far."""

    repeats: bool = False
    choices: bool = False


@dataclass(slots=True)
class _Scan:
    """One pass over a pattern, character by character; it knows just enough of the syntax to be strict."""

    pattern: str
    at: int = 0
    repeats: int = 0
    groups: list[_Group] = field(default_factory=lambda: [_Group()])
    last: _Group | None = None
    """The group that was closed just now, which a quantifier would repeat."""

    def problem(self) -> str:
        """The first thing that makes the pattern unsafe, empty where there is none."""
        while self.at < len(self.pattern):
            trouble = self._next(self.pattern[self.at])
            if trouble:
                return trouble
        if self.repeats > MOST_REPEATS:
            return f"more than {MOST_REPEATS} open repeats (* + {{n,}}); leave out .* at both ends, it is not needed"
        return ""

    def _next(self, sign: str) -> str:
        if sign in "*+?{":
            return self._quantifier()
        self.at += 1
        self.last = None
        if sign == "\\":
            return self._escape()
        if sign == "[":
            self._character_class()
        elif sign == "(":
            return self._open()
        elif sign == ")":
            self._close()
        elif sign == "|":
            self.groups[-1].choices = True
        return ""

    def _escape(self) -> str:
        escaped = self.pattern[self.at : self.at + 1]
        self.at += 1
        return "back references (\\1) are not supported" if REFERENCE.match(escaped) else ""

    def _character_class(self) -> None:
        """`[]*]` and `[^]*]` hold a bracket and a star."""
        self.at += self.pattern.startswith("^", self.at)
        self.at += self.pattern.startswith("]", self.at)
        while self.at < len(self.pattern) and self.pattern[self.at] != "]":
            self.at += 2 if self.pattern[self.at] == "\\" else 1
        self.at += 1

    def _open(self) -> str:
        if self.pattern.startswith(("?P=", "?("), self.at):
            return "back references and conditions are not supported"
        self.at += self.pattern.startswith("?", self.at)
        self.groups.append(_Group())
        return ""

    def _close(self) -> None:
        inner = self.groups.pop()
        self.groups[-1].repeats |= inner.repeats
        self.groups[-1].choices |= inner.choices
        self.last = inner

    def _quantifier(self) -> str:
        counted = COUNTED.match(self.pattern, self.at)
        sign = self.pattern[self.at]
        if sign == "{" and counted is None:
            self.at += 1
            return ""
        self.at = counted.end() if counted else self.at + 1
        self.at += self.pattern.startswith(("?", "+"), self.at)
        times = _times(sign, counted)
        inner, self.last = self.last, None
        if times > 1 and inner and (inner.repeats or inner.choices):
            return (
                "a repeated group holds a repeat or a choice, such as (a+)+ or (a|b)*; a hostile header could stall it"
            )
        if times > MOST_TIMES:
            self.repeats += 1
        self.groups[-1].repeats |= times > 1
        return ""


def _times(sign: str, counted: re.Match[str] | None) -> float:
    """How often at most."""
    if sign == "?":
        return 1
    if counted is None:
        return float("inf")
    low, comma, high = counted.groups()
    if comma:
        return int(high) if high else float("inf")
    return int(low or 0)


def pattern_of(text: str) -> re.Pattern[str]:
    """The pattern, ignoring case. Raises `ValueError` that says what is wrong with it."""
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST} characters")
    try:
        pattern = re.compile(text, re.IGNORECASE)
    except re.error as e:
        raise ValueError(f"not a regular expression: {e}") from e
    trouble = _Scan(text).problem()
    if trouble:
        raise ValueError(trouble)
    return pattern
