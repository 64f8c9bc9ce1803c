"""The port `ArticleSource` over a folder of Markdown and HTML files."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from integrations.articles.documents import HTML, MARKDOWN, ArticleDocument, NotText, document_of
from triage.domain.support.articles import SHARED, Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import ArticleProblem, Found
from triage.domain.untrusted import Untrusted

LARGEST_FILE: Final = 4_000_000
"""Bytes of a file that are read; HTML may be much longer than its text."""
MOST_FILES: Final = 50_000
DEEPEST: Final = 30
"""Folders within each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSource:
    """Reads all files at each reading; hidden ones, links out of the folder and other kinds of files are passed over."""

    name: str
    folder: Path
    account: str = SHARED
    tags: tuple[str, ...] = ()
    link: str = ""
    """Address of an article, with `{path}` or `{name}`; empty: none."""

    async def articles(self, known: Mapping[str, str]) -> AsyncIterator[Found]:
        """All articles by path. Raises `ArticlesDown`."""
        del known  # reading a file is as quick as asking whether it has changed
        for path in await asyncio.to_thread(self.files):
            for found in await asyncio.to_thread(self._read, path):
                yield found

    def files(self) -> list[PurePosixPath]:
        """Return the articles' paths below the folder, in order. Raises `ArticlesDown`."""
        if not self.folder.is_dir():
            raise ArticlesDown(self.name, f"there is no folder {self.folder}; correct triage.yaml, or mount it")

        def failed(e: OSError) -> None:
            raise ArticlesDown(self.name, f"cannot read {e.filename} ({e.strerror}); check its rights") from e

        paths = list[PurePosixPath]()
        for place, folders, names in os.walk(self.folder, onerror=failed):
            below = Path(place).relative_to(self.folder)
            folders[:] = sorted(one for one in folders if not one.startswith(".") and len(below.parts) < DEEPEST)
            paths += [PurePosixPath(below.as_posix(), name) for name in names if is_article(name)]
            if len(paths) > MOST_FILES:
                raise ArticlesDown(self.name, f"holds more than {MOST_FILES:,} articles; name a folder below it")
        return sorted(paths)

    def id_of(self, path: PurePosixPath) -> str:
        """Return the id of the article in this file: `help:billing/refunds.md`."""
        return f"{self.name}:{path}"

    def _read(self, path: PurePosixPath) -> list[Found]:
        """Read a file: an article, a problem, or an article with a problem; nothing for a draft or a file that went."""
        article = self.id_of(path)
        try:
            raw, changed = self._bytes(path)
            document = document_of(raw, path)
        except FileNotFoundError:
            return []
        except OSError as e:
            return [ArticleProblem(article=article, why=f"cannot be read ({e.strerror}); check its rights", kept=True)]
        except NotText as e:
            return [ArticleProblem(article=article, why=str(e))]
        problem = [ArticleProblem(article=article, why=document.trouble, kept=True)] if document.trouble else []
        return [] if document.draft else [self._article(path, document, changed), *problem]

    def _bytes(self, path: PurePosixPath) -> tuple[bytes, datetime]:
        """Return a file's bytes and the time of its last change. Raises `OSError`, `NotText`."""
        file = self.folder / path
        if not file.resolve().is_relative_to(self.folder.resolve()):
            raise FileNotFoundError(file)
        with file.open("rb") as opened:
            raw = opened.read(LARGEST_FILE + 1)
            changed = datetime.fromtimestamp(os.fstat(opened.fileno()).st_mtime, UTC)
        if len(raw) > LARGEST_FILE:
            raise NotText(f"is larger than {LARGEST_FILE:,} bytes; split it")
        return raw, changed

    def _article(self, path: PurePosixPath, document: ArticleDocument, changed: datetime) -> Article:
        return Article(
            id=self.id_of(path),
            title=document.title,
            text=Untrusted(document.text),
            source=self.name,
            url=document.url or self._url(path),
            account=self.account,
            tags=tuple(dict.fromkeys((*self.tags, *document.tags))),
            changed_at=changed,
        )

    def _url(self, path: PurePosixPath) -> str:
        return self.link.replace("{path}", str(path)).replace("{name}", str(path.with_suffix("")))


def is_article(name: str) -> bool:
    return not name.startswith(".") and PurePosixPath(name).suffix.lower() in HTML | MARKDOWN
