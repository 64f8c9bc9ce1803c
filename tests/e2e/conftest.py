"""Fixtures of the journeys: an installation over Cloud, with a model behind real HTTP; a watched mailbox."""

import tomllib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from cli.demo.prompt_reader import PromptReader
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.database import migrated
from tests.e2e.agents.example_agents import EXAMPLES
from tests.e2e.installation import Installation
from tests.e2e.mailbox.mailbox_desk import Desk
from tests.servers.dovecot import Person
from tests.servers.sandbox import RunningJira
from triage_sandbox.openai_app import Asked, openai_app
from triage_sandbox.server import Served


@pytest.fixture
def installation(tmp_path: Path, cloud_jira: RunningJira) -> Installation:
    """A user with a Jira Cloud, an empty store and no model."""
    migrated(tmp_path / "triage.db")
    return Installation(folder=tmp_path, jira=cloud_jira)


@pytest.fixture
def with_model(installation: Installation) -> Iterator[Installation]:
    """The same with a model: the playbook behind an OpenAI-shaped server that counts its requests."""
    asked: deque[Asked] = deque(maxlen=1000)
    with Served(openai_app(PromptReader(), journal=asked)) as served:
        installation.model_url, installation.asked = served.url, asked
        yield installation


@pytest.fixture
async def desk(person: Person, tmp_path: Path) -> AsyncIterator[Desk]:
    """An empty mailbox and an empty store."""
    url = f"sqlite:///{migrated(tmp_path / 'triage.db')}"
    store = await open_store(url, SystemClock())
    desk = Desk(person, store, url)
    yield desk
    await desk.store.close()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Install an example for this test, by what its `pyproject.toml` declares; return the path of its triage.yaml."""

    def installed(name: str) -> str:
        project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        info = tmp_path / "site" / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(head, encoding="utf-8")
        points = "".join(f"{key} = {value}\n" for key, value in project["entry-points"]["triage.tools"].items())
        (info / "entry_points.txt").write_text(f"[triage.tools]\n{points}", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path / "site"))
        monkeypatch.syspath_prepend(str(EXAMPLES / name))
        return str(EXAMPLES / name / "triage.yaml")

    return installed
