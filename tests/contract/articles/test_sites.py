"""The port `ArticleSource` over HTTP: Confluence Cloud and Data Center, a help centre's site and its exports."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request

from integrations.articles.confluence import ConfluenceSource
from integrations.articles.help_centre import HelpCentreSource
from integrations.articles.site import ArticleSite
from triage.domain.ports import ArticleSource
from triage.domain.support.articles import Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import ArticleProblem, Found, Unchanged
from triage_sandbox.confluence import Wiki, WikiPage, confluence_app
from triage_sandbox.server import Served

ARTICLES = [
    {
        "id": 1, "title": "Refunds", "body": "<h2>When</h2><p>In five days.</p>", "section_id": 10, "locale": "en-us",
        "html_url": "https://help.example/1", "label_names": ["money"], "updated_at": "2026-11-20T09:00:00Z",
    },
    {"id": 2, "title": "Draft", "body": "x", "draft": True},
    {"id": 3, "title": "Agents only", "body": "x", "user_segment_id": 7},
    {"id": 4, "title": "Ohne", "body": None},
    {"id": 5, "title": "Gebühren", "body": "<p>Keine.</p>", "locale": "de", "html_url": "javascript:x"},
]  # fmt: skip
SECTIONS = [{"id": 10, "name": "Money", "category_id": 100}]
CATEGORIES = [{"id": 100, "name": "Billing"}]


async def found_in(source: ArticleSource, known: dict[str, str] | None = None) -> list[Found]:
    """All that a source yields."""
    return [found async for found in source.articles(known or {})]


def wiki() -> Wiki:
    """Three pages, so that a list has two answers."""
    body = "<p>We take <strong>two</strong> percent.</p>"
    return Wiki(pages={str(n): WikiPage(title=f"Page {n}", body=body.replace("two", str(n))) for n in (11, 12, 13)})


@pytest.fixture(params=[True, False], ids=["cloud", "data center"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[Wiki, ConfluenceSource]]:
    """Either Confluence, and the source that reads it."""
    held = wiki()
    with Served(confluence_app(held, cloud=request.param)) as server:
        site = ArticleSite(
            source="wiki",
            url=f"{server.url}/wiki" if request.param else server.url,
            user=held.user if request.param else "",
            password=held.token,
        )
        yield held, ConfluenceSource(name="wiki", site=site, space="HELP", account="acme", tags=("t",))


async def test_a_space_is_read(served: tuple[Wiki, ConfluenceSource]) -> None:
    """All pages of all answers as Markdown, with labels, address, version and time."""
    held, source = served
    held.pages["11"].labels = ("fees",)

    found = [one for one in await found_in(source) if isinstance(one, Article)]

    assert [one.id for one in found] == ["wiki:11", "wiki:12", "wiki:13"]
    first = found[0]
    assert (first.title, first.text, first.tags) == ("Page 11", "We take **11** percent.", ("t", "fees"))
    assert first.url.startswith(source.site.url)
    assert first.url.endswith("/11")
    assert (first.account, first.source, first.revision[:2]) == ("acme", "wiki", "1.")
    assert first.changed_at == datetime(2026, 11, 20, 9, tzinfo=UTC)


async def test_only_changed_pages_are_fetched(served: tuple[Wiki, ConfluenceSource]) -> None:
    """A page of the known version is not asked for; a new account in triage.yaml makes all be fetched again."""
    held, source = served
    known = {one.id: one.revision for one in await found_in(source) if isinstance(one, Article)}
    held.pages["12"].version = 2
    held.pages["12"].body = "<p>New.</p>"
    held.asked.clear()
    again = await found_in(source, known)
    fetched = [path for path in held.asked if path.endswith(("/11", "/12", "/13"))]
    other = ConfluenceSource(name="wiki", site=source.site, space="HELP", account="other")

    assert {one.article for one in again if isinstance(one, Unchanged)} == {"wiki:11", "wiki:13"}
    assert [path.rpartition("/")[2] for path in fetched] == ["12"]
    assert not any(isinstance(one, Unchanged) for one in await found_in(other, known))


async def test_confluence_in_trouble(served: tuple[Wiki, ConfluenceSource]) -> None:
    """A wrong login, a hidden space, a page that goes meanwhile and an overloaded server: told with the cure, or passed over."""
    held, source = served
    wrong = ArticleSite(source="wiki", url=source.site.url, user=source.site.user, password="wrong")
    with pytest.raises(ArticlesDown, match="check user and password_file"):
        await found_in(ConfluenceSource(name="wiki", site=wrong, space="HELP"))
    with pytest.raises(ArticlesDown, match="there is no space NONE"):
        await found_in(ConfluenceSource(name="wiki", site=source.site, space="NONE"))
    for place in ("/wiki/api/v2/pages/12", "/rest/api/content/12"):
        held.trouble[place] = 404
    assert len(await found_in(source)) == 2
    for place in held.trouble:
        held.trouble[place] = 429
    with pytest.raises(ArticlesDown, match="slow down"):
        await found_in(source)


async def test_nobody_answers() -> None:
    """A site that is down, one that answers no JSON, and one that leads elsewhere."""
    down = ArticleSite(source="wiki", url="http://127.0.0.1:9")
    with pytest.raises(ArticlesDown, match=r"127\.0\.0\.1"):
        await found_in(ConfluenceSource(name="wiki", site=down, space="HELP"))
    app = FastAPI()

    @app.get("/wiki/api/v2/spaces")
    def spaces() -> dict[str, Any]:
        return {"results": [{"id": 7}]}

    @app.get("/wiki/api/v2/spaces/7/pages")
    def pages() -> dict[str, Any]:
        return {"results": ["x", {"id": 1}], "_links": {"next": "https://evil.example/x"}}

    @app.get("/wiki/api/v2/pages/1")
    def page() -> list[str]:
        return ["no object"]

    with Served(app) as server:
        site = ArticleSite(source="wiki", url=f"{server.url}/wiki")
        with pytest.raises(ArticlesDown, match="no JSON object"):
            await found_in(ConfluenceSource(name="wiki", site=site, space="HELP"))
        async with site.opened() as opened:
            with pytest.raises(ArticlesDown, match=r"another site, evil\.example"):
                await opened.object_at("https://evil.example/x")


def centre() -> FastAPI:
    """A help centre that lists one article an answer."""
    app = FastAPI()

    @app.get("/api/v2/help_center/en-us/articles.json")
    def articles(http: Request, after: int = 0) -> dict[str, Any]:
        more = after + 1 < len(ARTICLES)
        following = f"{http.base_url}api/v2/help_center/en-us/articles.json?after={after + 1}"
        return {"articles": ARTICLES[after : after + 1], "meta": {"has_more": more}, "links": {"next": following}}

    @app.get("/api/v2/help_center/en-us/sections.json")
    def sections() -> dict[str, Any]:
        return {"sections": SECTIONS, "meta": {"has_more": False}}

    @app.get("/api/v2/help_center/en-us/categories.json")
    def categories() -> dict[str, Any]:
        return {"categories": CATEGORIES, "next_page": None}

    return app


async def test_a_help_centre_is_read(tmp_path: Path) -> None:
    """The site and its export give the same: what is published for everybody, with category, section and labels as tags."""
    whole = {"articles": ARTICLES, "sections": SECTIONS, "categories": CATEGORIES}
    (tmp_path / "all.json").write_text(json.dumps(whole), encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "articles.json").write_text(json.dumps(ARTICLES), encoding="utf-8")
    (tmp_path / "parts" / "sections.json").write_text(json.dumps({"sections": SECTIONS}), encoding="utf-8")
    (tmp_path / "parts" / "categories.json").write_text(json.dumps({"categories": CATEGORIES}), encoding="utf-8")
    with Served(centre()) as server:
        site = ArticleSite(source="centre", url=server.url)
        read = await found_in(HelpCentreSource(name="centre", site=site, locale="en-us"))
    exported, parts = [
        await found_in(HelpCentreSource(name="centre", export=tmp_path / name, locale="en-us"))
        for name in ("all.json", "parts")
    ]

    assert read == exported == parts
    [refunds, broken] = read
    assert isinstance(refunds, Article)
    assert (refunds.id, refunds.text) == ("centre:1", "## When\n\nIn five days.")
    assert (refunds.tags, refunds.url) == (("Billing", "Money", "money"), "https://help.example/1")
    assert isinstance(broken, ArticleProblem)
    assert (broken.article, broken.kept) == ("centre:4", False)


async def test_exports_that_cannot_be_read(tmp_path: Path) -> None:
    """All languages without a locale; a file that is gone, binary or no JSON is told with its place."""
    file = tmp_path / "a.json"
    file.write_text(json.dumps(ARTICLES), encoding="utf-8")
    source = HelpCentreSource(name="centre", export=file)
    german = [one for one in await found_in(source) if isinstance(one, Article)][-1]
    assert (german.text, german.url) == ("Keine.", "")
    for raw, told in ((b"{\n]", "no JSON in line 2"), (b"\0", "is binary")):
        file.write_bytes(raw)
        with pytest.raises(ArticlesDown, match=told):
            await found_in(source)
    file.unlink()
    with pytest.raises(ArticlesDown, match="cannot be read"):
        await found_in(source)
