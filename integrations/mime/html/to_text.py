"""Converts an HTML mail to the text that a reader sees; hidden text is left out and flagged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Final
from urllib.parse import unquote, urlsplit

from lxml import etree

from integrations.mime.html.css import Sheet, Style
from integrations.mime.html.elements import SILENT, is_closed, open_drawings
from integrations.mime.html.invisible import cleaned, shown
from integrations.mime.html.look import Look, is_dot
from integrations.mime.html.paper import Paper
from integrations.mime.pictures import NO_PICTURES, Pictures, bare
from triage.domain.mail import RichLine, TextMark
from triage.domain.untrusted import NOTHING, Untrusted

MAX_EVENTS: Final = 60_000

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_TAGS: Final = re.compile(r"<[^<>]{0,1000}>")
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "div", "dl", "dt"}
    | {"fieldset", "figure", "figcaption", "footer", "form", "header", "html", "legend", "li", "main", "nav", "ol"}
    | {"option", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul", "caption", "p"}
    | {"h1", "h2", "h3", "h4", "h5", "h6"}
)
_PARAGRAPHS: Final = frozenset({"p", "div"})
LONGEST_CELL: Final = 200
"""Characters of a cell with a paragraph; a longer one is a column of a page."""
_SPACED: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "pre", "blockquote"})
_HISTORY_IDS: Final = re.compile(
    r"(?:x_)*(?:divrplyfwdmsg|appendonsend|olk_src_body_section|mail-editor-reference-message-container|"
    r"isreplycontent|isforwardcontent|stopspelling|zwchr|replysplit|reply-intro|yahoo_quoted_\d+|messagereplysection)"
)
"""Ids and names; Spark and its like give names."""
_HISTORY_CLASSES: Final = re.compile(
    r"(?:x_|ecx)*(?:gmail_quote|gmail_quote_container|gmail_attr|moz-cite-prefix|moz-forward-container|yahoo_quoted|"
    r"yahoo-quoted-begin|zmail_extra|protonmail_quote|tutanota_quote|outlookmessageheader|mimestream_quote)"
)
_SIGNATURE: Final = re.compile(
    r"(?:x_|ecx)*(?:signature|ms-outlook-mobile-signature|composer_signature|cm_signature|edo-signature|gmail_signature|"
    r"moz-signature|front-signature|cm_sign|k9mail-signature|bluemail-signature|protonmail_signature_block|sh-signature|"
    r"signaturecontainer|protonmail_signature_block-\w{1,20}|messagesignaturesection|__sig_pre__|__sig_post__|applemailsignature|zm-_id_-sgn\d?|bloop_sign_\w{1,40}|missive_signature|"
    r"hs_signature)"
)
"""Ids, classes, names and markers by which mail programs tell their signatures."""
_APPLE_SIGNATURE: Final = "lineBreakAtBeginningOfSignature"
"""The line break below which all is the signature, up to the quote."""
_NAMED: Final = ("id", "class", "name", "data-marker")
_OUTLOOK_RULE: Final = re.compile(r"border-top:\s?solid #(?:e1e1e1|b5c4df) 1\.0pt")
"""What Outlook for Windows and Mac draws above the older mail's header, in every language."""
_MAX_LINK: Final = 200
_LEADS: Final = re.compile(r"(?:https?://|mailto:)[!-~]{1,200}$", re.IGNORECASE)
_MARKED: Final = {"b": "strong", "strong": "strong", "code": "code", "tt": "code", "kbd": "code", "samp": "code"}
"""Elements whose text stands out in a ticket, too."""


@dataclass(frozen=True, slots=True)
class HtmlText:
    """An HTML page as text."""

    lines: tuple[str, ...]
    marks: frozenset[int]
    """Lines where the markup of a mail program says that history begins."""
    hidden: bool
    """Hidden text was left out."""
    rich: tuple[RichLine, ...] = ()
    """The lines with their markup; without quote marks, and none where the page was read without its structure."""
    signature: tuple[str, ...] = ()
    """The lines that the markup of a mail program names a signature."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def joined(self, other: "HtmlText") -> "HtmlText":
        shift = len(self.lines) + 1
        marks = self.marks | {shift + mark for mark in other.marks}
        rich = (*self.rich, RichLine(NOTHING), *other.rich) if self.rich and other.rich else ()
        return HtmlText(
            (*self.lines, "", *other.lines), marks, self.hidden or other.hidden, rich, self.signature + other.signature
        )


def page_of(source: str, odd: set[str], pictures: Pictures = NO_PICTURES) -> HtmlText:
    """Return the visible text of an HTML source, with the names of its pictures."""
    octets = shown(source, odd).encode("utf-8", "replace")
    # A parser per page: lxml's keeps errors and must not be shared by threads.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True)
    root = etree.HTML(octets, parser) if octets.strip() else None
    if root is None:
        return HtmlText((), frozenset(), hidden=False)
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        # Nested deeper than lxml parses: return all text rather than none; it may include hidden text.
        odd.update(("degraded:html", "hidden-text"))
        bare = re.sub(r"[ \t]+", " ", cleaned(unescape(_TAGS.sub(" ", source)), odd))
        return HtmlText(tuple(bare.strip().split("\n")), frozenset(), hidden=True)
    open_drawings(root)
    reader = _Reader(sheet=_sheet_of(root), pictures=pictures)
    if not reader.read(root) or reader.sheet.exhausted:
        odd.add("degraded:html")
    if reader.hidden or reader.sheet.exhausted:  # an unread rule may hide text
        odd.add("hidden-text")
        reader.hidden = True
    found = reader.paper.finished()
    lines = [cleaned(line, odd).replace("\n", " ").rstrip() for line in found]
    rich = tuple(map(_rich, found, lines, reader.paper.rich))
    return HtmlText(tuple(lines), frozenset(reader.paper.marks), reader.hidden, rich, tuple(reader.paper.signature))


def _rich(found: str, line: str, marked: tuple[str, tuple[TextMark, ...]]) -> RichLine:
    """Return a line with its marks; those of a line in which cleaning moved characters are lost."""
    kind, marks = marked
    same = line == found.rstrip()
    kept = (replace(mark, end=min(mark.end, len(line))) for mark in marks)
    return RichLine(Untrusted(line), kind, tuple(one for one in kept if one.start < one.end) if same else ())


def _sheet_of(root: etree._Element) -> Sheet:
    sheet = Sheet()
    for style in root.iter("style"):
        sheet.add("".join(map(str, style.itertext())))
    return sheet


@dataclass(slots=True)
class _Open:
    """An element whose end is still to come."""

    look: Look
    style: Style
    as_is: bool
    silent: bool
    link_from: tuple[int, int] = (0, 0)
    quote: bool = False
    signature: bool = False
    kind: str = ""
    """`code` in preformatted text, `row` and `head` in tables of data."""


@dataclass(slots=True)
class _Reader:
    """Walks the tree without recursion, since a mail can nest to any depth."""

    sheet: Sheet
    pictures: Pictures
    paper: Paper = field(default_factory=Paper)
    hidden: bool = False
    around: list[_Open] = field(default_factory=lambda: [_Open(Look(), {}, as_is=False, silent=False)])

    def read(self, root: etree._Element) -> bool:
        """Collect the visible text; return False if the page has more than `MAX_EVENTS`."""
        for number, (event, element) in enumerate(etree.iterwalk(root, events=("start", "end", "comment", "pi"))):
            if number > MAX_EVENTS:
                return False
            if event == "start":
                self._start(element)
            elif event == "end":
                self._end(element)
            else:
                self._text(element.tail)
        return True

    def _start(self, element: etree._Element) -> None:
        parent = self.around[-1]
        tag = str(element.tag).lower()
        silent = parent.silent or tag in SILENT
        style = {} if silent else self.sheet.style_of(element)
        closed = is_closed(element, tag)
        look = parent.look.with_style({**style, "display": "none"} if closed else style)
        as_is = _keeps_lines(tag, style, inherited=parent.as_is)
        now = _Open(look, style, as_is, silent, quote=tag == "blockquote" and _is_quote(element, style))
        now.kind = _kind_of(element, tag, parent.kind)
        self.around.append(now)
        if not silent and look.shown:
            self._open(element, tag, now)
            self._begin_mark(tag, now)
            self._picture(element, tag, now)
        self._text(element.text)

    def _open(self, element: etree._Element, tag: str, now: _Open) -> None:
        paper = self.paper
        if tag in _BLOCKS and not _is_in_cell(tag, now.kind):
            paper.block(spaced=_is_spaced(tag, now.style) and not paper.lists)
        if tag != "blockquote" and _begins_history(element):
            paper.mark()
        if now.quote:
            paper.quotes += 1
        if not paper.signatures and _is_signature(element):
            now.signature = True
            paper.signatures += 1
        match tag:
            case "br":
                paper.new_line()
                paper.signatures += element.get("id") == _APPLE_SIGNATURE
            case "hr":
                paper.block(spaced=False)
                paper.write("---", as_is=True)
                paper.block(spaced=False)
            case "td" | "th":
                paper.cell()
            case "ul" | "ol":
                paper.lists.append(0 if tag == "ol" else -1)
            case "li":
                self._bullet()

    def _begin_mark(self, tag: str, now: _Open) -> None:
        if tag == "a":
            now.link_from = (len(self.paper.lines), len(self.paper.line))
            self.paper.begin_mark("")
        elif tag in _MARKED:
            self.paper.begin_mark(_MARKED[tag])

    def _picture(self, element: etree._Element, tag: str, now: _Open) -> None:
        mark = self.pictures.shown(element.get("src") or "") if tag == "img" else ""
        if mark and now.look.drawn and not is_dot(now.style, element.get("width"), element.get("height")):
            self.paper.write(f" {mark} ", as_is=False)

    def _bullet(self) -> None:
        lists = self.paper.lists
        if lists and lists[-1] >= 0:
            lists[-1] += 1
        self.paper.bullet = f"{lists[-1]}. " if lists and lists[-1] >= 0 else "- "

    def _end(self, element: etree._Element) -> None:
        now = self.around.pop()
        tag = str(element.tag).lower()
        if not now.silent and now.look.shown:
            if tag == "a":
                self.paper.end_mark(self._link(element.get("href") or "", now))
            elif tag in _MARKED:
                self.paper.end_mark(_MARKED[tag])
            if tag in _BLOCKS and not _is_in_cell(tag, now.kind):
                nested = tag in {"ul", "ol"} and len(self.paper.lists) > 1
                apart = tag == "table" and next(element.iterancestors("table"), None) is None
                self.paper.block(spaced=(apart or _is_spaced(tag, now.style)) and not nested)
            if tag in {"ul", "ol"} and self.paper.lists:
                self.paper.lists.pop()
            if now.quote:
                self.paper.quotes -= 1
            if now.signature:
                self.paper.block(spaced=False)
                self.paper.signatures -= 1
        if self.around:
            self._text(element.tail)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        now = self.around[-1]
        if now.silent:
            return
        if now.look.seen:
            self.paper.write(text, as_is=now.as_is, kind=now.kind)
        elif _WORD.search(cleaned(text, set())):
            self.hidden = True

    def _link(self, target: str, now: _Open) -> str:
        """Add the address of a link behind its text, unless the text shows it; return the address."""
        line, column = now.link_from
        words = bare(self.paper.line[column:] if line == len(self.paper.lines) else self.paper.line)
        where = _where(target.strip(), words)
        if words.strip() and where and now.look.seen:
            self.paper.line = f"{self.paper.line.rstrip()} ({where})"
        return target.strip() if words.strip() and now.look.seen and _LEADS.match(target.strip()) else ""


def _where(target: str, words: str) -> str:
    """Return the address of a link; empty if the text shows it or it leads nowhere."""
    title = words.strip().lower()
    if target.lower().startswith("mailto:"):
        address = unquote(target[7:].partition("?")[0])
        return "" if address.lower() in title else address[:_MAX_LINK]
    if not target.lower().startswith(("http://", "https://")):
        return ""
    try:
        host = (urlsplit(target).hostname or "").removeprefix("www.")
    except ValueError:
        host = ""
    return "" if not host or host in title else target[:_MAX_LINK]


def _kind_of(element: etree._Element, tag: str, inherited: str) -> str:
    """Return what the lines of an element are; tables that arrange a page have no rows of data."""
    if tag in {"pre", "listing", "xmp"}:
        return "code"
    if tag == "tr":
        cells = list(element.iterchildren("td", "th"))
        if len(cells) > 1 and all(map(_is_cell, cells)):
            return "head" if {cell.tag for cell in cells} == {"th"} else "row"
    return inherited


def _is_cell(cell: etree._Element) -> bool:
    """Tell whether a cell holds words only, in one paragraph at most: other blocks in it begin lines of their own."""
    tags = [str(inside.tag).lower() for inside in cell.iterdescendants()]
    blocks = [tag for tag in tags if tag in _BLOCKS or tag == "br"]
    if len(blocks) != 1 or blocks[0] not in _PARAGRAPHS:
        return not blocks
    return len("".join(map(str, cell.itertext()))) <= LONGEST_CELL


def _is_in_cell(tag: str, kind: str) -> bool:
    """Tell whether an element is the one paragraph of a cell, as Outlook writes them."""
    return kind in {"row", "head"} and tag in _PARAGRAPHS


def _keeps_lines(tag: str, style: Style, *, inherited: bool) -> bool:
    if tag in {"pre", "textarea", "listing", "xmp"}:
        return True
    space = style.get("white-space", "")
    return space.startswith("pre") if space else inherited


def _is_spaced(tag: str, style: Style) -> bool:
    """Tell whether a paragraph has space around it; those of Outlook have no margin and are lines."""
    if tag != "p":
        return tag in _SPACED
    margins = style.get("margin", ""), style.get("margin-bottom", "")
    return not any(re.match(r"0(?:\.0+1?)?(?:px|pt|in|cm|em)?(?:\s|$)", margin) for margin in margins)


def _is_quote(element: etree._Element, style: Style) -> bool:
    """Tell whether an element quotes a mail rather than indents text."""
    if (element.get("type") or "").lower() == "cite" or _begins_history(element):
        return True
    return not style.get("border", "").startswith(("none", "0"))


def _is_signature(element: etree._Element) -> bool:
    """Tell whether a mail program marked an element as the signature."""
    attributes = element.attrib
    if not attributes:
        return False
    names = " ".join(str(attributes[key]) for key in _NAMED if key in attributes).lower()
    return ("sig" in names or "sgn" in names) and any(map(_SIGNATURE.fullmatch, names.split()))


def _begins_history(element: etree._Element) -> bool:
    names: Iterator[str] = iter((element.get("class") or "").lower().split())
    identities = filter(None, (element.get("id"), element.get("name")))
    return (
        any(_HISTORY_IDS.fullmatch(one.lower()) for one in identities)
        or any(_HISTORY_CLASSES.fullmatch(n) for n in names)
        or (element.tag == "div" and element.get("name") == "quote")  # GMX and WEB.DE
        or bool(_OUTLOOK_RULE.search((element.get("style") or "").lower()))
    )
