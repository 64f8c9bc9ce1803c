"""Recognises the header that HCL Notes puts above an older mail: each label stands alone, its value on the next line."""

from collections.abc import Sequence
from typing import Final

from integrations.mime.reply.attribution import TIME, dated
from integrations.mime.reply.quote_patterns import ROLES

MOST_IN_PARAGRAPH: Final = 6
"""Most lines of a paragraph above the labels: author, `Sent by`, the moment, `Please respond to`."""
MOST_LABELLED: Final = 24
"""Lines within which `To` and `Subject` stand; each recipient has one."""
MOMENT: Final = 40
"""Most characters of a line that holds a date and a time and nothing else."""


def columns_block(lines: Sequence[str], at: int) -> int:
    """Return the number of lines of such a header that begins here; 0 if there is none.

    Below the author's paragraph, which holds the moment or stands above it, there is at most one more before `To`.
    """
    if not lines[at].strip() or (at and lines[at - 1].strip()):
        return 0
    start, end = _paragraph(lines, at)
    if not any(map(_is_moment, lines[start + 1 : end])):
        start, end = _paragraph(lines, end)
        if end - start != 1 or not _is_moment(lines[start]):
            return 0
    start, end = _paragraph(lines, end)
    if start < len(lines) and _role(lines[start]) != "to":
        start, end = _paragraph(lines, end)
    if start >= len(lines) or _role(lines[start]) != "to":
        return 0
    labelled = range(start, min(start + MOST_LABELLED, len(lines) - 1))
    subject = next((n for n in labelled if _role(lines[n]) == "subject"), None)
    return 0 if subject is None else subject + 2 - at


def _paragraph(lines: Sequence[str], at: int) -> tuple[int, int]:
    """Return first line and end of the next paragraph; the end is its begin where it is too long."""
    start = next((n for n in range(at, len(lines)) if lines[n].strip()), len(lines))
    most = min(start + MOST_IN_PARAGRAPH + 1, len(lines))
    end = next((n for n in range(start, most) if not lines[n].strip()), most)
    return start, start if end - start > MOST_IN_PARAGRAPH else end


def _is_moment(line: str) -> bool:
    return len(line.strip()) <= MOMENT and dated(line) and bool(TIME.search(line))


def _role(line: str) -> str:
    return ROLES.get(line.strip().lower(), "")
