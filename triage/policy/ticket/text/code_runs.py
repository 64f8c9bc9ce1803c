"""Finds lines of code that only the lines around them show as such: of diffs, stack traces and SQL statements."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

_DIFF: Final = re.compile(r"diff --git |Index: \S+$|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_IN_DIFF: Final = re.compile(
    r"[ +\-@\\]|index [0-9a-f]+|(?:new|deleted) file|(?:old|new) mode|rename |similarity |={20}|$"
)
_TRACEBACK: Final = re.compile(r"\s*Traceback \(most recent call last\)")
_FILE: Final = re.compile(r'\s*File "[^"]+", line \d+')
_RAISED: Final = re.compile(r"\s*[A-Za-z_][\w.]*(?::\s|\s*$)")
"""The last line of a Python traceback: `psycopg.errors.OutOfMemory: out of memory`."""
_PANICKED: Final = re.compile(r"\s*thread '[^']*'(?: \(\d+\))? panicked at\b")
_STATEMENT: Final = re.compile(
    r"\s*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH\s+\w+\s+AS|CREATE|ALTER|MERGE\s+INTO)\s", re.IGNORECASE
)
_CLAUSE: Final = re.compile(
    r"\s*(?:FROM|WHERE|SET|VALUES|(?:LEFT|RIGHT|INNER|OUTER|CROSS|FULL)?\s*JOIN|GROUP\s+BY|ORDER\s+BY|HAVING|LIMIT|UNION|RETURNING)\b"
)


def lines_of_runs(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines of diffs, Python tracebacks, panics of Rust and SQL statements."""
    return frozenset((*_diffs(lines), *_tracebacks(lines), *_paragraphs(lines)))


def _diffs(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of unified diffs, from their headers to the first line of something else."""
    inside = False
    for at, line in enumerate(lines):
        inside = bool(_DIFF.match(line)) or (inside and bool(_IN_DIFF.match(line)))
        if inside and line.strip():
            yield at


def _tracebacks(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of Python's tracebacks with the source between the frames, up to the error itself."""
    for start in (at for at, line in enumerate(lines) if _TRACEBACK.match(line)):
        yield start
        at = start + 1
        while at < len(lines) and _FILE.match(lines[at]):
            end = next((to for to in range(at + 1, len(lines)) if not _is_source(lines, at, to)), len(lines))
            yield from range(at, end)
            at = end
        if at > start + 1 and at < len(lines) and _RAISED.match(lines[at]):
            yield at


def _is_source(lines: Sequence[str], frame: int, at: int) -> bool:
    """Tell whether a line shows the source of the frame above: what is indented, and marks below it."""
    line = lines[at]
    indented = line.strip() and len(line) - len(line.lstrip()) > len(lines[frame]) - len(lines[frame].lstrip())
    return not _FILE.match(line) and bool(indented)


def _paragraphs(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines from a panic on, up to a blank line, and those of SQL statements."""
    for filled, group in groupby(range(len(lines)), key=lambda at: bool(lines[at].strip())):
        run = list(group) if filled else []
        panic = next((at for at, line in enumerate(run) if _PANICKED.match(lines[line])), len(run))
        yield from run[panic:]
        yield from _statements(lines, run)


def _statements(lines: Sequence[str], run: Sequence[int]) -> Iterator[int]:
    """Yield the lines from each SQL verb on, up to the semicolon, else up to the last line that begins with a clause."""
    end = -1
    for start in (at for at in run if _STATEMENT.match(lines[at])):
        below = [at for at in run if at > start]
        closed = next((at for at in (start, *below) if lines[at].rstrip().endswith(";")), run[-1])
        clauses = [at for at in below if at <= closed and _CLAUSE.match(lines[at])]
        if start > end and clauses:
            end = closed if lines[closed].rstrip().endswith(";") else clauses[-1]
            yield from range(start, end + 1)
