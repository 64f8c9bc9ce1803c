"""Reads the articles and questions of an evaluation: Markdown or chunks, and questions whose right articles are known."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cli.evaluate.data_files import rows_of
from triage.domain.errors import SettingsInvalid
from triage.domain.support.articles import Article
from triage.domain.untrusted import Untrusted

TITLE: Final = re.compile(
    r"\A\s*---\n(?:.{0,2000}\n){0,100}?title:[ \t]*(.{1,500})\n|^#[ \t]+(.{1,500})$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class KnowledgeQuestion:
    """A question and the articles that answer it."""

    text: str
    right: frozenset[str]
    """Ids of the articles of which each answers it; empty: nothing does, and it must be refused."""


class Articles:
    """Articles that never change, as the library reads them."""

    def __init__(self, kept: Sequence[Article]) -> None:
        self.kept = tuple(kept)

    async def articles(self, source: str = "") -> tuple[Article, ...]:
        return tuple(article for article in self.kept if source in {"", article.source})

    async def change(self) -> int:
        """Return a constant: these articles never change."""
        return 1


def articles_of(path: Path) -> tuple[Article, ...]:
    """Read a folder of Markdown, or a file of chunks. Raises `SettingsInvalid` if there is no article, or a wrong line."""
    found = tuple(_pages(path) if path.is_dir() else _chunks(path))
    if not found:
        raise SettingsInvalid((f"{path}: holds no article; give a folder of Markdown or a chunks.jsonl",))
    return found


def questions_of(path: Path) -> tuple[KnowledgeQuestion, ...]:
    """Read questions with `article` (null: nothing answers it) or `correct_chunks`. Raises `SettingsInvalid`."""
    found = tuple(_question(path, number, row) for number, row in rows_of(path, ("question",)))
    if not found:
        raise SettingsInvalid((f"{path}: holds no question",))
    return found


def _pages(folder: Path) -> Iterator[Article]:
    """A page is known by its path below the folder, without its ending."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".md", ".mdx", ".markdown"} and file.is_file():
            text = file.read_text("utf-8", errors="replace")
            title = TITLE.search(text)
            name = file.relative_to(folder).with_suffix("").as_posix()
            title_text = (title[1] or title[2]).strip("\"' ") if title else file.stem.replace("-", " ")
            yield Article(id=name, title=title_text, text=Untrusted(text))


def _chunks(file: Path) -> Iterator[Article]:
    for _, row in rows_of(file, ("id", "text")):
        yield Article(id=str(row["id"]), title=str(row.get("title") or ""), text=Untrusted(str(row["text"])))


def _question(path: Path, number: int, row: Mapping[str, Any]) -> KnowledgeQuestion:
    known = next((row[name] for name in ("correct_chunks", "article") if name in row), number)
    if not isinstance(known, str | list | None):
        raise SettingsInvalid((f"{path.name}, line {number}: is no question with article or correct_chunks",))
    right = known if isinstance(known, list) else [] if known is None else [known]
    return KnowledgeQuestion(str(row["question"]), frozenset(str(one).removesuffix(".md") for one in right))
