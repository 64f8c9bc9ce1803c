"""Sources of an answer as its page lists them."""

import pytest

from triage.domain.memory.answers import MemoryAnswer, MemorySource, SourceKind
from triage.domain.untrusted import Untrusted
from web.console.pages.memory.ask import view_of


@pytest.mark.parametrize(
    ("kind", "name", "at", "url"),
    [
        (SourceKind.ARTICLE, "help:a b.md#1", "", "/knowledge/article?id=help%3Aa%20b.md#passage-1"),
        (SourceKind.ARTICLE, "wiki:7#0", "https://wiki.example/7", "https://wiki.example/7"),
        (SourceKind.ARTICLE, "wiki:7#0", "javascript:alert(1)", "/knowledge/article?id=wiki%3A7#passage-0"),
        (SourceKind.MAIL, "case-17", "", "/cases/17"),
        (SourceKind.NOTE, "decisions/x", "", "/memory/notes/decisions/x"),
        (SourceKind.TICKET, "HARB-1", "https://jira.example/browse/HARB-1", "https://jira.example/browse/HARB-1"),
        (SourceKind.TICKET, "HARB-1", "javascript:alert(1)", ""),
    ],
)
def test_a_source_leads_to_itself(kind: SourceKind, name: str, at: str, url: str) -> None:
    """Each source is a link to where its words stand: the passage of an article, too, that has no address of its own."""
    source = MemorySource(kind=kind, id=name, title=Untrusted("T"), url=at)
    [cited] = view_of(MemoryAnswer(question="?", sources=(source,))).sources

    assert (cited.url, cited.outside) == (url, url.startswith("https:"))
