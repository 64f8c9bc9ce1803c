"""The port `ArticleSource` over a help centre in Zendesk's shape: its REST interface, or an export as JSON."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from integrations.articles.documents import NotText, text_in
from integrations.articles.html import markdown_of
from integrations.articles.site import ArticleSite, OpenSite, rows_in, text_at, time_in
from triage.domain.support.articles import SHARED, Article
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import ArticleProblem, Found
from triage.domain.untrusted import Untrusted

PARTS: Final = ("articles", "sections", "categories")
LARGEST: Final = 256 * 1024 * 1024
"""Bytes of an export."""
MOST_TURNS: Final = 10_000
"""Answers of one listing."""
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpCentreSource:
    """Published articles that everybody may read; drafts and those kept to a group of users are passed over."""

    name: str
    site: ArticleSite | None = None
    export: Path | None = None
    """A file with `articles`, `sections` and `categories`, or a folder with a file of each; instead of the site."""
    locale: str = ""
    account: str = SHARED
    tags: tuple[str, ...] = ()

    async def articles(self, known: Mapping[str, str]) -> AsyncIterator[Found]:
        del known  # listings hold the whole text
        parts = await self._asked() if self.site else await asyncio.to_thread(self._exported)
        places = dict(_places(parts))
        for row in parts["articles"]:
            if row.get("draft") or row.get("user_segment_id") or not self._speaks(row):
                continue
            yield await asyncio.to_thread(self._article, row, places)

    def _speaks(self, row: Mapping[str, Any]) -> bool:
        return not self.locale or text_at(row, "locale").casefold() in {"", self.locale.casefold()}

    def _article(self, row: Mapping[str, Any], places: Mapping[str, tuple[str, ...]]) -> Found:
        article, body = f"{self.name}:{text_at(row, 'id')}", row.get("body")
        title = text_at(row, "title") or text_at(row, "name")
        if not title or not isinstance(body, str):
            return ArticleProblem(article=article, why="has no title or no body; the export may be incomplete")
        labels = row.get("label_names")
        words = tuple(str(label) for label in labels) if isinstance(labels, list) else ()
        url = text_at(row, "html_url")
        return Article(
            id=article,
            title=title,
            text=Untrusted(markdown_of(body)),
            source=self.name,
            url=url if url.startswith(("https://", "http://")) else "",
            account=self.account,
            tags=tuple(dict.fromkeys((*self.tags, *places.get(text_at(row, "section_id"), ()), *words))),
            changed_at=time_in(text_at(row, "updated_at")),
        )

    async def _asked(self) -> dict[str, Rows]:
        if self.site is None:
            return {}
        locale = f"/{self.locale}" if self.locale else ""
        async with self.site.opened() as site:
            return {part: await self._listed(site, f"api/v2/help_center{locale}/{part}.json", part) for part in PARTS}

    async def _listed(self, site: OpenSite, path: str, part: str) -> Rows:
        rows, params = list[Mapping[str, Any]](), {"page[size]": "100"}
        for _ in range(MOST_TURNS):
            page = await site.wanted(path, **params)
            rows += rows_in(page, part)
            meta = page.get("meta")
            more = isinstance(meta, Mapping) and meta.get("has_more") is True
            path, params = text_at(page, "links", "next") if more else text_at(page, "next_page"), {}
            if not path:
                return rows
        raise ArticlesDown(self.name, f"the list of {part} does not end")

    def _exported(self) -> dict[str, Rows]:
        export = self.export or Path()
        if not export.is_dir():
            data = self._json(export)
            whole = data if isinstance(data, Mapping) else {"articles": data}
            return {part: rows_in(whole, part) for part in PARTS}
        found = {}
        for part in PARTS:
            file = export / f"{part}.json"
            data = self._json(file) if file.exists() or part == "articles" else {}
            found[part] = rows_in(data if isinstance(data, Mapping) else {part: data}, part)
        return found

    def _json(self, file: Path) -> Any:
        """Read a file of the export. Raises `ArticlesDown`."""
        try:
            with file.open("rb") as opened:
                raw = opened.read(LARGEST + 1)
            if len(raw) > LARGEST:
                raise ArticlesDown(self.name, f"{file} is larger than {LARGEST:,} bytes")
            return json.loads(text_in(raw))
        except OSError as e:
            raise ArticlesDown(self.name, f"{file} cannot be read ({e.strerror}); correct triage.yaml") from e
        except json.JSONDecodeError as e:
            raise ArticlesDown(self.name, f"{file} is no JSON in line {e.lineno} ({e.msg})") from e
        except NotText as e:
            raise ArticlesDown(self.name, f"{file} {e}") from e


def _places(parts: Mapping[str, Rows]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each section's id with the names of its category and itself."""
    categories = {text_at(row, "id"): text_at(row, "name") for row in parts["categories"]}
    for row in parts["sections"]:
        names = (categories.get(text_at(row, "category_id"), ""), text_at(row, "name"))
        yield text_at(row, "id"), tuple(filter(None, names))
