"""Makes both forms of a letter, plain text and simple HTML, of one Markdown source."""

from collections.abc import Iterable
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
"""Neither raw HTML nor pictures: a letter loads nothing and runs nothing."""


def html_of(markdown: str) -> str:
    """Return simple HTML; addresses with a scheme such as `javascript:` stay text."""
    return str(PARSER.render(markdown)).strip()


def plain_of(markdown: str) -> str:
    """Return the text as people write it in plain mails."""
    return _blocks(SyntaxTreeNode(PARSER.parse(markdown)).children)


def _blocks(nodes: Iterable[SyntaxTreeNode], between: str = "\n\n") -> str:
    return between.join(filter(None, map(_block, nodes)))


def _block(node: SyntaxTreeNode) -> str:
    """Return a block: a paragraph or heading as its words, others by their shape."""
    match node.type:
        case "bullet_list" | "ordered_list":
            return _list(node)
        case "blockquote":
            return _indented(_blocks(node.children), "> ", "> ")
        case "fence" | "code_block":
            return _indented(node.content.rstrip("\n"), "    ", "    ")
        case "hr":
            return "-" * 20
        case "table":
            rows = [row for part in node.children for row in part.children]
            return "\n".join(" | ".join(map(_words, row.children)) for row in rows)
    return _words(node)


def _list(node: SyntaxTreeNode) -> str:
    """Return the items, each after its mark, with its further lines below the first."""
    start = int(node.attrs.get("start", 1))
    ordered = node.type == "ordered_list"
    marks = [f"{start + place}. " if ordered else "- " for place, _ in enumerate(node.children)]
    items = [_blocks(item.children, "\n") for item in node.children]
    return "\n".join(_indented(item, mark, " " * len(mark)) for mark, item in zip(marks, items, strict=True))


def _indented(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    return "\n".join([f"{first}{lines[0]}", *(f"{others}{line}" for line in lines[1:])])


def _words(node: SyntaxTreeNode) -> str:
    """Return the words of a paragraph, a cell or a part of one; a link's address stands behind it."""
    match node.type:
        case "text" | "code_inline":
            return node.content
        case "softbreak" | "hardbreak":
            return "\n"
    text = "".join(map(_words, node.children))
    href = str(node.attrs.get("href", "")) if node.type == "link" else ""
    return text if not href or text == href.removeprefix("mailto:") else f"{text} ({href})"
