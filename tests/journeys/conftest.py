"""Fixtures of the journeys: a household over Cloud, with a model behind real HTTP."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrations.sandbox.openai_app import Asked, openai_app
from integrations.sandbox.server import Served
from tests.journeys.household import Household
from tests.servers.sandbox import RunningJira
from triage.agent.playbook import Playbook


@pytest.fixture
def household(tmp_path: Path, cloud_jira: RunningJira) -> Household:
    """A user with a Jira Cloud and no model."""
    return Household(folder=tmp_path, jira=cloud_jira)


@pytest.fixture
def with_model(household: Household) -> Iterator[Household]:
    """The same with a model: the playbook behind an OpenAI-shaped server that counts its requests."""
    asked: deque[Asked] = deque(maxlen=1000)
    with Served(openai_app(Playbook(0.55), journal=asked)) as served:
        household.model_url, household.asked = served.url, asked
        yield household
