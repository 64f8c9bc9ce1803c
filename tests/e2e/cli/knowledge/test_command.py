"""`triage knowledge` as a user has it."""

from pathlib import Path

import pytest

from tests.e2e.installation import Installation


@pytest.fixture
def pages(installation: Installation) -> Path:
    """A folder of articles that triage.yaml names."""
    folder = installation.folder / "pages"
    folder.mkdir()
    (folder / "refunds.md").write_text("# Refunds\n\nA refund takes five days.\n", encoding="utf-8")
    (folder / "broken.md").write_bytes(b"a\0b")
    (installation.folder / "triage.yaml").write_text("knowledge: {sources: [{name: help, folder: pages}]}")
    return folder


def test_articles_are_read_listed_and_shown(installation: Installation, pages: Path) -> None:
    """The reading tells what is wrong with exit code 1, the list and the article are there for people and machines."""
    read = installation.triage("knowledge", "sync")
    (pages / "broken.md").unlink()
    again = installation.json("knowledge", "sync")
    listed = installation.triage("knowledge", "list")
    told = installation.json("knowledge", "list")
    shown = installation.triage("knowledge", "show", "help:refunds.md")
    found = installation.triage("knowledge", "search", "how long does a refund take")
    nothing = installation.triage("knowledge", "search", "zyzzyva")

    assert (read.returncode, read.stdout) == (1, b"help: 1 articles, 1 new or changed, 0 removed\n")
    assert b"help:broken.md: is binary" in read.stderr
    assert (again[0]["articles"], again[0]["problems"]) == (1, [])
    assert b"help:refunds.md" in listed.stdout
    assert [one["title"] for one in told["articles"]] == ["Refunds"]
    assert b"A refund takes five days." in shown.stdout
    assert (found.returncode, b"Refunds" in found.stdout) == (0, True)
    assert (nothing.returncode, b"no article answers that" in nothing.stderr) == (1, True)
    assert installation.json("knowledge", "show", "help:refunds.md")["title"] == "Refunds"


def test_wrong_use(installation: Installation) -> None:
    """Without sources the cure is told; an article that is not there is refused."""
    none = installation.triage("knowledge", "sync")
    gone = installation.triage("knowledge", "show", "help:gone")

    assert (none.returncode, b"knowledge.sources" in none.stderr) == (2, True)
    assert (gone.returncode, b"triage knowledge list" in gone.stderr) == (2, True)
    assert b"no article" in installation.triage("knowledge", "list").stdout
