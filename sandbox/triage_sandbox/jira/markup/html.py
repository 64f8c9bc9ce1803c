"""Renders an ADF document as HTML; escapes all text and keeps only safe links."""

from typing import Final

from markupsafe import Markup, escape

from triage_sandbox.jira.markup import adf
from triage_sandbox.jira.markup.adf import Node

_TAGS: Final = {
    "paragraph": "p",
    "bulletList": "ul",
    "orderedList": "ol",
    "listItem": "li",
    "blockquote": "blockquote",
    "panel": "blockquote",
    "table": "table",
    "tableRow": "tr",
    "tableHeader": "th",
    "tableCell": "td",
    "taskList": "ul",
    "taskItem": "li",
    "decisionList": "ul",
    "decisionItem": "li",
}
_MARKS: Final = {"strong": "strong", "em": "em", "code": "code", "strike": "del", "underline": "u"}
_SAFE: Final = ("http://", "https://", "mailto:")


def html(node: Node) -> Markup:  # noqa: PLR0911 - one line per kind of node
    match node["type"]:
        case "text":
            return _text(node)
        case "hardBreak":
            return Markup("<br>")
        case "rule":
            return Markup("<hr>")
        case "heading":
            # The page has its own headings above the text's.
            return _wrapped(f"h{min(int(adf.attr(node, 'level', '1')) + 2, 6)}", _inside(node))
        case "codeBlock":
            return _wrapped("pre", _wrapped("code", _inside(node)))
        case "expand" | "nestedExpand":
            summary = _wrapped("summary", escape(adf.attr(node, "title")))
            return _wrapped("details", summary + _inside(node))
        case "inlineCard" | "blockCard":
            return _link(adf.attr(node, "url"), escape(adf.attr(node, "url")))
        case kind if kind in _TAGS:
            return _wrapped(_TAGS[kind], _inside(node))
        case _:
            return _inside(node) or escape(adf.inline_plain(node))


def _inside(node: Node) -> Markup:
    return Markup().join(html(child) for child in adf.children(node))


def _wrapped(tag: str, inside: Markup) -> Markup:
    return Markup("<{0}>{1}</{0}>").format(tag, inside)


def _text(node: Node) -> Markup:
    shown = Markup("<br>").join(node["text"].split("\n"))
    for mark in node.get("marks", []):
        if mark["type"] == "link":
            shown = _link(adf.attr(mark, "href"), shown)
        elif mark["type"] in _MARKS:
            shown = _wrapped(_MARKS[mark["type"]], shown)
    return shown


def _link(href: str, shown: Markup) -> Markup:
    if not href.lower().startswith(_SAFE):
        return shown
    return Markup('<a href="{0}" rel="noopener noreferrer nofollow">{1}</a>').format(href, shown)
