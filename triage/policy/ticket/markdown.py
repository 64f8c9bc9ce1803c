"""Escapes untrusted text inside Markdown."""

import re
from typing import Final

from triage.domain.untrusted import Untrusted

PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
LINE_INDENT: Final = re.compile(r"^[ \t]+")
NO_BREAK_SPACE: Final = "\u00a0"
FIRST_SPACE: Final = "&nbsp;"
"""Markdown strips blanks from the begin of a paragraph, this one excepted."""


def literal(text: str) -> str:
    """One line in which nothing is markup: CommonMark takes any escaped ASCII punctuation literally."""
    return PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def quoted(text: Untrusted, longest: int = 20_000) -> str:
    """A block quote with the lines as they were written, cut where it gets too long."""
    lines = [_line(line) for line in text[:longest].rstrip().splitlines()]
    if len(text) > longest:
        lines.append(literal("[…]"))
    return "\n".join(f"> {line}  " if line else ">" for line in lines)


def _line(line: str) -> str:
    """A line whose indent survives."""
    indent = LINE_INDENT.match(line)
    width = len(indent.group().expandtabs(4)) if indent else 0
    return (FIRST_SPACE + NO_BREAK_SPACE * (width - 1) if width else "") + literal(line)
