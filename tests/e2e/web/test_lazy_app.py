"""The mounted API: off and not even imported as long as there is no token."""

import re
import subprocess
import sys
from pathlib import Path

import httpx2
from fastapi import FastAPI

from tests.conftest import PATIENCE, ROOT
from tests.database import migrated
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.e2e.web.api.api_door import api_door
from triage.domain.errors import StoreDown
from triage.domain.operations.tokens import AccessScope
from web.lazy_app import LazyApp


async def test_closed_without_a_token(tmp_path: Path) -> None:
    """Whatever is below /api is 404 as any path that does not exist, until a token is made; no restart is needed."""
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", tokens=False) as door:
        paths = ("/api/v1/cases", "/api/v1/openapi.json", "/nothing")
        before = [await door.ask("GET", path, scope=None) for path in paths]
        door.held[AccessScope.VIEWER], made = await door.tokens.create("a", AccessScope.VIEWER, 1, by="test")
        after = await door.get("/cases", scope=AccessScope.VIEWER)
        await door.tokens.revoke(made.id, by="ada")
        revoked = await door.get("/cases", scope=AccessScope.VIEWER)

    assert {one.status_code for one in before} == {404}
    assert len({one.text for one in before}) == 1
    assert (after.status_code, revoked.status_code) == (200, 401)


async def test_nobody_can_tell() -> None:
    """While the store is down a browser gets a page that loads again by itself, a program JSON; both may come again."""

    async def is_on() -> bool:
        raise StoreDown("no space left on device: /srv/triage.db")

    transport = httpx2.ASGITransport(LazyApp(FastAPI, is_on))
    async with httpx2.AsyncClient(transport=transport, base_url="http://triage.example") as client:
        page, told = await client.get("/", headers={"accept": "text/html,*/*"}), await client.get("/")

    assert (page.status_code, told.status_code) == (503, 503)
    assert page.headers["retry-after"] == told.headers["retry-after"] == "30"
    assert ('http-equiv="refresh"' in page.text, "/srv" in page.text) == (True, False)
    assert told.json() == {"success": False, "error": "try again later"}


def test_serving_loads_neither_api_nor_console() -> None:
    """What `triage serve` imports of both is where they answer, until somebody asks."""
    look = "import sys, webhooks.app, cli.wiring.web.mounts; print(*(m for m in sys.modules if m.startswith('web.')))"
    told = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE
    )

    assert set(told.stdout.split()) == {"web.lazy_app", "web.console", "web.console.places"}


def test_taking_mail_loads_nothing_that_reads_it(installation: Installation) -> None:
    """A process that only takes mail starts without Jira, pipeline, models and API, which it never asks."""
    command = [sys.executable, "-X", "importtime", "-m", "cli", "serve", "--no-work"]
    log, environment = installation.folder / "imports.log", installation.environment(PORT="0")
    with (
        log.open("wb") as file,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file) as process,
    ):
        try:
            until(lambda: "listening on" in log.read_text(encoding="utf-8"))
        finally:
            process.terminate()
    loaded = {line.rpartition("|")[2].strip() for line in log.read_text(encoding="utf-8").splitlines()}

    assert {"webhooks.app", "triage.services.intake"} <= loaded
    assert (
        loaded
        & {
            *("fastapi", "jira", "numpy", "requests", "integrations.jira", "integrations.mime", "integrations.models"),
            *("triage.agent", "triage.pipeline", "triage.toolsets", "cli.wiring.app"),
        }
        == set()
    )


def test_served(installation: Installation) -> None:
    """A token made in the shell opens the API of the running `triage serve`, with and without a worker in it."""
    made = installation.json("token", "create", "board", "--scope", "viewer")
    for words in (("serve", "--no-watch"), ("serve", "--no-work")):
        with running(installation, *words, PORT="0", LOG_LEVEL="INFO") as serving:
            answer = httpx2.get(
                f"{port_of(serving.url)}/api/v1/cases", headers={"authorization": f"Bearer {made['token']}"}
            )
        assert (answer.status_code, answer.json()) == (200, {"items": [], "next": None}), words


def port_of(url: str) -> str:
    """The address that `triage serve` has told."""
    assert re.fullmatch(r"http://[\d.]+:\d+", url)
    return url
