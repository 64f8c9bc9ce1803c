"""Builds the sandbox Jira as an ASGI app: registers every endpoint and turns each request into an answer."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route as StarletteRoute

from triage_sandbox.jira import agile, desk
from triage_sandbox.jira.board.pages import router as board_router
from triage_sandbox.jira.call import Answer, Call, JiraError, Route
from triage_sandbox.jira.gate.control import Control
from triage_sandbox.jira.gate.door import GATEWAY, OWN, Door
from triage_sandbox.jira.gate.endpoints import Endpoints
from triage_sandbox.jira.gate.faults import Faults
from triage_sandbox.jira.gate.journal import Journal
from triage_sandbox.jira.gate.wire import Wire
from triage_sandbox.jira.ground.database import Database, Row
from triage_sandbox.jira.ground.identity import LOGIN_FAILED, Login, admit, identify
from triage_sandbox.jira.ground.site import VERSIONS, Deployment, Site
from triage_sandbox.jira.rest import catalogue, entrance, issues, people, projects, search
from triage_sandbox.jira.seed import help_desk, rights
from triage_sandbox.jira.seed import projects as seed_projects
from triage_sandbox.jira.seed.story import Story, plant
from triage_sandbox.jira.seed.templates import make

TOKEN: Final = "sandbox-token"  # noqa: S105 - of a Jira that lives on loopback
"""The bot's secret unless `logins` say otherwise."""

_ROOMS: Final = (entrance, people, projects, catalogue, issues, search, agile, desk)
"""Each with a table of its endpoints."""


class JiraSandbox(FastAPI):
    """A Jira to serve, with its faults and its journal at hand."""

    tells_time: Final = True
    """The Date header comes from the site's clock, see `Door`."""

    def __init__(self, site: Site) -> None:
        super().__init__(title="Jira (sandbox)", openapi_url=None, lifespan=_closing(site))
        self.site = site
        self.faults = Faults()
        self.journal = Journal()
        self.add_middleware(Wire, site=site, faults=self.faults, journal=self.journal)
        self.add_middleware(Door, site=site)
        routes = (route for room in _ROOMS for route in room.ROUTES)
        every = (*routes, *Control(self.site, self.faults, self.journal).routes())
        self.router.routes.append(
            Endpoints(StarletteRoute(each.path, _endpoint(site, each), methods=[each.method]) for each in every)
        )
        self.include_router(board_router(site))
        self.add_exception_handler(404, _not_found)
        self.add_exception_handler(405, _not_allowed)


def jira_app(
    *,
    deployment: Deployment = "cloud",
    database: str | Path = ":memory:",
    seed: bool | Story = True,
    base_url: str = "",
    context_path: str = "",
    logins: Iterable[Login] = (),
    strict: bool = True,
    version: str = "",
) -> JiraSandbox:
    """A Jira Cloud or Server. An existing database file is taken as it is, a new one is seeded.

    `logins` say who comes in with which secret; without any the bot comes in with `TOKEN`.
    """
    logins = tuple(logins)
    story = seed if isinstance(seed, Story) else Story.of_company(tickets=seed)
    db = Database(database)
    site = Site(
        deployment=deployment,
        version=version or VERSIONS[deployment],
        base_url=base_url.rstrip("/"),
        db=db,
        context_path=context_path.rstrip("/"),
        strict=strict,
        bot=story.bot.username,
    )
    with db.write():
        if db.fresh:
            _found(db, story, site.now())
        admitted = [admit(db, login) for login in logins or (Login(name=story.bot.username, secret=TOKEN),)]
        lead = next((account for account, login in zip(admitted, logins, strict=False) if login.admin), admitted[0])
        for key, template in story.projects.items():
            if db.one("SELECT 1 FROM project WHERE key = ?", key) is None:
                make(db, {"key": key, "name": key.capitalize(), "lead": lead, "assigning": "PROJECT_LEAD"}, template)
    db.keep()
    site.started = site.now()
    return JiraSandbox(site)


def _found(db: Database, story: Story, now: int) -> None:
    """A new site with all that it knows before its first request."""
    rights.found(db)
    plant(db, story, now)
    admins = {person.username for person in story.project.people if person.role in {"Admin", "Bot"}}
    rights.settle(db, frozenset(admins))
    help_desk.plant(db, story, now)
    if story.generated:
        seed_projects.plant(db, story, now)


def _closing(site: Site) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        site.db.close()

    return lifespan


def _endpoint(site: Site, route: Route) -> Callable[[Request], Awaitable[Response]]:
    """A handler as an endpoint: who asks, and what Jira answers, also when it says no."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        user, headers = identify(site, request)
        try:
            anybody = route.open and (site.cloud or not headers or route.path.startswith(OWN))
            if user is None and not anybody:
                return _turned_away(site, headers)
            answer = _answered(route, _call(site, request, body, user))
        except JiraError as e:
            answer = Answer(e.content, e.status)
        except UnicodeEncodeError:  # half a surrogate pair: JSON can say it, no database can store it
            answer = Answer(JiraError(400, "The text holds characters that are none.").content, 400)
        return answer.response({**headers, **_known_as(site, user)})

    return endpoint


def _answered(route: Route, call: Call) -> Answer:
    """A request that may write is one transaction, and the boards that are open are told where it has written."""
    if route.method == "GET" or route.path.startswith(OWN):
        return route.answer(call)
    before = call.db.changes
    with call.db.write():
        answer = route.answer(call)
    if call.db.changes != before:
        call.site.feed.publish()
    return answer


def _call(site: Site, request: Request, body: bytes, user: Row | None) -> Call:
    asked = str(request.base_url).rstrip("/")
    home = site.base_url or asked.removesuffix(GATEWAY)
    base = home + GATEWAY if asked.endswith(GATEWAY) else home
    return Call(site, request, body, base, _version(site, request), user, home)


def _known_as(site: Site, user: Row | None) -> Mapping[str, str]:
    """Who Jira thinks has asked; some clients look here whether they are logged in."""
    if site.cloud:
        return {} if user is None else {"X-AACCOUNTID": quote(user["id"])}
    return {"X-AUSERNAME": "anonymous" if user is None else quote(user["name"], safe="@")}


def _turned_away(site: Site, headers: Mapping[str, str]) -> Response:
    """401: JSON for those who did not say who they are; Data Center answers wrong credentials with a page."""
    headers = {**headers, "WWW-Authenticate": 'OAuth realm="sandbox"'}
    if not site.cloud and headers.keys() & LOGIN_FAILED.keys():
        return HTMLResponse("<html><head><title>Unauthorized (401)</title></head></html>", 401, headers)
    words = "Client must be authenticated to access this resource."
    if site.cloud:
        return Answer({"message": words, "status-code": 401}, 401).response(headers)
    words = "You are not authenticated. Authentication required to perform this operation."
    return Answer(JiraError(401, words).content, 401).response(headers)


def _version(site: Site, request: Request) -> str:
    """2 or 3; `latest` is the newest that the deployment has. Other interfaces than the platform's speak as 2 does."""
    asked = str(request.path_params.get("version", "2"))
    known = {"2": "2", "3": "3", "latest": "3"} if site.cloud else {"2": "2", "latest": "2"}
    if asked not in known:
        raise JiraError(404, f"null for uri: {request.url}")
    return known[asked]


async def _not_found(request: Request, _: Exception) -> Response:
    return Answer(JiraError(404, f"null for uri: {request.url}").content, 404).response({})


async def _not_allowed(_: Request, __: Exception) -> Response:
    return Answer({"message": "HTTP 405 Method Not Allowed", "status-code": 405}, 405).response({})
