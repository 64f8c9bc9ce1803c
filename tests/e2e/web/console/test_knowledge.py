"""Articles in the console: listed and searched by approvers, edited by admins without losing what others write."""

from collections.abc import AsyncIterator
from pathlib import Path
from re import search
from urllib.parse import unquote

import pytest

from integrations.articles.folder import FolderSource
from integrations.system_clock import SystemClock
from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.operations.tokens import AccessScope
from triage.services.knowledge.sync import KnowledgeSync

REFUNDS = "help:billing/refunds.md"
YAML = "knowledge: {sources: [{name: help, folder: pages, edit: true}, {name: shut, folder: shut}]}"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder of articles, one with a script and one that is binary."""
    folder = tmp_path / "pages"
    (folder / "billing").mkdir(parents=True)
    (tmp_path / "shut").mkdir()
    (folder / "billing" / "refunds.md").write_bytes(
        b"# Refunds <script>alert(1)</script>\r\n\r\nA refund takes five days.\r\n"
    )
    (folder / "binary.md").write_bytes(b"a\0b")
    (tmp_path / "triage.yaml").write_text(YAML, encoding="utf-8")
    return folder


@pytest.fixture
async def desk(tmp_path: Path, pages: Path, cloud_jira: RunningJira) -> AsyncIterator[DeskDoor]:
    """The console over them, read once."""
    async with desk_door(tmp_path, cloud_jira, TRIAGE_CONFIG=str(tmp_path / "triage.yaml")) as door:
        await read(door, pages)
        yield door


async def read(desk: DeskDoor, pages: Path) -> None:
    """Read the folder, as a worker does at each of its turns."""
    store, source = desk.door.context.store.articles, FolderSource(name="help", folder=pages)
    await KnowledgeSync(sources=lambda: [source], store=store, readings=store, clock=SystemClock()).read()


async def test_articles_are_listed_searched_and_shown(desk: DeskDoor) -> None:
    """With what is wrong with one; markup of an article is text. Viewers read none of it."""
    page = (await desk.get("/knowledge")).text
    found = (await desk.get("/knowledge?q=how+long+does+a+refund+take")).text
    nothing = (await desk.get("/knowledge?q=zyzzyva")).text
    article = (await desk.get(f"/knowledge/article?id={REFUNDS}")).text

    assert "help:binary.md</b> is binary" in page
    assert "Refunds &lt;script&gt;" in page
    assert "New article" not in page
    assert "A refund takes five days." in found
    assert "No article answers that" in nothing
    assert "A refund takes five days." in article
    assert "<script>alert" not in page + found + article
    assert (await desk.get("/knowledge/article?id=help:gone")).status_code == 404
    for path in ("/knowledge", f"/knowledge/article?id={REFUNDS}"):
        assert (await desk.get(path, AccessScope.VIEWER)).status_code == 403
    assert 'href="/knowledge"' not in (await desk.get("/", AccessScope.VIEWER)).text


async def test_an_article_is_edited(desk: DeskDoor, pages: Path) -> None:
    """Its lines end as before; what somebody writes beside is shown and not lost, and only admins write."""
    form = (await desk.get(f"/knowledge/edit?id={REFUNDS}", AccessScope.ADMIN)).text
    shown = search('name="version" value="([0-9a-f]{64})"', form)
    assert shown
    sent = {"article": REFUNDS, "version": shown[1], "text": "# Refunds\r\n\r\nA refund takes six days."}
    refused = await desk.post("/knowledge/save", AccessScope.APPROVER, **sent)
    saved = await desk.post("/knowledge/save", AccessScope.ADMIN, **sent)
    written = (pages / "billing" / "refunds.md").read_bytes()
    stale = await desk.post("/knowledge/save", AccessScope.ADMIN, **sent | {"text": "Mine."})
    newer = search('name="version" value="([0-9a-f]{64})"', stale.text)
    assert newer
    again = await desk.post("/knowledge/save", AccessScope.ADMIN, article=REFUNDS, version=newer[1], text="Mine.")

    assert refused.status_code == 403
    assert (saved.status_code, saved.headers["location"]) == (303, "/knowledge/article?id=help%3Abilling/refunds.md")
    assert written == b"# Refunds\r\n\r\nA refund takes six days.\r\n"
    assert stale.status_code == 409
    assert "A refund takes six days." in stale.text
    assert "Mine." in stale.text
    assert again.status_code == 303


async def test_an_article_is_made(desk: DeskDoor, pages: Path) -> None:
    """Where no file stands yet, and nowhere but below folders that are open for it."""
    form = await desk.get("/knowledge/new?source=help", AccessScope.ADMIN)
    made = await desk.post("/knowledge/save", AccessScope.ADMIN, source="help", file="new/fees.md", text="No fees.")
    twice = await desk.post("/knowledge/save", AccessScope.ADMIN, source="help", file="new/fees.md", text="Fees.")
    wrong = [
        await desk.post("/knowledge/save", AccessScope.ADMIN, source=source, file=file, text=text)
        for source, file, text in (
            ("help", "../x.md", "x"), ("help", "x.sh", "x"), ("shut", "x.md", "x"), ("help", "y.md", " - "),
        )
    ]  # fmt: skip

    (pages / "new" / "rtl.md").write_text("\u200f<b>fees</b>", encoding="utf-8")
    as_it_is = (await desk.get("/knowledge/edit?id=help:new/rtl.md", AccessScope.ADMIN)).text
    (pages / "new" / "rtl.md").unlink()

    assert ">\u200f&lt;b&gt;fees&lt;/b&gt;<" in as_it_is
    assert (form.status_code, made.status_code, made.headers["location"]) == (200, 303, "/knowledge")
    assert "A worker reads it at its next turn" in unquote(made.headers["set-cookie"])
    assert (pages / "new" / "fees.md").read_text() == "No fees.\n"
    assert (twice.status_code, [one.status_code for one in wrong]) == (409, [409] * 4)
    assert (await desk.get("/knowledge/edit?id=shut:x.md", AccessScope.ADMIN)).status_code == 404
    assert sorted(path.name for path in pages.rglob("*.md")) == ["binary.md", "fees.md", "refunds.md"]


async def test_an_article_is_shown_as_it_reads(desk: DeskDoor, pages: Path) -> None:
    """Lists and emphasis of an article are lists and emphasis on its page, the passages that answers quote stand folded below."""
    text = "A refund takes *five* days.\n\n- only paid invoices"
    (pages / "fees.md").write_text(f"# Fees\n\n{text}\n")
    await read(desk, pages)
    page = (await desk.get("/knowledge/article?id=help:fees.md", AccessScope.READER)).text

    assert "<em>five</em>" in page
    assert "<li>only paid invoices</li>" in page
    assert "What answers quote" in page
