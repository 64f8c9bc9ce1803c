"""Finds lines of code that only the lines around them show as such: of diffs, traces, statements, configuration, exported rows."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
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
_CHAR: Final = re.compile(r"\s*At .+:\d+ char:\d+")
_BELOW_CHAR: Final = re.compile(r"\s*\+ ")
_EXCHANGE: Final = re.compile(r"[<>] (?:HTTP/\d|(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) \S+ HTTP/)")
_EXCHANGED: Final = re.compile(r"[*<>{}] ?")
_KEY: Final = re.compile(r"\s*(?:- )?[a-z_][\w.-]{0,40}:(?P<value>\s+\S.*)?\s*$")
LEAST_ROWS: Final = 3
LEAST_PARTS: Final = 2
"""Signs between the cells of an exported row."""


def lines_of_runs(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines of diffs, tracebacks, panics, statements, exchanges with a server, YAML and CSV."""
    return frozenset((*_diffs(lines), *_tracebacks(lines), *_paragraphs(lines)))


def exchange_in(lines: Sequence[str]) -> frozenset[int]:
    """Return the lines of what `curl -v` shows, whose `>` is no quote."""
    return frozenset(at for run in _filled(lines) for at in _exchanged(lines, run))


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


def _filled(lines: Sequence[str]) -> Iterator[list[int]]:
    """Yield the lines of each paragraph."""
    for filled, group in groupby(range(len(lines)), key=lambda at: bool(lines[at].strip())):
        if filled:
            yield list(group)


def _paragraphs(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines from a panic on, up to a blank line, and those of what else a paragraph shows."""
    for run in _filled(lines):
        panic = next((at for at, line in enumerate(run) if _PANICKED.match(lines[line])), len(run))
        yield from run[panic:]
        yield from _statements(lines, run)
        yield from _complaints(lines, run)
        yield from _exchanged(lines, run)
        yield from _settings(lines, run)
        yield from _rows(lines, run)


def _complaints(lines: Sequence[str], run: Sequence[int]) -> Iterator[int]:
    """Yield the lines of PowerShell's errors: what is wrong, where, and the marks below."""
    for at in (at for at in run[1:] if _CHAR.match(lines[at])):
        below = takewhile(lambda one: _BELOW_CHAR.match(lines[one]), range(at + 1, run[-1] + 1))
        yield from (at - 1, at, *below)


def _exchanged(lines: Sequence[str], run: Sequence[int]) -> Iterator[int]:
    """Yield the lines of an exchange with a server, each with its sign."""
    if any(_EXCHANGE.match(lines[at]) for at in run):
        yield from (at for at in run if _EXCHANGED.match(lines[at]))


def _settings(lines: Sequence[str], run: Sequence[int]) -> Iterator[int]:
    """Yield the lines of YAML: keys of which some have others below them, further in."""
    for is_key, group in groupby(run, key=lambda at: bool(_KEY.match(lines[at]))):
        keys = list(group) if is_key else []
        depths = {len(lines[at]) - len(lines[at].lstrip()) for at in keys}
        heads = sum(not _KEY.match(lines[at])["value"] for at in keys)  # type: ignore[index] # all are keys
        if len(keys) >= LEAST_ROWS and len(depths) > 1 and heads:
            yield from keys


def _rows(lines: Sequence[str], run: Sequence[int]) -> Iterator[int]:
    """Yield the lines of exported rows: several with as many signs between their cells, and no blank behind these."""
    for cells, group in groupby(run, key=lambda at: _cells(lines[at])):
        rows = list(group)
        if cells >= LEAST_PARTS and len(rows) >= LEAST_ROWS:
            yield from rows


def _cells(line: str) -> int:
    sign = ";" if ";" in line else ","
    return 0 if f"{sign} " in line or (sign == "," and " " in line.strip()) else line.count(sign)


def _statements(lines: Sequence[str], run: Sequence[int]) -> Iterator[int]:
    """Yield the lines from each SQL verb on, up to the semicolon, else up to the last line that begins with a clause."""
    start, last = None, None
    for at in run:
        if start is None and _STATEMENT.match(lines[at]):
            start, last = at, None
        elif start is not None and _CLAUSE.match(lines[at]):
            last = at
        if start is not None and lines[at].rstrip().endswith(";"):
            yield from range(start, at + 1 if last is not None else start)
            start = None
    if start is not None and last is not None:
        yield from range(start, last + 1)
