"""Finds the lines of a reply in the mail's HTML, so that lists, tables, code and links of it survive."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from integrations.mime.parts import MailBody
from integrations.mime.reply.split import Split
from triage.domain.mail import RichLine

SAME: Final = 0.9
"""Share of words from which plain text and HTML say the same."""
_WORD: Final = re.compile(r"\w{2,}")


def rich_reply(
    body: MailBody, reply: str, split: Callable[[str, frozenset[int]], Split], *, forward: bool
) -> tuple[RichLine, ...]:
    """Return the reply's lines as the HTML shows them; none if it has no markup of its own or says something else.

    `split` parts a page's text as that of the mail was parted.
    Of a forward these are all lines, since the matter is in the forwarded part.
    """
    page = body.page or body.beside
    if page is None or not any(line.kind or line.marks for line in page.rich):
        return ()
    if forward:
        return page.rich if _same(page.text, body.text) else ()
    own = reply if body.page else split(page.text, page.marks).reply
    found = _found(page.rich, own.splitlines()) if _same(own, reply) else ()
    return found if any(line.kind or line.marks for line in found) else ()


def _same(one: str, other: str) -> bool:
    words, others = (set(_WORD.findall(text[:20_000].lower())) for text in (one, other))
    return len(words & others) >= SAME * max(len(words), len(others))


def _found(rich: Sequence[RichLine], wanted: Sequence[str]) -> tuple[RichLine, ...]:
    """Return the lines with these texts, in order; none if one of them is missing."""
    found, at = [], 0
    for text in wanted:
        place = next((n for n in range(at, len(rich)) if rich[n].text.strip() == text.strip()), None)
        if place is None:
            return ()
        found.append(rich[place])
        at = place + 1
    return tuple(found)
