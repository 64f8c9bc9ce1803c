"""The port `ArticleFiles` over a folder: a file is replaced at once, and only if nobody has changed it meanwhile."""

import asyncio
import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from secrets import token_hex

from integrations.articles.documents import NotText, text_in
from integrations.articles.folder import LARGEST_FILE, FolderSource, is_article
from triage.config.durable_files import sync_folder, write_new
from triage.domain.support.articles import ArticleFile
from triage.domain.support.errors import ArticleChanged, ArticleNotEditable, ArticleNotFound


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """The files of one folder source."""

    source: FolderSource

    async def read(self, article: str) -> ArticleFile:
        return await asyncio.to_thread(self._read, article)

    async def write(self, article: str, text: str, version: str) -> None:
        """Write the file, a new one for an empty version. Raises `ArticleChanged`, `ArticleNotEditable`."""
        await asyncio.to_thread(self._write, article, text, version)

    def _read(self, article: str) -> ArticleFile:
        raw = _bytes(self._file(article), article)
        if raw is None:
            raise ArticleNotFound(article)
        try:
            text = text_in(raw)
        except NotText as e:
            raise ArticleNotEditable(article, str(e)) from None
        return ArticleFile(article=article, text=text.replace("\r\n", "\n"), version=_hash(raw))

    def _write(self, article: str, text: str, version: str) -> None:
        file = self._file(article)
        plain = text.replace("\r\n", "\n").rstrip("\n") + "\n"
        try:
            with _alone(self.source.folder):
                raw = _bytes(file, article)
                if (_hash(raw) if raw is not None else "") != version:
                    raise ArticleChanged(article)
                # Lines end as they did before: a checkout would show every line as changed.
                ends = "\r\n" if raw and b"\r\n" in raw else "\n"
                file.parent.mkdir(parents=True, exist_ok=True)
                _replace(file, plain.replace("\n", ends).encode())
        except (OSError, UnicodeEncodeError) as e:
            raise ArticleNotEditable(article, f"cannot be written ({e}); check the rights of the folder") from e

    def _file(self, article: str) -> Path:
        """Return the path of an article below the folder. Raises `ArticleNotEditable` for one that leads elsewhere."""
        path = PurePosixPath(article.removeprefix(f"{self.source.name}:"))
        if not _is_plain(path):
            raise ArticleNotEditable(
                article, "give a path below the folder that ends in .md, such as billing/refunds.md"
            )
        file = self.source.folder / path
        if file.is_symlink() or not file.resolve().is_relative_to(self.source.folder.resolve()):
            raise ArticleNotEditable(article, "leads out of the folder")
        return file


def _bytes(file: Path, article: str) -> bytes | None:
    """Return what the file holds; None if there is none. Raises `ArticleNotEditable`."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return None
    except OSError as e:
        raise ArticleNotEditable(article, f"cannot be read ({e.strerror}); check its rights") from e
    if len(raw) > LARGEST_FILE:
        raise ArticleNotEditable(article, f"is larger than {LARGEST_FILE:,} bytes")
    return raw


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes of Triage from writing in the folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace(file: Path, raw: bytes) -> None:
    """Put a whole new file in the place of the old one, with its rights; after a crash one of the two is there."""
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
    beside = file.with_name(f".{token_hex(8)}.tmp")
    write_new(beside, raw)
    try:
        beside.chmod(mode)
        beside.replace(file)
        sync_folder(file.parent)
    finally:
        beside.unlink(missing_ok=True)


def _hash(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _is_plain(path: PurePosixPath) -> bool:
    """Whether it names an article below a folder, without anything hidden or unseen."""
    hidden = path.is_absolute() or any(part.startswith(".") for part in path.parts)
    return not hidden and str(path).isprintable() and "\\" not in str(path) and is_article(path.name)
