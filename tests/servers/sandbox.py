"""Sandbox Jiras, served once per session and seeded afresh for every test: `cloud_jira` and `server_jira`."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx2
import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.official.watch import watched
from triage_sandbox.jira import TOKEN, Entry, Fault, JiraSandbox, Story, jira_app
from triage_sandbox.jira.seed import desks
from triage_sandbox.server import Served

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Loopback speaks plain HTTP: reading all certificate authorities would take longer than a test."""


@dataclass(frozen=True)
class RunningJira:
    """A sandbox Jira that answers at `url`; `email` (Cloud) or `user` (Server) and `token` open it."""

    served: Served
    app: JiraSandbox
    email: str = "bot@harbourline.example"
    user: str = "triage.bot"
    token: str = TOKEN
    project: str = "HARB"

    @property
    def url(self) -> str:
        """Where it answers."""
        return self.served.url

    @property
    def cloud(self) -> bool:
        """Cloud or Server."""
        return self.app.site.cloud

    @property
    def login(self) -> tuple[str, str]:
        """What Basic wants."""
        return (self.email if self.cloud else self.user, self.token)

    @property
    def settings(self) -> dict[str, str]:
        """With which Triage comes in."""
        login = {"JIRA_EMAIL": self.email, "JIRA_API_TOKEN": self.token} if self.cloud else {"JIRA_TOKEN": self.token}
        return {"JIRA_BASE_URL": self.url, "JIRA_PROJECT_KEY": self.project, **login}

    def fault(self, fault: Fault) -> None:
        """Let something go wrong."""
        self.app.faults.add(fault)

    def requests(self, method: str = "*", path: str = ".*") -> list[Entry]:
        """What was asked of the API in this test."""
        return self.app.journal.matching(method, path)

    def client(self, path: str = "", **options: Any) -> httpx2.Client:
        """A client for addresses below `path`, logged in unless told otherwise."""
        return httpx2.Client(base_url=f"{self.url}{path}", verify=_NO_TLS, **{"auth": self.login, **options})

    def api(self, version: str = "", **options: Any) -> httpx2.Client:
        """A client of the API in a version; without one in the one that we speak to this deployment."""
        return self.client(f"/rest/api/{version or ('3' if self.cloud else '2')}", **options)

    def tracker(self, **options: Any) -> JiraTracker:
        """The real adapter, logged in as `settings` says."""
        login: dict[str, Any] = {"email": self.email, "token": self.token}
        if not self.cloud:
            login = {"personal_token": self.token}
        return JiraTracker(self.url, self.project, **login, **options)

    @property
    def bot(self) -> str:
        """The id of the account that `token` opens."""
        return str(self.app.site.db.value("SELECT id FROM account WHERE name = ?", self.user))

    def deny(self, permission: str) -> None:
        """Take a permission from the bot, in all projects."""
        self.app.site.db.insert("denial", {"account": self.bot, "permission": permission})

    def agent(self, project: str) -> None:
        """Let the bot answer customers of a service project."""
        db = self.app.site.db
        number = db.value("SELECT id FROM project WHERE key = ?", project)
        db.insert("actor", {"project": number, "role": desks.role(db, desks.TEAM), "account": self.bot})

    def reset(self) -> None:
        """Everything as seeded, no faults, an empty journal."""
        with self.client() as client:
            client.post("/__sandbox__/reset").raise_for_status()


@pytest.fixture(scope="session")
def _cloud_served() -> Iterator[RunningJira]:
    app = jira_app(deployment="cloud")
    with Served(watched(app)) as served:
        yield RunningJira(served, app)


@pytest.fixture(scope="session")
def _server_served() -> Iterator[RunningJira]:
    app = jira_app(deployment="server")
    with Served(watched(app)) as served:
        yield RunningJira(served, app)


@pytest.fixture
def cloud_jira(_cloud_served: RunningJira) -> RunningJira:
    """A Jira Cloud with the demo's company, fresh."""
    _cloud_served.reset()
    return _cloud_served


@pytest.fixture
def server_jira(_server_served: RunningJira) -> RunningJira:
    """A Jira Data Center with the demo's company, fresh."""
    _server_served.reset()
    return _server_served


@pytest.fixture(params=["cloud", "server"])
def any_jira(request: pytest.FixtureRequest) -> RunningJira:
    """Both, one after the other."""
    running: RunningJira = request.getfixturevalue(f"{request.param}_jira")
    return running


LARGE: Final = 7
"""The number of the larger past."""


@pytest.fixture(scope="session")
def _large_cloud_served() -> Iterator[RunningJira]:
    app = jira_app(deployment="cloud", seed=Story.of_company(generated=LARGE))
    with Served(watched(app)) as served:
        yield RunningJira(served, app)


@pytest.fixture(scope="session")
def _large_server_served() -> Iterator[RunningJira]:
    app = jira_app(deployment="server", seed=Story.of_company(generated=LARGE))
    with Served(watched(app)) as served:
        yield RunningJira(served, app)


@pytest.fixture
def large_cloud_jira(_large_cloud_served: RunningJira) -> RunningJira:
    """Cloud with the larger past, fresh."""
    _large_cloud_served.reset()
    return _large_cloud_served


@pytest.fixture(params=["cloud", "server"])
def large_jira(request: pytest.FixtureRequest) -> RunningJira:
    """Both, with the company's larger past, a team-managed project and one with strict forms, fresh."""
    running: RunningJira = request.getfixturevalue(f"_large_{request.param}_served")
    running.reset()
    return running
