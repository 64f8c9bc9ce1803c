"""Converts the HTML of an article, or the storage format of Confluence, to Markdown; hidden text and scripts are left out."""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Final

from lxml import etree

DEEPEST: Final = 100
"""Elements within each other; text below is left out."""
SILENT: Final = frozenset(
    {"script", "style", "template", "noscript", "iframe", "object", "svg", "math", "canvas", "head", "title", "nav"}
    | {"ac:parameter", "ac:placeholder", "ri:user", "ri:attachment", "ac:image", "ac:emoticon", "ac:task-id"}
    | {"ac:task-uuid", "button", "input", "select", "form"}
)
"""Elements without text of the article."""
BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "aside", "figure", "figcaption", "dl", "dt", "dd"}
    | {"details", "summary", "address", "body", "html", "fieldset", "center", "ac:rich-text-body", "ac:layout"}
    | {"ac:layout-section", "ac:layout-cell", "ac:task", "ac:task-list", "ac:task-body", "ac:structured-macro"}
    | {"ac:adf-extension", "ac:adf-content"}
)
LISTS: Final = frozenset({"ul", "ol"})
HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
QUIET_MACROS: Final = frozenset(
    {"toc", "children", "pagetree", "contentbylabel", "recently-updated", "anchor", "status-old"}
)
"""Macros of Confluence that stand for what is no text of the page."""
CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?!\.?[1-9])", re.IGNORECASE)
MARKS: Final = {"strong": "**", "b": "**", "em": "_", "i": "_"}
LINK: Final = re.compile(r"(?:https?://|mailto:)[!-~]{1,500}")
BLANKS: Final = re.compile(r"[ \t\r\n\f\xa0]+")
LINES: Final = re.compile(r"\n{3,}")


def markdown_of(source: str) -> str:
    """Return the visible text of a page as Markdown: headings, lists, tables, code, links, what stands out."""
    root = _root(source)
    return "" if root is None else LINES.sub("\n\n", _Writer().block(root, 0)).strip()


def title_of(source: str) -> str:
    """Return what `<title>` says, else the first `<h1>`; empty if there is neither."""
    root = _root(source)
    if root is None:
        return ""
    for path in ("//title", "//h1"):
        found = root.xpath(path)
        if isinstance(found, list) and found and isinstance(found[0], etree._Element):  # noqa: SLF001 - lxml's type
            return BLANKS.sub(" ", "".join(str(text) for text in found[0].itertext())).strip()
    return ""


def _root(source: str) -> "etree._Element | None":
    """Parse as browsers do; CDATA, which HTML does not know, becomes text first."""
    plain = CDATA.sub(lambda found: escape(found[1], quote=False), source)
    if not plain.strip():
        return None
    # A parser per page: lxml's keeps errors and must not be shared by threads.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(plain.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None


class _Writer:
    """Walks the elements of one page; methods return Markdown."""

    def block(self, element: "etree._Element", depth: int) -> str:
        """Return the content of a block, with its blocks below as paragraphs of their own."""
        if depth > DEEPEST:
            return ""
        parts, line = list[str](), list[str]()

        def end_line() -> None:
            if text := _joined(line):
                parts.append(text)
            line.clear()

        line.append(_escaped(element.text))
        for child in element:
            tag = _tag(child)
            if (write := self._blocks.get(tag)) or tag in BLOCKS or tag in HEADINGS or tag in LISTS:
                end_line()
                if not _silent(child):
                    parts.append(write(self, child, depth + 1) if write else self._other(child, depth))
            else:
                line.append(self.inline(child, depth + 1))
            line.append(_escaped(child.tail))
        end_line()
        return "\n\n".join(filter(None, parts))

    def _other(self, element: "etree._Element", depth: int) -> str:
        """Return a heading, a list, or a block without a mark of its own."""
        tag = _tag(element)
        if tag in HEADINGS:
            words = self.inline(element, depth + 1).replace("\n", " ").strip().strip("*_ ")
            return f"{HEADINGS[tag]} {words}" if words else ""
        if tag in LISTS:
            return self._list(element, depth + 1)
        return self.block(element, depth + 1)

    def inline(self, element: "etree._Element", depth: int) -> str:
        """Return the content of a line."""
        tag = _tag(element)
        if _silent(element) or depth > DEEPEST:
            return ""
        if tag == "br":
            return "\n"
        if tag in {"code", "kbd", "samp", "tt"}:
            words = BLANKS.sub(" ", "".join(str(text) for text in element.itertext())).strip()
            return f"`{words}`" if words else ""
        below = (self.inline(child, depth + 1) + _escaped(child.tail) for child in element)
        words = "".join((_escaped(element.text), *below))
        if tag == "a":
            return _link(words, element.get("href") or "")
        if tag == "img":
            return BLANKS.sub(" ", element.get("alt") or "")
        mark, bare = MARKS.get(tag, ""), words.strip()
        return words.replace(bare, f"{mark}{bare}{mark}") if mark and bare and "\n" not in bare else words

    def _list(self, element: "etree._Element", depth: int) -> str:
        lines = []
        items = [child for child in element if _tag(child) in {"li", *LISTS} and not _silent(child)]
        for number, item in enumerate(items, 1):
            mark = f"{number}. " if _tag(element) == "ol" else "- "
            body = self.block(item, depth + 1) if _tag(item) == "li" else self._list(item, depth + 1)
            if body:
                rows = LINES.sub("\n", body.replace("\n\n", "\n")).split("\n")
                lines.append(mark + ("\n" + " " * len(mark)).join(rows))
        return "\n".join(lines)

    def _table(self, element: "etree._Element", depth: int) -> str:
        rows = []
        for row in element.iter("tr"):
            cells = [self.block(cell, depth + 1) for cell in row if _tag(cell) in {"td", "th"} and not _silent(cell)]
            rows.append([BLANKS.sub(" ", cell).replace("|", "\\|").strip() for cell in cells])
        rows = [row for row in rows if any(row)]
        if not rows:
            return ""
        width = max(map(len, rows))
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
        return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])

    def _code(self, element: "etree._Element", _depth: int) -> str:
        text = "".join(str(text) for text in element.itertext()).strip("\n")
        fence = "```" if "```" not in text else "~~~~"
        return f"{fence}\n{text}\n{fence}" if text.strip() else ""

    def _quote(self, element: "etree._Element", depth: int) -> str:
        return "\n".join(f"> {line}".rstrip() for line in self.block(element, depth + 1).split("\n"))

    def _macro(self, element: "etree._Element", depth: int) -> str:
        """Return what a macro of Confluence shows: a panel's title and text, code, an expanded section."""
        if (element.get("ac:name") or "") in QUIET_MACROS:
            return ""
        title = next(
            (
                child.text or ""
                for child in element
                if child.get("ac:name") == "title" and _tag(child) == "ac:parameter"
            ),
            "",
        ).strip()
        body = self.block(element, depth + 1)
        return "\n\n".join(filter(None, (f"**{title}**" if title else "", body)))

    _blocks: Final[dict[str, "Callable[[_Writer, etree._Element, int], str]"]] = {
        "table": _table,
        "pre": _code,
        "ac:plain-text-body": _code,
        "blockquote": _quote,
        "ac:structured-macro": _macro,
    }


def _tag(element: "etree._Element") -> str:
    return element.tag.lower()


def _silent(element: "etree._Element") -> bool:
    """Whether its text is not shown."""
    if _tag(element) in SILENT or element.get("hidden") is not None:
        return True
    return element.get("aria-hidden") == "true" or HIDDEN.search(element.get("style") or "") is not None


def _escaped(text: str | None) -> str:
    """Return text with single blanks; marks of Markdown within it stay, since nobody but readers and search sees them."""
    return BLANKS.sub(" ", text or "")


def _joined(parts: list[str]) -> str:
    """Join the parts of a line; a break of HTML is one of Markdown, too."""
    return "\n".join(_lines("".join(parts)))


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if words := re.sub(r" {2,}", " ", line).strip():
            yield words


def _link(words: str, target: str) -> str:
    """Return a link to another page; one within the site stays as its words."""
    shown = words.strip()
    if not shown or not LINK.fullmatch(target) or target in {shown, f"mailto:{shown}"}:
        return words
    return words.replace(shown, f"[{shown}]({target})")
