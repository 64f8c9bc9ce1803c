"""Clients for the tests of boards and sprints."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.servers.sandbox import RunningJira


@pytest.fixture
def agile(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The interface of boards."""
    with any_jira.client("/rest/agile/1.0") as client:
        yield client


@pytest.fixture
def board(jira: Any) -> Any:
    """A scrum board of our own over the company's project."""
    saved = jira.create_filter("mine", "all of it", "project = HARB", favourite=True)
    return jira.create_board("my board", saved.id)
