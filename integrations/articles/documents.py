"""Reads one file of an article: its front matter, its title, its text as Markdown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

import yaml

from integrations.articles.html import markdown_of, title_of

FRONT: Final = re.compile(r"\A---[ \t]*\r?\n(?P<yaml>.*?)(?:^|\n)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
LARGEST_FRONT: Final = 20_000
"""Characters of front matter."""
HEADING: Final = re.compile(r"^#[ \t]+(?P<title>\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
CHARSET: Final = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]{2,40})""", re.IGNORECASE)
BOMS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
HTML: Final = frozenset({".html", ".htm"})
MARKDOWN: Final = frozenset({".md", ".markdown"})
LONGEST_TITLE: Final = 300
MOST_TAGS: Final = 20


class NotText(Exception):  # noqa: N818 - a verdict on a file, told as its problem
    """The bytes are no text; the message says why, and the cure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleDocument:
    """What stands in a file."""

    title: str
    text: str
    """Markdown without the front matter."""
    url: str = ""
    tags: tuple[str, ...] = ()
    draft: bool = False
    trouble: str = ""
    """What is wrong with the front matter, with its line; the text is there all the same."""


@dataclass(frozen=True, slots=True)
class _Front:
    values: Mapping[str, Any] = field(default_factory=dict)
    trouble: str = ""


def document_of(raw: bytes, path: PurePosixPath) -> ArticleDocument:
    """Read the bytes of a Markdown or HTML file. Raises `NotText`."""
    is_html = path.suffix.lower() in HTML
    whole = text_in(raw, is_html=is_html)
    found = FRONT.match(whole)
    front = _front(found["yaml"]) if found else _Front(trouble=_unclosed(whole))
    body = whole[found.end() :] if found else whole
    text = markdown_of(body) if is_html else body
    title = _words(front.values.get("title")) or (title_of(body) if is_html else "") or _heading(text) or _name(path)
    return ArticleDocument(
        title=title[:LONGEST_TITLE],
        text=text.replace("\r\n", "\n").strip(),
        url=_url(front.values.get("url")),
        tags=_tags(front.values.get("tags")),
        draft=front.values.get("draft") is True,
        trouble=front.trouble,
    )


def text_in(raw: bytes, *, is_html: bool = False) -> str:
    """Decode a file by its byte order mark, an HTML page by what it declares, else as UTF-8. Raises `NotText`."""
    charset = next((name for mark, name in BOMS if raw.startswith(mark)), "")
    if not charset and b"\0" in raw:
        raise NotText(f"is binary (byte {raw.index(0)} is 0); articles are text: convert it to Markdown or HTML")
    declared = CHARSET.search(raw[:2048]) if is_html and not charset else None
    charset = charset or (declared[1].decode() if declared else "utf-8")
    try:
        return raw.decode(charset)
    except UnicodeDecodeError as e:
        line = raw[: e.start].count(b"\n") + 1
        raise NotText(f"is not {charset} (line {line}, byte {e.start}); save it as UTF-8") from None
    except LookupError:
        raise NotText(f"declares the unknown charset {charset}; save it as UTF-8") from None


NOT_COUNTED: Final = "its title and tags do not count"


def _front(text: str) -> _Front:
    """Parse front matter; what cannot be parsed is told with its line in the file."""
    if len(text) > LARGEST_FRONT:
        return _Front(trouble=f"its front matter is longer than {LARGEST_FRONT:,} characters")
    try:
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as e:
        line = (e.problem_mark.line if e.problem_mark else 0) + 2
        return _Front(trouble=f"its front matter is no YAML in line {line} ({e.problem}); {NOT_COUNTED}")
    except (yaml.YAMLError, RecursionError, ValueError):
        return _Front(trouble=f"its front matter is no YAML; {NOT_COUNTED}")
    if values is None:
        return _Front()
    if not isinstance(values, dict):
        return _Front(trouble=f"its front matter is no list of `name: value`; {NOT_COUNTED}")
    return _Front({str(key): value for key, value in values.items()})


def _unclosed(text: str) -> str:
    """Say that front matter begins and does not end; a `---` above text may also be a rule."""
    begins = re.match(r"---[ \t]*\r?\n(?=[\w-]{1,40}:\s)", text)
    return "its front matter begins in line 1 and does not end: close it with ---" if begins else ""


def _words(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _url(value: Any) -> str:
    return value.strip() if isinstance(value, str) and re.fullmatch(r"https?://[!-~]{1,1000}", value.strip()) else ""


def _tags(value: Any) -> tuple[str, ...]:
    tags = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(filter(None, (_words(tag)[:60] for tag in tags[:MOST_TAGS])))


def _heading(text: str) -> str:
    found = HEADING.search(text[:20_000])
    return " ".join(found["title"].split()) if found else ""


def _name(path: PurePosixPath) -> str:
    """Make a title of a file's name."""
    words = re.sub(r"[-_\s]+", " ", path.stem).strip()
    return words[:1].upper() + words[1:]
