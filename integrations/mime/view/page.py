"""Writes an HTML mail anew: known elements without style, script and address; hidden text is seen and marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final

from lxml import etree

from integrations.mime.html.css import Sheet, Style
from integrations.mime.html.elements import SILENT, is_closed, open_drawings
from integrations.mime.html.invisible import shown
from integrations.mime.html.look import Look, is_dot
from integrations.mime.view.highlight import Highlight
from integrations.mime.view.pictures import InlinePictures, host_of
from triage.domain.mail import MailLink
from triage.domain.text.truncation import truncated
from triage.domain.untrusted import Untrusted

MAX_HTML: Final = 2_000_000
MAX_EVENTS: Final = 60_000
MAX_DEPTH: Final = 60
"""Elements inside each other that are written; deeper ones give their text alone."""
MAX_LINKS: Final = 500
HISTORY: Final = 600
"""Characters of a quoted mail from which on it is folded."""

KEPT: Final = frozenset(
    {"p", "div", "br", "hr", "b", "strong", "i", "em", "u", "s", "sub", "sup", "code", "pre", "blockquote", "ul", "ol"}
    | {"li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"}
    | {"h1", "h2", "h3", "h4", "h5", "h6"}
)
_VOID: Final = frozenset({"br", "hr"})
_SPAN: Final = re.compile(r"[1-9][0-9]?")
_LEADS: Final = re.compile(r"(?:https?://|mailto:)[!-~\u00a1-\uffff]{1,2000}", re.IGNORECASE)
_SHORT: Final = 90
_WORD: Final = re.compile(r"\w")


@dataclass(slots=True)
class _Open:
    """An element whose end is still to come."""

    look: Look = field(default_factory=Look)
    end: str = ""
    """Markup that closes it."""
    silent: bool = False
    deep: int = 0
    quotes: int = 0
    link: str = ""
    texts: list[str] = field(default_factory=list)
    """Words of the link."""


@dataclass(slots=True)
class PageWriter:
    """Walks a tree without recursion, since a mail can nest to any depth."""

    pictures: InlinePictures
    highlight: Highlight
    out: list[str] = field(default_factory=list)
    links: list[MailLink] = field(default_factory=list)
    remote: int = 0
    hidden: int = 0
    cut: bool = False
    _sheet: Sheet = field(default_factory=Sheet)
    _around: list[_Open] = field(default_factory=lambda: [_Open()])

    def write(self, source: str) -> bool:
        """Write a page. False if it nests deeper than can be read: then nothing is written."""
        root = _root(source[:MAX_HTML])
        self.cut = self.cut or len(source) > MAX_HTML
        if root is None:
            return False
        open_drawings(root)
        for style in root.iter("style"):
            self._sheet.add("".join(map(str, style.itertext())))
        for number, (event, element) in enumerate(etree.iterwalk(root, events=("start", "end", "comment", "pi"))):
            if number > MAX_EVENTS:
                self.cut = True
                break
            if event == "start":
                self._start(element)
            elif event == "end":
                self._end(element)
            else:
                self._text(element.tail)
        self._close()
        return True

    def _close(self) -> None:
        while len(self._around) > 1:
            self.out.append(self._around.pop().end)

    def _start(self, element: etree._Element) -> None:
        above, tag = self._around[-1], str(element.tag).lower()
        silent = above.silent or tag in SILENT
        style: Style = {} if silent else self._sheet.style_of(element)
        if is_closed(element, tag):
            style = {**style, "display": "none"}
        now = _Open(above.look.with_style(style), silent=silent, deep=above.deep, quotes=above.quotes, link=above.link)
        now.texts = above.texts
        self._around.append(now)
        if silent:
            return
        if tag == "img":
            self._picture(element, style)
        elif tag == "a":
            now.link, now.texts = _target(element.get("href") or ""), []
            now.end = _shown_target(now.link)
        elif tag in KEPT or tag == "center":
            self._open("div" if tag == "center" else tag, element, now)
        self._text(element.text)

    def _open(self, tag: str, element: etree._Element, now: _Open) -> None:
        if now.deep >= MAX_DEPTH:
            self.cut = self.cut or tag not in _VOID
            return
        if tag in _VOID:
            self.out.append(f"<{tag}>")
            return
        now.deep += 1
        fold = tag == "blockquote" and not now.quotes and _is_long(element)
        now.quotes += tag == "blockquote"
        start, end = ("<details><summary>Earlier mail</summary>", "</details>") if fold else ("", "")
        self.out.append(f"{start}<{tag}{''.join(_attributes(tag, element))}>")
        now.end = f"</{tag}>{end}"

    def _picture(self, element: etree._Element, style: Style) -> None:
        source, source_text = element.get("src") or "", element.get("alt") or ""
        address, host = self.pictures.address(source), host_of(source)
        self.remote += bool(host)
        if is_dot(style, element.get("width"), element.get("height")):
            return
        if address:
            self.out.append(f'<img src="{escape(address)}" alt="{escape(source_text)}">')
        elif host or source_text:
            self.out.append(f'<span class="gone">{escape(source_text) or "picture"}{_of(host)}</span>')

    def _end(self, element: etree._Element) -> None:
        done = self._around.pop()
        if element.tag == "a" and done.link and not done.silent:
            self._keep(done)
        self.out.append(done.end)
        self._text(element.tail)

    def _keep(self, link: _Open) -> None:
        known = any(one.target == link.link for one in self.links)
        if not known and len(self.links) < MAX_LINKS:
            self.links.append(MailLink(Untrusted(" ".join("".join(link.texts).split())[:200]), Untrusted(link.link)))

    def _text(self, text: str | None) -> None:
        now = self._around[-1]
        if not text or now.silent:
            return
        if now.link:
            now.texts.append(text[:200])
        html = self.highlight.html(text)
        if now.look.seen or not _WORD.search(text):
            self.out.append(html)
        else:
            self.hidden += 1
            self.out.append(f'<mark class="hidden">{html}</mark>')


def _root(source: str) -> "etree._Element | None":
    octets = shown(source, set()).encode("utf-8", "replace")
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    root = etree.HTML(octets, parser) if octets.strip() else None
    broke = any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log)
    return None if broke else root


def _attributes(tag: str, element: etree._Element) -> Iterator[str]:
    """Yield what an element keeps: its direction, and how far a cell reaches."""
    if (way := (element.get("dir") or "").lower()) in {"ltr", "rtl"}:
        yield f' dir="{way}"'
    for name in ("colspan", "rowspan") if tag in {"td", "th"} else ():
        if _SPAN.fullmatch(value := (element.get(name) or "").strip()):
            yield f' {name}="{value}"'


def _is_long(element: etree._Element) -> bool:
    size = 0
    for text in element.itertext():
        size += len(text.strip())
        if size > HISTORY:
            return True
    return False


def _target(href: str) -> str:
    """Return the address that a link leads to; empty for scripts, anchors and all else that is none."""
    bare = re.sub(r"[\t\r\n]", "", href.strip())
    return bare if _LEADS.fullmatch(bare) else ""


def _shown_target(target: str) -> str:
    return f' <span class="to">{escape(truncated(target, _SHORT))}</span>' if target else ""


def _of(host: str) -> str:
    return f", not loaded from {escape(host)}" if host else ", not in the mail"
