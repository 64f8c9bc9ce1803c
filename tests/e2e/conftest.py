"""Fixtures of the journeys: an installation over Cloud, with a model behind real HTTP; a watched mailbox."""

from collections import deque
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from cli.demo.prompt_reader import PromptReader
from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.database import migrated
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
