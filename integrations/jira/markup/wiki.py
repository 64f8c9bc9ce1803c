"""Converts Markdown to wiki markup (the text format of Jira Data Center), and wiki markup to plain text."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from markdown_it.token import Token

from integrations.jira.markup.text import TEXT_LIMIT, TextRun, blocks, fitted, length, runs
from triage.domain.mail import PICTURE
from triage.domain.tickets import PANEL, Panel

_LANGUAGES: Final = frozenset({"bash", "go", "java", "javascript", "json", "php", "python", "ruby", "sql", "xml"})
"""Languages that `{code}` knows under the same name in all versions of Jira; another name shows an error."""
_ROW: Final = re.compile(r"^\|{1,2}(\S.*?|\s.*?)\|{1,2}[ \t]*$", re.MULTILINE)
_CELL: Final = re.compile(r"(?<!\\)\|{1,2}")
_SIGNS: Final = {"bullet_list": "*", "ordered_list": "#"}

# Addresses stay unescaped, so that Jira links them; none of these characters opens a macro, link or image.
_ADDRESS: Final = re.compile(r"https?://(?:[A-Za-z0-9/._~%=+?#@:,;-]|&(?!#?\w+;))+")
_LIVE: Final = re.compile(
    r"""
      [{}\[\]!|*^~]                  # macros, links, mentions, images, tables, phrases
    | (?<!\w)[-_+] | [-_+](?!\w)     # phrases and dashes; inside a word they are letters
    | \?(?=\?) | (?<=\?)\?           # citations
    | \((?=[A-Za-z/!?+*-]{1,4}\d?\)) # emoticons such as (x), (/) and (off)
    | \\ | &(?=\#?\w+;)
    """,
    re.VERBOSE,
)
_ENTITIES: Final = {"\\": "&#92;", "&": "&#38;"}
"""Two backslashes are a line break, so a backslash cannot escape itself; the renderer shows entities."""
_LINE_START: Final = re.compile(r"^(\s*)(?:(#)|(h[1-6]|bq)\.)", re.IGNORECASE)
_IN_LABEL: Final = re.compile(r"\\([\[\]|])")
_LINK_BREAKING: Final = re.compile(r"[\[\]{}|\\^!*\s~]")
_PLAIN_NAME: Final = re.compile(r"(?!\.)[\w.,@()+= -]{1,120}(?<=[\w)])\.(?:png|jpe?g|gif|bmp)", re.IGNORECASE)
"""Name of a file of the ticket itself: a colon, slash or caret would refer to something outside of it."""


def wiki_of(markdown: str, limit: int = TEXT_LIMIT, *, pictures: bool = True) -> str:
    """Convert Markdown to markup cut to `limit`; all text is escaped, only its structure and own pictures are active."""
    return fitted(markdown, limit, partial(_markup, pictures=pictures), length)


def panel_wiki(panel: Panel | None) -> str:
    """Return the panel as a panel with a title, since wiki markup collapses nothing; empty if there is none."""
    return f"{{panel:title={PANEL}}}\n{wiki_of(panel.markdown, pictures=False)}\n{{panel}}" if panel else ""


def _markup(markdown: str, note: str, *, pictures: bool) -> str:
    page = _Page(pictures=pictures)
    for token in blocks(markdown):
        page.take(token)
    if note:
        page.add(page.inline([TextRun(note, em=True)]))
    return "\n".join(page.lines).strip("\n")


@dataclass
class _Page:
    """Builds lines of markup. Jira ends a list at an empty line and does not nest quotes."""

    pictures: bool
    """Show `[image: screen.png]` as the ticket's attachment."""
    lines: list[str] = field(default_factory=list)
    signs: str = ""
    """The open lists: `*#` is a numbered list in a bulleted one."""
    fresh: bool = False
    """The open item has no line yet."""
    quotes: list[bool] = field(default_factory=list)
    """The open quotes, and whether each of them is written."""
    level: int = 0
    """Level of the open heading; 0 outside of one."""
    cells: list[str] | None = None
    """The open table row."""
    rows: list[str] = field(default_factory=list)
    """The rows of the open table; the first one is its head."""

    def take(self, token: Token) -> None:
        name, _, edge = token.type.rpartition("_")
        match token.type:
            case "inline":
                self.words(runs(token))
            case "heading_open" | "heading_close":
                self.level = int(token.tag[1:]) if token.nesting > 0 else 0
            case "fence" | "code_block":
                self.add(_code(token))
            case "tr_open" | "tr_close" | "table_close":
                self.table(token.type)
            case "hr" if not self.signs:
                self.add("----")
            case "list_item_open":
                self.fresh = True
            case "blockquote_open" | "blockquote_close":
                self.quote(opening=edge == "open")
            case _ if name in _SIGNS:
                self.signs = self.signs + _SIGNS[name] if edge == "open" else self.signs[:-1]
                if not self.signs:
                    self.lines.append("")

    def table(self, event: str) -> None:
        """Open or close a row, or write the table: rows follow each other without blank lines."""
        if event == "tr_open":
            self.cells = []
        elif self.cells is not None:
            self.rows.append(_row(self.cells, head=not self.rows))
            self.cells = None
        else:
            self.add("\n".join(self.rows))
            self.rows = []

    def words(self, found: list[TextRun]) -> None:
        """Add a paragraph or a heading."""
        if self.cells is not None:
            self.cells.append(self.inline([TextRun(" ") if run.breaks else run for run in found]))
        elif self.level and not self.signs:
            self.add(f"h{self.level}. " + self.inline([TextRun(" ") if run.breaks else run for run in found]))
        else:
            self.add(self.inline(found))

    def inline(self, found: list[TextRun]) -> str:
        """Return the markup of one block's runs."""
        pieces: list[str] = []
        for run in found:
            at_start = not pieces or pieces[-1].endswith("\n")
            pieces.append("\n" if run.breaks else self.run(run, at_start=at_start))
        return "".join(pieces)

    def run(self, run: TextRun, *, at_start: bool) -> str:
        plain = run.link or run.code or not self.pictures
        words = inert(run.text, at_start=at_start) if plain else _pictured(run.text, at_start=at_start)
        return _marked(run, words)

    def quote(self, *, opening: bool) -> None:
        """Write only the outermost quote, and none inside a list."""
        written = not self.signs and not any(self.quotes) if opening else self.quotes.pop()
        if opening:
            self.quotes.append(written)
        if written:
            self.lines.append("{quote}" if opening else "{quote}\n")

    def add(self, markup: str) -> None:
        """Add a block: after the list sign in a list, before an empty line elsewhere."""
        if self.signs and self.fresh:
            markup = f"{self.signs} {markup}"
        self.fresh = False
        self.lines.append(markup if self.signs else markup + "\n")


def _code(token: Token) -> str:
    """Return a code block with its language, if Jira knows it."""
    language = token.info.strip()
    macro, option = ("code", f":{language}") if language in _LANGUAGES else ("noformat", "")
    text = re.sub(rf"\{{(?={macro})", "{ ", token.content.rstrip("\n"), flags=re.IGNORECASE)
    return f"{{{macro}{option}}}\n{text}\n{{{macro}}}"


def _row(cells: Sequence[str], *, head: bool) -> str:
    """Return a table row; an empty cell needs a blank."""
    sign = "||" if head else "|"
    return f"{sign}{sign.join(cell or ' ' for cell in cells)}{sign}"


def _marked(run: TextRun, words: str) -> str:
    if run.link:
        # Jira splits a link at bars and brackets before it handles backslashes.
        words = _IN_LABEL.sub(lambda found: f"&#{ord(found[1])};", words)
        href = _LINK_BREAKING.sub(lambda found: f"%{ord(found.group()):02X}", run.link)
        return f"[{words}|{href}]" if words.strip() else f"[{href}]"
    signs = "".join(sign for sign, on in (("*", run.strong), ("_", run.em)) if on and not run.code)
    # Jira reads a phrase sign only next to a word, and `{{` followed by a brace as another macro.
    core = words.strip()
    if not core or (run.code and re.search(r"[{}\\&]", core)) or not (signs or run.code):
        return words
    marked = f"{{{{{core}}}}}" if run.code else f"{signs}{core}{signs[::-1]}"
    return words.replace(core, marked, 1)


def _pictured(text: str, *, at_start: bool) -> str:
    """Escape the text and insert the mail's pictures, which are attached to the ticket, at their places."""
    pieces, position = [""], 0
    for found in PICTURE.finditer(text):
        between = text[position : found.start()]
        if _PLAIN_NAME.fullmatch(found[1]) and _apart(between[-1:], text[found.end() :][:1]):
            pieces.append(inert(between, at_start=at_start) if not position else inert(between, at_start=False) or " ")
            pieces.append(f"!{' '.join(found[1].split())}|thumbnail!")
            position = found.end()
    return "".join(pieces) + inert(text[position:], at_start=at_start and not position)


def _apart(before: str, behind: str) -> bool:
    """Tell whether Jira would show a picture here: not next to a letter, nor right after an address."""
    return (not before or before.isspace()) and not behind.isalnum()


def inert(text: str, *, at_start: bool = True) -> str:
    """Escape text, so that Jira shows it literally: no mention, macro, image, table, heading or list."""
    lines = enumerate(text.split("\n"))
    return "\n".join(_inert_line(line, at_start=at_start or number > 0) for number, line in lines)


def _inert_line(line: str, *, at_start: bool) -> str:
    safe, position = "", 0
    for address in _ADDRESS.finditer(line):
        safe += _escaped(line[position : address.start()]) + address.group()
        position = address.end()
    safe += _escaped(line[position:])
    return _LINE_START.sub(_defused, safe) if at_start else safe


def _escaped(text: str) -> str:
    return _LIVE.sub(lambda found: _ENTITIES.get(found.group()) or "\\" + found.group(), text)


def _defused(found: re.Match[str]) -> str:
    """Escape a line start; a backslash cannot escape a dot, so `h1.` gets an entity."""
    indent, number, word = found.groups()
    return f"{indent}\\#" if number else f"{indent}{word}&#46;"


# --- reading ----------------------------------------------------------------------------------

_FENCE: Final = re.compile(
    r"(?<!\\)\{(code|noformat)(?::[^}\n]{0,200})?\}(.*?)(?:\{\1\}|\Z)", re.DOTALL | re.IGNORECASE
)
_OWN_PANEL: Final = re.compile(rf"(?<!\\)\{{panel:title={re.escape(PANEL)}\}}.*?(?:\{{panel\}}|\Z)", re.DOTALL)
_MACRO: Final = re.compile(r"(?<!\\)\{(?:quote|panel|color|section|column|anchor)(?::[^}\n]{0,200})?\}", re.IGNORECASE)
_MENTION: Final = re.compile(r"(?<!\\)\[~(?:accountid:)?([^\]\n]{1,128})\]")
_LINK: Final = re.compile(r"(?<!\\)\[(?:([^\]|\n\[]{1,500})\|)?([^\]|\s\[]{1,2000})(?:\|[^\]\n]{0,100})?\]")
_IMAGE: Final = re.compile(r"(?<![\\\w!])!([^!|\s][^!|\n]{0,200})(?:\|[^!\n]{0,200})?!(?!\w)")
_HEAD: Final = re.compile(r"^[ \t]*(?:h[1-6]|bq)\.[ \t]+", re.MULTILINE)
_ITEM: Final = re.compile(r"^[ \t]*([*#-]{1,9})[ \t]+", re.MULTILINE)
_PHRASE: Final = re.compile(r"(?<![\w\\])([*_+])(?=\S)([^\n*_+]{0,300}[^\s*_+\\])\1(?!\w)")
_MONOSPACED: Final = re.compile(r"(?<!\\)\{\{([^\n{}]{1,500})\}\}")
_ESCAPE: Final = re.compile(r"\\([-#*_+?^~|%{}\[\]()!@])")


def text_of_wiki(markup: str) -> str:
    """Return wiki markup as plain text, approximately; code stays unchanged, our own panel is left out."""
    lines = markup.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_plain_parts(_OWN_PANEL.sub("", lines))).strip()


def _plain_parts(markup: str) -> Iterator[str]:
    position = 0
    for fence in _FENCE.finditer(markup):
        yield _plain(markup[position : fence.start()])
        yield fence[2].strip("\n")
        position = fence.end()
    yield _plain(markup[position:])


def _plain(markup: str) -> str:
    text = _MACRO.sub("", markup)
    text = _MENTION.sub(r"@\1", text)
    text = _LINK.sub(lambda link: f"{link[1]} ({link[2]})" if link[1] and link[1] != link[2] else link[2], text)
    text = _IMAGE.sub(r"\1", text)
    text = _HEAD.sub("", text)
    text = _ROW.sub(lambda row: " | ".join(cell.strip() for cell in _CELL.split(row[1])), text)
    text = _ITEM.sub(lambda item: "  " * (len(item[1]) - 1) + ("1. " if item[1].endswith("#") else "- "), text)
    text = _MONOSPACED.sub(r"\1", text)
    text = _PHRASE.sub(r"\2", _PHRASE.sub(r"\2", text))
    text = text.replace("\\\\", "\n")
    return html.unescape(_ESCAPE.sub(r"\1", text))
