"""Converts what a comment says from Jira's markup to Markdown, without quotes of others."""

import re
from typing import Any, Final

from integrations.jira.markup.adf import text_of_adf
from integrations.jira.markup.wiki import text_of_wiki
from triage.domain.conversation import Json

_QUOTES: Final = re.compile(r"\{quote\}.*?(?:\{quote\}|\Z)", re.DOTALL | re.IGNORECASE)
_LINES: Final = re.compile(r"^(?:bq\.\s|>).*$", re.MULTILINE)
_MARKS: Final = re.compile(r"([\\`*_\[\]<>#~|&])")
_BEGINNINGS: Final = re.compile(r"^(\s*)([+=-])(?!\s)", re.MULTILINE)
_WRAPPED: Final = {"strong": "**", "em": "*"}
_DEEPEST: Final = 40
_BREAKS: Final = re.compile(r"(?<!\n)\n(?!\n)")
"""Single ends of lines: Jira shows them, Markdown only behind two spaces."""
_EMPTY_LINES: Final = re.compile(r"\n\s*\n\s*\n+")


def markdown_of(body: Json) -> str:
    """Return a comment's text as Markdown: a document keeps bold, italics, code and links; wiki markup its words and lists."""
    if isinstance(body, dict):
        return text_of_adf(_marked(body, 0)).strip()
    markup = body if isinstance(body, str) else ""
    own = _LINES.sub("", _QUOTES.sub("", markup.replace("\r\n", "\n").replace("\r", "\n")))
    text = _EMPTY_LINES.sub("\n\n", _escaped(text_of_wiki(own))).strip()
    return _BREAKS.sub("  \n", text)


def _escaped(text: str) -> str:
    """Return text that Markdown shows as it is; the signs of lists stay."""
    return _BEGINNINGS.sub(r"\1\\\2", _MARKS.sub(r"\\\1", text))


def _marked(node: dict[str, Any], depth: int) -> dict[str, Any]:
    """Return the node with Markdown for its texts, without quotes; what is nested too deeply is left out."""
    if node.get("type") == "text":
        return {"type": "text", "text": _run(node)}
    if node.get("type") == "hardBreak":
        return {"type": "text", "text": "  \n"}
    if node.get("type") == "codeBlock":
        return {"type": "paragraph", "content": [{"type": "text", "text": _code(node)}]}
    if not isinstance(node.get("content"), list):
        return node
    inner = [each for each in node["content"] if isinstance(each, dict) and each.get("type") != "blockquote"]
    return {**node, "content": [_marked(each, depth + 1) for each in inner] if depth < _DEEPEST else []}


def _code(node: dict[str, Any]) -> str:
    """Return a block of code between fences longer than any in it."""
    code = text_of_adf({"content": [node]})
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", code)), 3)
    return f"{fence}\n{code}\n{fence}"


def _run(node: dict[str, Any]) -> str:
    text = str(node.get("text") or "")
    marks = [mark for mark in node.get("marks") or () if isinstance(mark, dict)]
    kinds = [str(mark.get("type")) for mark in marks]
    if "code" in kinds and "`" not in text:
        return f"`{text}`"
    inner = _escaped(text)
    for kind in kinds:
        if (sign := _WRAPPED.get(kind)) and text.strip() == text:
            inner = f"{sign}{inner}{sign}"
    link = next((_address(mark) for mark in marks if mark.get("type") == "link"), "")
    return f"[{inner}](<{link}>)" if link else inner


def _address(mark: dict[str, Any]) -> str:
    """Return the address of a link; empty unless it is one of the web or of a mailbox."""
    attributes = mark.get("attrs")
    address = str(attributes.get("href") or "") if isinstance(attributes, dict) else ""
    return address if re.fullmatch(r"(?:https?://|mailto:)[^\s<>\\]+", address) else ""
