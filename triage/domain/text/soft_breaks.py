"""Joins the lines that a mail program has wrapped, so that a column of any width wraps them again: for people to look at.

A line break is the program's if the next word would not have fit before it. Quotes, lists, code, tables, fields and
signatures keep their lines. Rules that read a text join more boldly: `begins_line` in `policy/text/sentences.py`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

LEAST, MOST = 60, 80
"""Columns at which programs wrap."""
_KEPT: Final = re.compile(
    r"""
      [\s>|] | $                                  # indented, quoted, a row
    | [-=_*~\#+•\u2013·@]                         # an item, a rule, a heading, a line of a patch
    | \(?\w{1,2}[.)]\s                            # 1. or a)
    | [^\w\s]?\d{1,4}[-./:]\d\d?[-./:\s]          # a time
    | [\w/()-]{1,20}(?:\ [\w/()-]{1,20})?:(?:\s|$)  # a field: `Browser: Firefox`
    | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)\b
    | .*(?:\t|\S\s{3}|\s\|\s|[;{}]$)              # columns, code
    | \S{20,}$                                    # an address alone
    """,
    re.VERBOSE,
)


def soft_wrapped(text: str) -> str:
    """Return the text with a blank in place of each line break that is a program's; no other character changes."""
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if line.rstrip() == "--"), len(lines))
    signature = [f"\n{line}" for line in lines[end:]]
    width = max((len(line) for line in lines[:end] if len(line) <= MOST and not _KEPT.match(line)), default=0)
    if width < LEAST:
        return text
    joined = (_joined(list(group), width) for _, group in groupby(lines[:end], key=lambda line: not line.strip()))
    return "\n".join(joined) + "".join(signature)


def _joined(lines: Sequence[str], width: int) -> str:
    """Join one paragraph; where its author wrote a longer line, no program has wrapped it."""
    if any(len(line) > MOST and not _KEPT.match(line) for line in lines):
        return "\n".join(lines)
    return lines[0] + "".join(_continued(lines, width))


def _continued(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield each line but the first one with what stands before it."""
    for above, line in pairwise(lines):
        full = len(above) + 1 + len(line.split(" ", 1)[0]) > width
        soft = full and not _KEPT.match(line) and not _KEPT.match(above)
        yield f"{' ' if soft else chr(10)}{line}"
