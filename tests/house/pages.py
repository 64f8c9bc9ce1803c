"""The pages of the documentation as tests read them: links, headings, blocks of code, words set as code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from tests.conftest import ROOT

DOCS = ROOT / "docs"
SITE = sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "decisions" or path.name == "README.md")
"""What the site shows, but for the decision records."""
OTHERS = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
_BLOCK = re.compile(r"^( *)```(\w*)([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its title (a file's name) and its text."""

    page: Path
    language: str
    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.title or self.language}"


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in its order."""
    for _, language, about, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        title = re.search(r'title="([^"]*)"', about)
        yield Block(page, language, title[1] if title else "", dedent(text))


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _BLOCK.sub("", page.read_text(encoding="utf-8"))


def spans(page: Path) -> list[str]:
    """What stands between backticks in the prose."""
    return [text.replace("\\|", "|") for text in re.findall(r"`([^`\n]+)`", prose(page))]


def links(page: Path) -> list[str]:
    """Targets of links to files and headings; addresses are left out."""
    return [to for to in _LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))) if not re.match(r"[a-z]+:", to)]


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub and the site make them."""
    texts = re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") for text in texts}
