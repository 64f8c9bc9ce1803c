"""A small Confluence, Cloud or Data Center: the pages of one space over REST, as the knowledge base reads them."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import FastAPI, HTTPException, Request

PAGE: Final = 2
"""Pages of one answer, so that few pages make a client turn over."""


@dataclass(slots=True, kw_only=True)
class WikiPage:
    """A page in storage format."""

    title: str
    body: str
    version: int = 1
    labels: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Wiki:
    """What the server holds; tests change it while it runs."""

    space: str = "HELP"
    user: str = "bot@example.com"
    token: str = "sandbox"  # noqa: S105 - of a server on loopback
    pages: dict[str, WikiPage] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Path of every request."""
    trouble: dict[str, int] = field(default_factory=dict)
    """Status with which a path is answered instead."""


def confluence_app(wiki: Wiki, *, cloud: bool) -> FastAPI:
    """Answer as Confluence Cloud under `/wiki` (e-mail and token), else as Data Center (personal token)."""
    app = FastAPI()
    login = base64.b64encode(f"{wiki.user}:{wiki.token}".encode()).decode()
    accepted = f"Basic {login}" if cloud else f"Bearer {wiki.token}"

    def check(http: Request) -> None:
        wiki.asked.append(http.url.path)
        if status := wiki.trouble.get(http.url.path):
            raise HTTPException(status)
        if http.headers.get("authorization") != accepted:
            raise HTTPException(401)

    _cloud(app, wiki, check) if cloud else _data_center(app, wiki, check)
    return app


def _cloud(app: FastAPI, wiki: Wiki, check: Any) -> None:
    @app.get("/wiki/api/v2/spaces")
    def spaces(http: Request, keys: str) -> dict[str, Any]:
        check(http)
        return {"results": [{"id": "7", "key": wiki.space}] if keys == wiki.space else [], "_links": {}}

    @app.get("/wiki/api/v2/spaces/7/pages")
    def pages(http: Request, cursor: int = 0) -> dict[str, Any]:
        check(http)
        found = list(wiki.pages.items())[cursor : cursor + PAGE]
        more = cursor + PAGE < len(wiki.pages)
        links = {"next": f"/wiki/api/v2/spaces/7/pages?cursor={cursor + PAGE}"} if more else {}
        return {"results": [_cloud_page(name, page) for name, page in found], "_links": links}

    @app.get("/wiki/api/v2/pages/{name}")
    def page(http: Request, name: str) -> dict[str, Any]:
        check(http)
        if (found := wiki.pages.get(name)) is None:
            raise HTTPException(404)
        labels = {"results": [{"name": label} for label in found.labels]}
        return {**_cloud_page(name, found), "body": {"storage": {"value": found.body}}, "labels": labels}


def _cloud_page(name: str, page: WikiPage) -> dict[str, Any]:
    version = {"number": page.version, "createdAt": "2026-11-20T09:00:00.000Z"}
    return {"id": name, "title": page.title, "version": version, "_links": {"webui": f"/spaces/HELP/pages/{name}"}}


def _data_center(app: FastAPI, wiki: Wiki, check: Any) -> None:
    @app.get("/rest/api/space/{key}")
    def space(http: Request, key: str) -> dict[str, Any]:
        check(http)
        if key != wiki.space:
            raise HTTPException(404)
        return {"id": 7, "key": key}

    @app.get("/rest/api/content")
    def content(http: Request, start: int = 0) -> dict[str, Any]:
        check(http)
        found = list(wiki.pages.items())[start : start + PAGE]
        more = start + PAGE < len(wiki.pages)
        links = {"next": f"/rest/api/content?spaceKey={wiki.space}&start={start + PAGE}"} if more else {}
        return {"results": [_data_center_page(name, page) for name, page in found], "_links": links}

    @app.get("/rest/api/content/{name}")
    def page(http: Request, name: str) -> dict[str, Any]:
        check(http)
        if (found := wiki.pages.get(name)) is None:
            raise HTTPException(404)
        return {**_data_center_page(name, found), "body": {"storage": {"value": found.body}}}


def _data_center_page(name: str, page: WikiPage) -> dict[str, Any]:
    version = {"number": page.version, "when": "2026-11-20T10:00:00.000+01:00"}
    labels = {"results": list(_labels(page))}
    links = {"webui": f"/display/HELP/{name}"}
    return {"id": name, "title": page.title, "version": version, "metadata": {"labels": labels}, "_links": links}


def _labels(page: WikiPage) -> Iterator[dict[str, str]]:
    return ({"name": label} for label in page.labels)
