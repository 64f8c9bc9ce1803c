"""Atlassian Document Format (ADF): checks documents and extracts their text."""

from collections.abc import Iterator
from typing import Any, Final

Node = dict[str, Any]


def _kinds(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BLOCKS: Final = _kinds(
    "paragraph heading bulletList orderedList codeBlock blockquote rule panel table"
    " expand mediaSingle mediaGroup taskList decisionList blockCard"
)
_INLINE: Final = _kinds("text hardBreak mention emoji inlineCard date status")
_IN_ITEM: Final = _kinds("paragraph bulletList orderedList codeBlock mediaSingle taskList")
_IN_CELL: Final = (_BLOCKS - {"table", "expand"}) | {"nestedExpand"}
_IN_QUOTE: Final = _kinds("paragraph bulletList orderedList codeBlock mediaSingle mediaGroup")
_TEXT: Final = frozenset({"text"})

_CHILDREN: Final[dict[str, frozenset[str]]] = {
    "doc": _BLOCKS,
    "paragraph": _INLINE,
    "heading": _INLINE,
    "bulletList": frozenset({"listItem"}),
    "orderedList": frozenset({"listItem"}),
    "listItem": _IN_ITEM,
    "codeBlock": _TEXT,
    "blockquote": _IN_QUOTE,
    "panel": _IN_QUOTE | {"heading", "rule", "blockCard"},
    "table": frozenset({"tableRow"}),
    "tableRow": frozenset({"tableHeader", "tableCell"}),
    "tableHeader": _IN_CELL,
    "tableCell": _IN_CELL,
    "expand": _BLOCKS - {"expand"},
    "nestedExpand": _IN_QUOTE | {"heading", "rule"},
    "mediaSingle": frozenset({"media"}),
    "mediaGroup": frozenset({"media"}),
    "taskList": frozenset({"taskItem", "taskList"}),
    "taskItem": _INLINE,
    "decisionList": frozenset({"decisionItem"}),
    "decisionItem": _INLINE,
}
_LEAVES: Final = _INLINE | {"rule", "media", "blockCard"}
_NEVER_EMPTY: Final = frozenset({"bulletList", "orderedList", "listItem", "table", "tableRow"})
_MARKS: Final = _kinds("code em link strike strong subsup textColor backgroundColor underline annotation border")
_DEEPEST: Final = 64


def is_document(value: object) -> bool:
    """Tell whether Jira would store the document: unknown nodes, empty text and misplaced blocks are refused."""
    return isinstance(value, dict) and value.get("type") == "doc" and value.get("version") == 1 and _sound(value, 0)


def _sound(node: Node, depth: int) -> bool:
    kind, content = node.get("type"), node.get("content", [])
    if not isinstance(kind, str) or not isinstance(content, list) or depth > _DEEPEST:
        return False
    if not _own_parts_sound(kind, node, content):
        return False
    allowed = _CHILDREN.get(kind, frozenset())
    return all(isinstance(child, dict) and _is_one_of(child, allowed) and _sound(child, depth + 1) for child in content)


def _is_one_of(node: Node, kinds: frozenset[str]) -> bool:
    kind = node.get("type")
    return isinstance(kind, str) and kind in kinds


def _own_parts_sound(kind: str, node: Node, content: list[Any]) -> bool:
    if kind == "text":
        return bool(node.get("text")) and isinstance(node["text"], str) and _marks_sound(node.get("marks", []))
    if kind == "heading" and not (isinstance(level := _attr(node, "level"), int) and 1 <= level <= 6):
        return False
    if kind in _LEAVES:
        return not content
    return bool(content) or kind not in _NEVER_EMPTY


def _marks_sound(marks: object) -> bool:
    if not isinstance(marks, list) or not all(isinstance(mark, dict) and _is_one_of(mark, _MARKS) for mark in marks):
        return False
    kinds = {mark["type"] for mark in marks}
    linked = all(isinstance(_attr(mark, "href"), str) for mark in marks if mark["type"] == "link")
    return linked and ("code" not in kinds or kinds <= {"code", "link"})


def _attr(node: Node, name: str) -> Any:
    attrs = node.get("attrs")
    return attrs.get(name) if isinstance(attrs, dict) else None


def attr(node: Node, name: str, default: str = "") -> str:
    """Return an attribute as text."""
    value = _attr(node, name)
    return default if value is None else str(value)


def children(node: Node) -> list[Node]:
    """Return the content of a node; empty if there is none."""
    content: list[Node] = node.get("content") or []
    return content


def plain(node: Node) -> str:
    """Return the text of a document, one line per block."""
    return "\n".join(_lines(node))


def _lines(node: Node) -> Iterator[str]:
    inside = children(node)
    if node["type"] in _INLINE or any(child["type"] in _INLINE for child in inside):
        yield inline_plain(node)
        return
    for child in inside:
        yield from _lines(child)


def inline_plain(node: Node) -> str:  # noqa: PLR0911 - one line per kind of node
    match node["type"]:
        case "text":
            return str(node["text"])
        case "hardBreak":
            return "\n"
        case "mention":
            return "@" + attr(node, "text", attr(node, "id")).removeprefix("@")
        case "emoji":
            return attr(node, "text", attr(node, "shortName"))
        case "inlineCard":
            return attr(node, "url")
        case "status" | "date":
            return attr(node, "text", attr(node, "timestamp"))
        case _:
            return "".join(map(inline_plain, children(node)))


def text(words: str, *marks: Node) -> Node:
    return {"type": "text", "text": words, "marks": list(marks)} if marks else {"type": "text", "text": words}


def block(kind: str, content: list[Node], **attrs: Any) -> Node:
    return {"type": kind, "attrs": attrs, "content": content} if attrs else {"type": kind, "content": content}


def document(blocks: list[Node]) -> Node:
    return {"type": "doc", "version": 1, "content": blocks}
