"""Converts wiki markup, Jira's older format, to ADF and back."""

import re
from collections.abc import Iterator
from typing import Final

from triage_sandbox.jira.markup import adf
from triage_sandbox.jira.markup.adf import Node

_FENCE: Final = re.compile(r"(?<![\\{])\{(code|noformat|quote|panel)(?::([^}\n]*))?\}")
_HEADING: Final = re.compile(r"h([1-6])\.\s+(.*)")
_ITEM: Final = re.compile(r"([*#-]+)\s+(.*)")
# Every run that may fail to close is bounded: hostile text must not make reading quadratic.
_INLINE: Final = re.compile(
    r"""
      \\\\(?P<newline>)
    | \\(?P<escaped>[^\w\s]|_)
    | \{\{(?P<code>[^\n]{1,999}?)\}\}
    | \[~(?P<mention>[^\]\n]{1,128})\]
    | \[(?:(?P<label>[^\]|\n]{1,500})\|)?(?P<href>(?:https?://|mailto:|\#)[^\]|\s]*)(?:\|[^\]\n]{0,99})?\]
    | (?P<url>https?://[^\s<>"\]|}*]+[^\s<>"\]|}*.,;:!?)])
    | &\#(?P<entity>[1-9]\d{1,4});
    | \{color(?::[^}\n]{0,30})?\}(?P<colour>)
    | (?<![\w\\])(?P<mark>[*_+-])(?P<inner>[^\s*_+\\-]|[^\s*_+-][^\n*_+-]*[^\s*_+\\-])(?P=mark)(?!\w)
    """,
    re.VERBOSE,
)
_MARKS: Final = {"*": "strong", "_": "em", "-": "strike", "+": "underline"}
_SIGNS: Final = {mark: sign for sign, mark in _MARKS.items()}
_LINE_START: Final = re.compile(r"^(?=(?:[*#-]+|h[1-6]\.|bq\.)\s|\||----)", re.MULTILINE)
_RISKY: Final = re.compile(
    r"""
      (?P<url>https?://[^\s<>"\]|}*]+[^\s<>"\]|}*.,;:!?)])
    | \\(?![^\W_]|\s)
    | &(?=\#\d)
    | \{(?=\{|color|code|noformat|quote|panel)
    | \[(?=\S)
    | (?<!\w)[*_+-](?=[^\s*_+-])
    """,
    re.VERBOSE,
)
_ENTITIES: Final = {"\\": "&#92;", "&": "&#38;"}
"""Two backslashes are a line break, so a backslash cannot escape itself."""


# --- reading ----------------------------------------------------------------------------------


def read(source: str) -> Node:
    """Convert wiki markup to ADF; what is no markup stays text."""
    return adf.document(list(_blocks(source.replace("\r\n", "\n").replace("\r", "\n"))))


def _blocks(source: str) -> Iterator[Node]:
    """Fenced parts and what stands between them."""
    position = 0
    while fence := _FENCE.search(source, position):
        end = source.find("{" + fence[1] + "}", fence.end())
        if end < 0:
            break
        yield from _lines(source[position : fence.start()])
        yield _fenced(fence[1], fence[2] or "", source[fence.end() : end].strip("\n"))
        position = end + len(fence[1]) + 2
    yield from _lines(source[position:])


def _fenced(kind: str, argument: str, inside: str) -> Node:
    if kind in {"code", "noformat"}:
        content = [adf.text(inside)] if inside else []
        language = argument.partition("|")[0]
        return adf.block("codeBlock", content, **({"language": language} if language and "=" not in language else {}))
    # Fences inside fences are text: one level is what mails need, and it keeps reading linear.
    content = list(_lines(inside)) or [adf.block("paragraph", [])]
    quoted = [
        part if part["type"] in {"paragraph", "bulletList", "orderedList"} else _flat(part["content"])
        for part in content
        if "content" in part
    ]
    if kind == "quote":
        return adf.block("blockquote", quoted)
    title = next((part.removeprefix("title=") for part in argument.split("|") if part.startswith("title=")), "")
    head = [adf.block("paragraph", [adf.text(title, {"type": "strong"})])] if title else []
    return adf.block("panel", [*head, *quoted], panelType="info")


def _flat(content: list[Node]) -> Node:
    return adf.block("paragraph", [adf.text(words)] if (words := adf.plain(adf.document(content))) else [])


def _lines(source: str) -> Iterator[Node]:
    """Headings, lists, tables, quotes and paragraphs."""
    lines = source.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        taken = 1
        if heading := _HEADING.match(line):
            yield adf.block("heading", _inline(heading[2]), level=int(heading[1]))
        elif line.startswith("bq. "):
            yield adf.block("blockquote", [adf.block("paragraph", _inline(line[4:]))])
        elif re.fullmatch(r"-{4,}", line):
            yield {"type": "rule"}
        elif _ITEM.match(line):
            items = _run(lines, at, _ITEM)
            yield from _lists(items, 1)
            taken = len(items)
        elif line.startswith("|"):
            rows = _run(lines, at, re.compile(r"\|"))
            yield adf.block("table", [_row(row) for row in rows])
            taken = len(rows)
        elif line:
            words = _paragraph(lines, at)
            yield adf.block("paragraph", _inline("\n".join(words)))
            taken = len(words)
        at += taken


def _run(lines: list[str], at: int, shape: re.Pattern[str]) -> list[str]:
    """Lines of one shape, one below the other."""
    end = at
    while end < len(lines) and shape.match(lines[end].strip()):
        end += 1
    return [line.strip() for line in lines[at:end]]


def _paragraph(lines: list[str], at: int) -> list[str]:
    """Lines up to an empty one or to one that opens another block."""
    end = at + 1
    while end < len(lines) and (line := lines[end].strip()) and not _LINE_START.match(line):
        end += 1
    return [line.strip() for line in lines[at:end]]


def _lists(items: list[str], depth: int) -> Iterator[Node]:
    """Lists of one depth; deeper items belong to the one before them."""
    at = 0
    while at < len(items):
        kind = _kind(items[at], depth)
        members: list[Node] = []
        while at < len(items) and _kind(items[at], depth) == kind:
            end = at + 1
            while end < len(items) and len(_signs(items[end])) > depth:
                end += 1
            words = _ITEM.match(items[at])
            paragraph = adf.block("paragraph", _inline(words[2] if words else ""))
            deeper = list(_lists(items[at + 1 : end], depth + 1)) if depth < 8 else []
            members.append(adf.block("listItem", [paragraph, *deeper]))
            at = end
        yield adf.block(kind, members)


def _signs(item: str) -> str:
    return item.split(None, 1)[0]


def _kind(item: str, depth: int) -> str:
    signs = _signs(item)
    return "orderedList" if signs[min(depth, len(signs)) - 1] == "#" else "bulletList"


def _row(line: str) -> Node:
    kind, sign = ("tableHeader", "||") if line.startswith("||") else ("tableCell", "|")
    cells = line.strip("|").split(sign)
    return adf.block("tableRow", [adf.block(kind, [adf.block("paragraph", _inline(cell.strip()))]) for cell in cells])


def _inline(source: str, *marks: Node) -> list[Node]:
    """Text with its marks."""
    nodes: list[Node] = []
    position = 0
    for found in _INLINE.finditer(source):
        nodes += _text(source[position : found.start()], *marks)
        nodes += _marked(found, *marks)
        position = found.end()
    return _joined(nodes + _text(source[position:], *marks))


def _text(words: str, *marks: Node) -> list[Node]:
    """Text nodes with hard breaks between the lines."""
    nodes: list[Node] = []
    for number, line in enumerate(words.split("\n")):
        nodes += [{"type": "hardBreak"}] if number else []
        nodes += [adf.text(line, *marks)] if line else []
    return nodes


def _marked(found: re.Match[str], *marks: Node) -> list[Node]:  # noqa: PLR0911 - one line per kind of markup
    match found.lastgroup:
        case "newline":
            return [{"type": "hardBreak"}]
        case "escaped":
            return [adf.text(found["escaped"], *marks)]
        case "entity":
            return [adf.text(chr(int(found["entity"])), *marks)]
        case "code":
            return [adf.text(found["code"], {"type": "code"})]
        case "mention":
            name = found["mention"].removeprefix("accountid:")
            return [{"type": "mention", "attrs": {"id": name, "text": f"@{name}"}}]
        case "href" | "url":
            href = found["href"] or found["url"]
            return [adf.text(found["label"] or href, *marks, {"type": "link", "attrs": {"href": href}})]
        case "inner":
            return _inline(found["inner"], *marks, {"type": _MARKS[found["mark"]]})
        case _:
            return []


def _joined(nodes: list[Node]) -> list[Node]:
    """Neighbouring texts with the same marks are one text."""
    joined: list[Node] = []
    for node in nodes:
        last = joined[-1] if joined else {}
        if node["type"] == "text" == last.get("type") and node.get("marks") == last.get("marks"):
            joined[-1] = {**last, "text": last["text"] + node["text"]}
        else:
            joined.append(node)
    return joined


# --- writing ----------------------------------------------------------------------------------


def write(document: Node) -> str:
    """Convert ADF to wiki markup."""
    return "\n\n".join(_written(node) for node in adf.children(document))


def _written(node: Node, signs: str = "") -> str:  # noqa: PLR0911 - one line per kind of block
    inside = adf.children(node)
    match node["type"]:
        case "heading":
            return f"h{adf.attr(node, 'level', '1')}. {_line(node)}"
        case "bulletList" | "orderedList":
            sign = signs + ("#" if node["type"] == "orderedList" else "*")
            return "\n".join(_written(item, sign) for item in inside)
        case "listItem":
            return f"{signs} " + "\n".join(_written(part, signs) for part in inside)
        case "codeBlock":
            return _fence(adf.plain(node), adf.attr(node, "language"))
        case "blockquote":
            return "{quote}\n" + write(node) + "\n{quote}"
        case "panel" | "expand":
            title = re.sub(r"[{}|\n]", " ", adf.attr(node, "title"))
            return f"{{panel{f':title={title}' if title else ''}}}\n" + write(node) + "\n{panel}"
        case "table":
            return "\n".join(_written(row) for row in inside)
        case "tableRow":
            sign = "||" if any(cell["type"] == "tableHeader" for cell in inside) else "|"
            return sign + sign.join(f" {_cell(cell)} " for cell in inside) + sign
        case "rule":
            return "----"
        case _:
            return _shielded(_line(node))


def _fence(words: str, language: str) -> str:
    name = "noformat" if "{code}" in words else "code"
    opening = f"{name}:{language}" if language and name == "code" else name
    return f"{{{opening}}}\n{words}\n{{{name}}}"


def _shielded(lines: str) -> str:
    """Lines that open no list, heading, quote, table or rule."""
    return re.sub(r"^\\(h[1-6]|bq)\.", r"\1&#46;", _LINE_START.sub(r"\\", lines), flags=re.MULTILINE)


def _cell(cell: Node) -> str:
    return r"\\ ".join(_line(part) for part in adf.children(cell)).replace("\n", r"\\ ")


def _line(node: Node) -> str:
    return "".join(_inline_written(part) for part in adf.children(node))


def _inline_written(node: Node) -> str:
    match node["type"]:
        case "text":
            return _marked_written(node)
        case "mention":
            return f"[~accountid:{adf.attr(node, 'id')}]"
        case "inlineCard":
            return f"[{adf.attr(node, 'url')}]"
        case _:
            return adf.inline_plain(node) or _line(node)


def _marked_written(node: Node) -> str:
    marks = {mark["type"]: mark for mark in node.get("marks", [])}
    if "code" in marks:
        return f"{{{{{node['text']}}}}}"
    words = _escaped(str(node["text"]))
    for mark in marks.keys() & _SIGNS.keys():
        words = f"{_SIGNS[mark]}{words}{_SIGNS[mark]}"
    if "link" in marks:
        href = adf.attr(marks["link"], "href")
        return f"[{href}]" if node["text"] == href else f"[{words}|{href}]"
    return words


def _escaped(words: str) -> str:
    """Text that reads as text: what could be markup is escaped, addresses stay as they are."""
    return _RISKY.sub(lambda found: found["url"] or _ENTITIES.get(found[0]) or "\\" + found[0], words)
