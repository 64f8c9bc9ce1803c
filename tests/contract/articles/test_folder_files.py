"""The port `ArticleFiles` over a folder: a change replaces the version that was shown, at once, or nothing."""

from pathlib import Path

import pytest

from integrations.articles.folder import FolderSource
from integrations.articles.folder_files import FolderFiles
from triage.domain.ports import ArticleFiles
from triage.domain.support.errors import ArticleChanged, ArticleNotEditable, ArticleNotFound


def files_of(folder: Path) -> ArticleFiles:
    """Of a folder source."""
    return FolderFiles(FolderSource(name="help", folder=folder))


async def test_a_file_is_replaced(tmp_path: Path) -> None:
    """Rights stay, no scrap is left, and a change beside is never overwritten."""
    (tmp_path / "a.md").write_bytes(b"One.\n")
    (tmp_path / "a.md").chmod(0o640)
    files = files_of(tmp_path)
    file = await files.read("help:a.md")
    await files.write("help:a.md", "Two.", file.version)

    assert (tmp_path / "a.md").read_bytes() == b"Two.\n"
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]
    for version in (file.version, ""):
        with pytest.raises(ArticleChanged):
            await files.write("help:a.md", "Three.", version)
    assert (await files.read("help:a.md")).text == "Two.\n"


async def test_what_cannot_be_edited(tmp_path: Path) -> None:
    """Paths and links that lead out, hidden and other files, binary ones, those that are gone, folders without rights."""
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.md").write_text("x")
    (tmp_path / "in" / "link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "in" / "binary.md").write_bytes(b"\0")
    files = files_of(tmp_path / "in")
    for path in ("../secret.md", "/etc/x.md", ".git/x.md", "a.txt", "link.md", "a\\b.md", "binary.md", "a\n.md"):
        with pytest.raises(ArticleNotEditable):
            await files.read(f"help:{path}")
    with pytest.raises(ArticleNotFound):
        await files.read("help:gone.md")
    (tmp_path / "in" / "a.md").write_text("x")
    with pytest.raises(ArticleNotEditable, match="check its rights"):
        await files.write("help:a.md/b.md", "x", "")
    with pytest.raises(ArticleNotEditable):
        await files.write("help:b.md", "lone \ud800", "")
    with pytest.raises(ArticleNotEditable):
        await files_of(tmp_path / "gone").write("help:b.md", "x", "")
    assert (tmp_path / "secret.md").read_text() == "x"
