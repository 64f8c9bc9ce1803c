"""Compiles regular expressions of the configuration, and refuses those with exponential run time.

Python's engine backtracks: it tries every choice that a pattern leaves. This module counts the choices: `*` has 1,000,
`?` has two, `(a|b)` has two, they multiply, and the search starts at 1,000 places unless the pattern begins with `^`.
"""

import re
from dataclasses import dataclass
from math import log10
from typing import Final

LONGEST: Final = 200
TEXT: Final = 1_000
"""Characters of a header that are matched."""
BUDGET: Final = 6.5
"""Most choices as a power of ten: the worst pattern of so many cost 46 ms on a header of 1,000 characters, on a busy machine; 50 are allowed."""
GROUP: Final = 0.7
"""What a repeated group with choices adds: each try of it was measured to cost five times that of a character."""
COUNTED: Final = re.compile(r"\{(\d*)(,?)(\d*)\}")
GROUPS: Final = re.compile(r"\?(?::|=|!|<=|<!|>|P<\w+>)")
REFERENCES: Final = frozenset("123456789")
NESTED: Final = (
    "a repeat of something that itself has choices, such as (a+)+ or (a|b)*, could stall on a hostile header"
)
TOO_MANY: Final = (
    "too many choices; leave out .* at both ends, begin with ^, and keep to one open repeat (* +), two after ^"
)


def pattern_of(text: str) -> re.Pattern[str]:
    """Compile a pattern that ignores case, for `search`. Raises `ValueError` that says what is wrong with it."""
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST} characters")
    try:
        pattern = re.compile(text, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as e:
        raise ValueError(
            f"not a regular expression: {e}; a sign that is meant as it stands needs a \\ before it"
        ) from e
    counter = _Counter(text)
    choices = counter.branches()
    if not (text.startswith("^") and counter.single):
        choices += log10(TEXT)
    if choices > BUDGET:
        raise ValueError(TOO_MANY)
    return pattern


@dataclass(slots=True)
class _Counter:
    """Counts the choices of a valid pattern, as powers of ten."""

    text: str
    at: int = 0
    single: bool = True
    """No `|` is at the top level, so that a leading `^` applies to the whole pattern."""

    def branches(self, depth: int = 0) -> float:
        """Count up to the closing bracket or the end."""
        totals = [self._sequence(depth)]
        while self._takes("|"):
            totals.append(self._sequence(depth))
        self.single = self.single and not (depth == 0 and totals[1:])
        return log10(sum(10 ** min(total, 2 * BUDGET) for total in totals))

    def _sequence(self, depth: int) -> float:
        total = 0.0
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            total += self._repeated(self._atom(depth))
        return total

    def _atom(self, depth: int) -> float:
        """Count the choices within one item that a quantifier can repeat."""
        sign = self.text[self.at]
        self.at += 1
        if sign == "(":
            return self._group(depth)
        if sign == "[":
            self._character_class()
        elif sign == "\\":
            if self.text[self.at] in REFERENCES:
                raise ValueError("back references are not supported")
            self.at += 1
        return 0.0

    def _group(self, depth: int) -> float:
        if self.text[self.at] == "?":
            kind = GROUPS.match(self.text, self.at)
            if kind is None:
                raise ValueError("of the extensions only (?:…), (?P<name>…) and looking around are supported")
            self.at = kind.end()
        inner = self.branches(depth + 1)
        self.at += 1
        return inner

    def _character_class(self) -> None:
        """Skip a character class; `[]*]` and `[^]*]` contain a bracket and a star."""
        self._takes("^")
        self._takes("]")
        while self.text[self.at] != "]":
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def _repeated(self, inner: float) -> float:
        """Multiply by the quantifier that follows, if there is one."""
        least, most = self._times()
        if most is None:
            if inner:
                raise ValueError(NESTED)
            return log10(TEXT)
        return inner * most + (GROUP if inner and most > 1 else 0) + log10(max(1, most - least + 1))

    def _times(self) -> tuple[int, int | None]:
        """Return the least and the most repeats of the quantifier; None means no limit."""
        counted = COUNTED.match(self.text, self.at)
        sign = self.text[self.at : self.at + 1]
        if sign in {"*", "+", "?"}:
            self.at += 1
            times: tuple[int, int | None] = (0, 1) if sign == "?" else (0, None)
        elif counted and counted.group() != "{}":
            self.at = counted.end()
            least, comma, most = counted.groups()
            times = int(least or 0), int(most) if most else (None if comma else int(least))
        else:
            return 1, 1
        if not self._takes("?"):
            self._takes("+")
        return times

    def _takes(self, sign: str) -> bool:
        taken = self.text.startswith(sign, self.at)
        self.at += taken
        return taken
