"""Shows plain text as HTML: quoted history is folded away, and so is what is too long to read at once."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from integrations.mime.view.highlight import Highlight
from triage.domain.mail import MailLink
from triage.domain.text.soft_breaks import soft_wrapped
from triage.domain.untrusted import Untrusted

FOLDED: Final = 12
"""Lines of quoted history from which on it is folded."""
LONG: Final = 60_000
"""Characters after which the rest is folded."""
SHOWN: Final = 1_000_000
"""Characters of a text that are shown at all."""

_ADDRESS: Final = re.compile(r"https?://[^\s<>\"'\])}]{1,2000}", re.IGNORECASE)


def plain_html(text: str, highlight: Highlight, *, own_lines: bool = False) -> str:
    """Return the text as markup; its lines are wrapped anew unless it keeps its own."""
    first, rest = _cut(text[:SHOWN] if own_lines else soft_wrapped(text[:SHOWN]))
    shown = "".join(_blocks(first, highlight))
    return f"{shown}{folded('The rest of the mail', ''.join(_blocks(rest, highlight)))}" if rest else shown


def links_in(text: str) -> Iterator[MailLink]:
    """Yield the addresses that a text names."""
    for found in _ADDRESS.finditer(text[:SHOWN]):
        target = Untrusted(found[0].rstrip(".,;:!?"))
        yield MailLink(target, target)


def folded(name: str, html: str) -> str:
    """Return markup that a reader opens."""
    return f"<details><summary>{name}</summary>{html}</details>"


def _cut(text: str) -> tuple[str, str]:
    """Divide a long text at the end of a line, if there is one near."""
    if len(text) <= LONG:
        return text, ""
    end = text.find("\n", LONG, LONG + 2000)
    end = LONG if end < 0 else end + 1
    return text[:end], text[end:]


def _blocks(text: str, highlight: Highlight) -> Iterator[str]:
    for quoted, group in groupby(text.split("\n"), key=lambda line: line.startswith(">")):
        lines = list(group)
        words = highlight.html("\n".join(lines))
        if not quoted:
            yield f'<div class="plain">{words}</div>'
        elif len(lines) < FOLDED:
            yield f'<blockquote class="plain">{words}</blockquote>'
        else:
            yield folded("Earlier mail", f'<blockquote class="plain">{words}</blockquote>')
