"""Converts Markdown to Atlassian Document Format (ADF, the text format of Jira Cloud), and ADF to plain text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from markdown_it.token import Token

from integrations.jira.markup.text import TEXT_LIMIT, TextRun, blocks, fitted, length, runs
from triage.domain.conversation import Json
from triage.domain.tickets import PANEL, Panel

_LISTS: Final = {"bullet_list": "bulletList", "ordered_list": "orderedList"}
_TABLES: Final = {"table": "table", "tr": "tableRow", "th": "tableHeader", "td": "tableCell"}
_LANGUAGE: Final = re.compile(r"[a-z]{2,12}")
_MAX_DEPTH: Final = 60
"""Nesting depth at which reading stops; no person writes deeper ones."""


@lru_cache(maxsize=8)
def adf_of(markdown: str, limit: int = TEXT_LIMIT) -> Json:
    """Convert Markdown to a document without mentions, cards or media, cut to `limit` characters.

    Fitting a draft and sending it ask for the same one: nobody may change it.
    """
    return fitted(markdown, limit, _document, lambda document: length(text_of_adf(document)))


def panel_adf(panel: Panel | None) -> list[Json]:
    """Return the panel as a collapsed block; empty if there is none."""
    if panel is None:
        return []
    return [{"type": "expand", "attrs": {"title": PANEL}, "content": adf_of(panel.markdown)["content"]}]


def with_panel(document: Json, panel: list[Json]) -> Json:
    """Return the document with the panel as its last block."""
    return {**document, "content": [*document["content"], *panel]}


def with_last_line(document: Json, line: str) -> Json:
    """Return the document with `line` as its last paragraph; unchanged if `line` is empty."""
    more = [_paragraph([TextRun(line)])] if line else []
    return {**document, "content": [*document["content"], *more]}


def _document(markdown: str, note: str) -> Json:
    page = _Page()
    for token in blocks(markdown):
        page.take(token)
    if note:
        page.content.append(_paragraph([TextRun(note, em=True)]))
    return {"type": "doc", "version": 1, "content": page.content}


@dataclass
class _Page:
    """Builds blocks in the nesting that ADF's schema allows: quotes and lists hold no headings, rules or quotes."""

    content: list[Json] = field(default_factory=list)
    open: list[tuple[str, list[Json]]] = field(default_factory=list)
    """The open containers (type, content), the innermost last."""
    level: int = 0
    """Level of the open heading; 0 outside of one."""

    @property
    def inside(self) -> str:
        """The type of the innermost container."""
        return self.open[-1][0] if self.open else "doc"

    @property
    def here(self) -> list[Json]:
        """The list to which the next block is added."""
        return self.open[-1][1] if self.open else self.content

    def take(self, token: Token) -> None:
        name, _, edge = token.type.rpartition("_")
        match token.type:
            case "inline":
                self.words(runs(token))
            case "heading_open" | "heading_close":
                self.level = int(token.tag[1:]) if token.nesting > 0 else 0
            case "fence" | "code_block":
                self.here.append(_code(token))
            case "hr" if self.inside == "doc":
                self.here.append({"type": "rule"})
            case _ if edge == "open":
                self.enter(name, token)
            case _ if edge == "close":
                self.leave(name)

    def words(self, found: list[TextRun]) -> None:
        """Add a paragraph or a heading."""
        if self.level and self.inside == "doc":
            self.here.append({"type": "heading", "attrs": {"level": self.level}, "content": _inline(found)})
        elif self.level:
            self.here.append(_paragraph([TextRun(run.text, strong=not run.breaks, link=run.link) for run in found]))
        else:
            self.here.append(_paragraph(found))

    def enter(self, name: str, token: Token) -> None:
        """Open a container; a quote inside a quote or list adds its content to that one."""
        if name in _LISTS:
            node: Json = {"type": _LISTS[name], "content": []}
            if name == "ordered_list" and (start := token.attrGet("start")) is not None:
                node["attrs"] = {"order": int(start)}
        elif name == "list_item":
            node = {"type": "listItem", "content": []}
        elif name in _TABLES and (self.inside in {"table", "tableRow"} or (name == "table" and self.inside == "doc")):
            node = {"type": _TABLES[name], "content": []}
        elif name == "blockquote" and self.inside == "doc":
            node = {"type": "blockquote", "content": []}
        elif name == "blockquote":
            self.open.append((self.inside, self.here))
            return
        else:
            return
        self.here.append(node)
        self.open.append((node["type"], node["content"]))

    def leave(self, name: str) -> None:
        """Close the container; the schema wants a paragraph first in an item, and no empty item or quote."""
        tables = name in _TABLES and self.inside == _TABLES[name]
        if name not in {*_LISTS, "list_item", "blockquote"} and not tables:
            return
        inside, content = self.open.pop()
        if inside in {"listItem", "blockquote"} and (not content or content[0]["type"] in _LISTS.values()):
            content.insert(0, _paragraph([]))


def _paragraph(found: list[TextRun]) -> Json:
    return {"type": "paragraph", "content": _inline(found)}


def _code(token: Token) -> Json:
    text = token.content.removesuffix("\n")
    language = token.info.strip()
    attributes = {"attrs": {"language": language}} if _LANGUAGE.fullmatch(language) else {}
    return {"type": "codeBlock", **attributes, "content": [{"type": "text", "text": text}] if text else []}


def _inline(found: list[TextRun]) -> list[Json]:
    return [{"type": "hardBreak"} if run.breaks else _text(run) for run in found]


def _text(run: TextRun) -> Json:
    # ADF's schema allows `code` together with a link mark only.
    names = ["code"] if run.code else [name for name, on in (("strong", run.strong), ("em", run.em)) if on]
    marks: list[Json] = [{"type": name} for name in names]
    if run.link:
        marks.append({"type": "link", "attrs": {"href": run.link}})
    return {"type": "text", "text": run.text} | ({"marks": marks} if marks else {})


# --- reading ----------------------------------------------------------------------------------


def text_of_adf(node: Json) -> str:
    """Return the document's text, blocks separated by empty lines; our own panel, media and the like are left out."""
    return "\n\n".join(part for part in _blocks_of(node, 0) if part.strip())


def _blocks_of(node: Json, depth: int) -> Iterator[str]:
    if depth > _MAX_DEPTH:
        return
    for child in _children(node):
        match child.get("type"):
            case "bulletList" | "orderedList" | "taskList" | "decisionList":
                yield "\n".join(_items(child, depth))
            case "table":
                yield "\n".join(_row(row, depth) for row in _children(child))
            case "rule":
                yield "----"
            case "expand" if _attribute(child, "title") == PANEL:
                pass
            case "paragraph" | "heading" | "codeBlock":
                yield _words(child, depth)
            case _ if any(grandchild.get("type") == "text" for grandchild in _children(child)):
                yield _words(child, depth)
            case _ if _children(child):
                yield "\n\n".join(_blocks_of(child, depth + 1))
            case _:
                yield _leaf(child)


def _items(node: Json, depth: int) -> Iterator[str]:
    first = _attribute(node, "order") or 1
    for number, item in enumerate(_children(node), int(first) if str(first).isdecimal() else 1):
        sign = f"{number}." if node["type"] == "orderedList" else "-"
        parts = [_words(item, depth)] if item.get("type") != "listItem" else list(_blocks_of(item, depth + 1))
        yield f"{sign} " + "\n".join(parts).replace("\n", "\n  ")


def _row(row: Json, depth: int) -> str:
    return " | ".join(" ".join(_blocks_of(cell, depth + 1)) for cell in _children(row))


def _words(node: Json, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return ""
    return "".join(_words(child, depth + 1) if _children(child) else _leaf(child) for child in _children(node))


def _leaf(node: Json) -> str:
    """Return the text of a node without children."""
    match node.get("type"):
        case "text":
            return str(node.get("text") or "")
        case "hardBreak":
            return "\n"
        case "date":
            return _day(_attribute(node, "timestamp"))
        case _:
            return _attribute(node, "text") or _attribute(node, "url") or _attribute(node, "alt")


def _day(milliseconds: str) -> str:
    try:
        return datetime.fromtimestamp(int(milliseconds) / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _children(node: Json) -> list[Json]:
    content = node.get("content") if isinstance(node, dict) else None
    return [child for child in content if isinstance(child, dict)] if isinstance(content, list) else []


def _attribute(node: Json, name: str) -> str:
    attributes = node.get("attrs")
    value = attributes.get(name) if isinstance(attributes, dict) else None
    return str(value) if isinstance(value, str | int) else ""
