"""Makes the view of a mail: the part that people read, written anew, then cleaned by nh3 as if it were the mail's own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import nh3

from integrations.mime.formats.outlook import OUTLOOK
from integrations.mime.html.invisible import cleaned
from integrations.mime.message import content_in, message_of
from integrations.mime.parts import (
    MAX_TEXT,
    attached_in,
    decoded,
    html_of,
    invitation_of,
    is_attached,
    lines_of,
    root_of,
)
from integrations.mime.tree import MimePart, starts_with_fields, tree_of
from integrations.mime.view.highlight import Highlight
from integrations.mime.view.page import KEPT, MAX_LINKS, PageWriter
from integrations.mime.view.pictures import INLINE, InlinePictures
from triage.domain.mail import MailLink, MailView
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


TAGS: Final = {*KEPT, "img", "span", "mark", "details", "summary"}
ATTRIBUTES: Final = {"*": {"dir"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}, "img": {"src", "alt"}}
CLASSES: Final = {
    "mark": {"cue", "hidden"},
    "span": {"gone", "to"},
    "div": {"plain"},
    "blockquote": {"plain"},
}


@dataclass(frozen=True, slots=True)
class ViewPiece:
    """One text of a mail."""

    source: str
    is_html: bool = False


def view_of(raw: bytes, labels: Mapping[str, str], *, plain: bool = False) -> MailView:
    """Return a raw mail as a browser may show it, with labels on words; `plain` prefers its text to its HTML, with its own lines.

    Raises `NotAMail`.
    """
    odd: set[str] = set()
    content = content_in(raw, odd)
    tree = tree_of(content, odd) if starts_with_fields(content) or raw.startswith(OUTLOOK) else None
    pieces = [one for one in _pieces(tree, plain=plain) if one.source.strip()] if tree else []
    if invitation := invitation_of(tree, odd) if tree else "":
        pieces.append(ViewPiece(invitation))
    pictures = InlinePictures(attached_in(tree) if tree else ())
    return _view(pieces or [ViewPiece(message_of(raw).text)], pictures, Highlight(labels), own_lines=plain)


def _pieces(part: MimePart, *, plain: bool) -> Iterator[ViewPiece]:
    """Yield the texts that a mail program shows, without attachments."""
    match part.type.split("/"):
        case ["multipart", "alternative"] if part.parts:
            yield from _chosen([list(_pieces(one, plain=plain)) for one in part.parts], plain=plain)
        case ["multipart", "related" | "signed" | "encrypted"] if part.parts:
            yield from _pieces(root_of(part), plain=plain)
        case ["application", _] if part.parts:
            yield from _pieces(part.parts[0], plain=plain)
        case ["multipart", _] if part.parts:
            for one in part.parts:
                yield from _pieces(one, plain=plain)
        case ["text", "html"] if not is_attached(part):
            yield ViewPiece(html_of(part, set()), is_html=True)
        case ["text" | "multipart", _] if not is_attached(part):
            yield ViewPiece(lines_of(part, cleaned(decoded(part, set())[:MAX_TEXT], set())))


def _chosen(choices: list[list[ViewPiece]], *, plain: bool) -> list[ViewPiece]:
    """Choose one of several forms of the same text: the last one of the wanted kind, else the last one."""
    full = [one for one in choices if any(piece.source.strip() for piece in one)]
    wanted = [one for one in full if any(piece.is_html for piece in one) is not plain]
    return next(reversed(wanted or full), [])


def _view(pieces: list[ViewPiece], pictures: InlinePictures, highlight: Highlight, *, own_lines: bool) -> MailView:
    writer = PageWriter(pictures, highlight)
    for piece in pieces:
        if piece.is_html and writer.write(piece.source):
            continue
        text = nh3.clean(piece.source, tags=set()) if piece.is_html else piece.source
        writer.cut = writer.cut or piece.is_html or len(text) > SHOWN
        writer.out.append(plain_html(text, highlight, own_lines=own_lines))
        writer.links += [one for one in links_in(text) if one not in writer.links][: MAX_LINKS - len(writer.links)]
    return MailView(
        html=sanitised("".join(writer.out)),
        links=tuple(writer.links),
        remote=writer.remote,
        hidden=writer.hidden,
        cut=writer.cut,
        plain=not any(piece.is_html for piece in pieces),
    )


def sanitised(html: str) -> str:
    """Return markup in which nothing can run, load, lead or be sent anywhere, whatever it was before."""
    return nh3.clean(
        html,
        tags=TAGS,
        clean_content_tags={"script", "style"},
        attributes=ATTRIBUTES,
        allowed_classes=CLASSES,
        attribute_filter=_attribute,
        url_schemes={"data"},
        link_rel=None,
    )


def _attribute(_: str, name: str, value: str) -> str | None:
    return None if name == "src" and not INLINE.fullmatch(value) else value
