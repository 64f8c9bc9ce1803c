"""An edited article is read again at once, where a service reads articles."""

from pathlib import Path

import pytest

from integrations.articles.folder import FolderSource
from integrations.articles.folder_files import FolderFiles
from integrations.sql.store import open_store
from tests.contract.store.store_samples import HeldClock
from triage.domain.operations.audit import AuditFilter
from triage.domain.support.errors import ArticleNotEditable
from triage.services.knowledge.editor import ArticleEditor
from triage.services.knowledge.sync import KnowledgeSync


async def test_what_is_written_is_stored(tmp_path: Path) -> None:
    """The store has the new text when the editor is done; other sources and empty texts are refused."""
    store = await open_store("sqlite:///:memory:", HeldClock())
    source = FolderSource(name="help", folder=tmp_path)
    sync = KnowledgeSync(sources=lambda: [source], store=store.articles, readings=store.articles, clock=HeldClock())
    editor = ArticleEditor(files=lambda: {"help": FolderFiles(source)}, deeds=store.deeds, sync=sync)

    assert await editor.write("help:a.md", "No fees.", "", by="ada")

    (change,) = await store.deeds.deeds(AuditFilter(), 9)
    assert (change.kind, change.by, change.detail) == ("article_edited", "ada", "help:a.md")
    assert [one.text for one in await store.articles.articles()] == ["No fees."]
    assert (await editor.read("help:a.md")).text == "No fees.\n"
    assert (editor.sources, editor.may_edit("help:a.md"), editor.may_edit("wiki:a")) == (("help",), True, False)
    with pytest.raises(ArticleNotEditable, match="without text"):
        await editor.write("help:a.md", " - ", "", by="ada")
    with pytest.raises(ArticleNotEditable, match="edit: true"):
        await editor.read("wiki:a")
    await store.close()
