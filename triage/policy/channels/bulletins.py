"""Makes one message for people of the notices of one kind: a single one in full, many as a digest."""

from collections.abc import Iterator, Sequence
from typing import Final

from triage.domain.channels.notices import Bulletin, Notice, NoticeKind, NoticeSeverity, Paragraph
from triage.domain.text.truncation import truncated
from triage.domain.text.visible import visible

MOST: Final = 10
"""Notices of a digest that are shown; the others are counted."""
LONGEST: Final = 600
"""Characters that each notice of many has,"""
ROOM: Final = 3_600
"""and that fewer share: push services cut messages at 4,096."""
_RANK: Final = tuple(NoticeSeverity)


def bulletin_of(notices: Sequence[Notice]) -> Bulletin:
    """Return the message for these notices, which are of one kind and not empty."""
    kind, count = notices[0].kind, len(notices)
    return Bulletin(
        title=f"Triage: {kind.value}" + (f" ({count})" if count > 1 else ""),
        paragraphs=tuple(_paragraphs(notices)),
        severity=max((notice.severity for notice in notices), key=_RANK.index),
    )


def recovery_of(ended: Notice) -> Notice:
    """Return the notice that a state which people had heard of has ended."""
    over = "Writing goes on" if ended.kind is NoticeKind.PAUSED else "It works again"
    text = f"{over}: {ended.text}"
    return Notice(
        kind=NoticeKind.RECOVERED, severity=NoticeSeverity.INFO, text=text, cure="Nothing to do.", ticket=ended.ticket
    )


def _paragraphs(notices: Sequence[Notice]) -> Iterator[Paragraph]:
    longest = max(LONGEST, ROOM // len(notices))
    for notice in notices[:MOST]:
        about = ", ".join(filter(None, (notice.case, notice.ticket)))
        text = ("- " if len(notices) > 1 else "") + truncated(notice.text, longest) + (f" ({about})" if about else "")
        links = tuple((name, link) for name, _, link in (line.partition(": ") for line in notice.links.splitlines()))
        yield Paragraph(text=visible(text), links=links)
    if len(notices) > MOST:
        yield Paragraph(text=f"- and {len(notices) - MOST} more")
    for cure in dict.fromkeys(notice.cure for notice in notices[:MOST] if notice.cure):
        yield Paragraph(text=visible(f"→ {cure}"))
