"""Escapes untrusted text inside Markdown."""

import re
from typing import Final

from triage.domain.untrusted import Untrusted

PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
LINE_INDENT: Final = re.compile(r"^[ \t]+")
NO_BREAK_SPACE: Final = "\u00a0"
FIRST_SPACE: Final = "&nbsp;"
"""Markdown strips blanks at the start of a paragraph, except this one."""


def literal(text: str) -> str:
    """Render text on one line without markup; CommonMark takes escaped ASCII punctuation literally."""
    return PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def quoted(text: Untrusted, longest: int = 20_000) -> str:
    """Render a block quote with the original lines, at most `longest` characters."""
    lines = [_line(line) for line in text[:longest].rstrip().splitlines()]
    if len(text) > longest:
        lines.append(literal("[…]"))
    return "\n".join(f"> {line}  " if line else ">" for line in lines)


def _line(line: str) -> str:
    """Render a line that keeps its indent."""
    indent = LINE_INDENT.match(line)
    width = len(indent.group().expandtabs(4)) if indent else 0
    return (FIRST_SPACE + NO_BREAK_SPACE * (width - 1) if width else "") + literal(line)
