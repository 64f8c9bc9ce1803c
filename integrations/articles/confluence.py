"""The port `ArticleSource` over a space of Confluence, Cloud or Data Center; a page of the stored version is not fetched."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from integrations.articles.html import markdown_of
from integrations.articles.site import ArticleSite, OpenSite, names_in, rows_in, text_at, time_in
from triage.domain.support.articles import SHARED, Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import ArticleProblem, Found, Unchanged
from triage.domain.untrusted import Untrusted

AT_ONCE: Final = 5
"""Pages that are fetched at once."""
CONVERTED: Final = "1"
"""Counted up when the conversion to Markdown changes, so that all pages are fetched again."""
MOST_TURNS: Final = 10_000
"""Answers of one listing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flavour:
    """Where Cloud and Data Center keep the same."""

    listing: str
    params: Mapping[str, str]
    page: Callable[[str], str]
    page_params: Mapping[str, str]
    moment: str


def _cloud(space: str) -> _Flavour:
    return _Flavour(
        listing=f"api/v2/spaces/{space}/pages",
        params={"status": "current", "limit": "100"},
        page=lambda page: f"api/v2/pages/{page}",
        page_params={"body-format": "storage", "include-labels": "true"},
        moment="createdAt",
    )


def _data_center(space: str) -> _Flavour:
    asked = {"spaceKey": space, "type": "page", "status": "current", "limit": "100", "expand": "version"}
    return _Flavour(
        listing="rest/api/content",
        params=asked,
        page=lambda page: f"rest/api/content/{page}",
        page_params={"expand": "body.storage,version,metadata.labels"},
        moment="when",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfluenceSource:
    """Reads the titles and versions of all pages, then what has changed. It sees what its account sees, and nothing else."""

    name: str
    site: ArticleSite
    space: str
    account: str = SHARED
    tags: tuple[str, ...] = ()

    async def articles(self, known: Mapping[str, str]) -> AsyncIterator[Found]:
        """All pages of the space. Raises `ArticlesDown`."""
        async with self.site.opened() as site:
            flavour = await self._flavour(site)
            path, params = flavour.listing, flavour.params
            for _ in range(MOST_TURNS):
                page = await site.wanted(path, **params)
                for found in await self._page_of(site, flavour, rows_in(page, "results"), known):
                    yield found
                path, params = text_at(page, "_links", "next"), {}
                if not path:
                    return
        raise ArticlesDown(self.name, "the list of pages does not end")

    async def _flavour(self, site: OpenSite) -> _Flavour:
        """Find the space, and so which Confluence it is. Raises `ArticlesDown`."""
        found = await site.object_at("api/v2/spaces", keys=self.space)
        if found is not None and (spaces := rows_in(found, "results")):
            return _cloud(text_at(spaces[0], "id"))
        if found is None and await site.object_at(f"rest/api/space/{self.space}"):
            return _data_center(self.space)
        raise ArticlesDown(self.name, f"there is no space {self.space}, or our account may not see it")

    async def _page_of(
        self, site: OpenSite, flavour: _Flavour, rows: Sequence[Mapping[str, Any]], known: Mapping[str, str]
    ) -> list[Found]:
        found: list[Found] = []
        wanted = list[str]()
        for row in rows:
            article = self._id(row)
            if known.get(article) == self._revision(row):
                found.append(Unchanged(article))
            else:
                wanted.append(text_at(row, "id"))
        for start in range(0, len(wanted), AT_ONCE):
            some = wanted[start : start + AT_ONCE]
            pages = await asyncio.gather(*(site.object_at(flavour.page(page), **flavour.page_params) for page in some))
            # A page may go between list and look.
            found += [await asyncio.to_thread(self._article, page, flavour.moment) for page in pages if page]
        return found

    def _article(self, page: Mapping[str, Any], moment: str) -> Found:
        title, article = text_at(page, "title"), self._id(page)
        if not title:
            return ArticleProblem(article=article, why="Confluence tells no title of it", kept=True)
        labels = page.get("labels") or (page.get("metadata") or {}).get("labels") or {}
        return Article(
            id=article,
            title=title,
            text=Untrusted(markdown_of(text_at(page, "body", "storage", "value"))),
            source=self.name,
            url=f"{self.site.url}{text_at(page, '_links', 'webui')}",
            account=self.account,
            tags=tuple(dict.fromkeys((*self.tags, *names_in(labels)))),
            revision=self._revision(page),
            changed_at=self._changed(page, moment),
        )

    def _id(self, page: Mapping[str, Any]) -> str:
        return f"{self.name}:{text_at(page, 'id')}"

    def _revision(self, page: Mapping[str, Any]) -> str:
        """Return the page's version, with a mark of all of triage.yaml that goes into the article."""
        ours = "\n".join((CONVERTED, self.site.url, self.account, *self.tags))
        return f"{text_at(page, 'version', 'number')}.{hashlib.sha256(ours.encode()).hexdigest()[:8]}"

    def _changed(self, page: Mapping[str, Any], moment: str) -> datetime | None:
        return time_in(text_at(page, "version", moment))
