"""Takes tracking off links: parameters that count clicks, and whole addresses of services that do nothing else."""

import re
from dataclasses import replace
from typing import Final

from triage.domain.mail import RichLine, TextMark
from triage.domain.untrusted import Untrusted

_COUNTED: Final = r"(?:utm_\w+|mc_[ce]id|trk|mkt_tok|elqTrackId)"
_LINK: Final = re.compile(r"https?://[^\s<>\"'()]+", re.IGNORECASE)
_COUNTER: Final = re.compile(r"/ls/click\?|//(?:click|track|links?|email|go)\.[\w.-]+/", re.IGNORECASE)
_PARAMETER: Final = re.compile(rf"(?<=[?&]){_COUNTED}=[^&#\s]*&?", re.IGNORECASE)
_BARE: Final = re.compile(r"[\s<>()\[\]*_-]*")
_OPENS, _CLOSES = re.compile(r"\s*[(<]$"), re.compile(r"[)>]")


def untracked(line: RichLine) -> RichLine | None:
    """Return a line whose links lead to their place alone, without those that only count; None for a line of nothing else."""
    if "://" not in line.text and not any("://" in mark.kind for mark in line.marks):
        return line
    if line.code:
        return line
    marks = (replace(mark, kind=_bare(mark.kind)) if "://" in mark.kind else mark for mark in line.marks)
    clean = RichLine(line.text, line.kind, tuple(mark for mark in marks if mark.kind))
    dropped = False
    for found in reversed(list(_LINK.finditer(line.text))):
        start, end = found.span()
        link = _bare(found[0])
        if not link:
            dropped = True
            if (opens := _OPENS.search(clean.text[:start])) and (closes := _CLOSES.match(clean.text, end)):
                start, end = opens.start(), closes.end()
        clean = _replaced(clean, start, end, link)
    return None if dropped and _BARE.fullmatch(clean.text) else clean


def _bare(link: str) -> str:
    """Return a link without parameters that count; empty for the address of a counter."""
    return "" if _COUNTER.search(link) else _PARAMETER.sub("", link).rstrip("?&")


def _replaced(line: RichLine, start: int, end: int, text: str) -> RichLine:
    """Put a text in the place of another one; marks around it stay around it."""
    if line.text[start:end] == text:
        return line

    def moved(at: int) -> int:
        return at if at <= start else max(start, at - end + start) + (len(text) if at >= end else 0)

    marks = (TextMark(moved(mark.start), moved(mark.end), mark.kind) for mark in line.marks)
    kept = tuple(mark for mark in marks if mark.start < mark.end)
    return RichLine(Untrusted(f"{line.text[:start]}{text}{line.text[end:]}"), line.kind, kept)
