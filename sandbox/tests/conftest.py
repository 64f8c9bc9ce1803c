"""HTTP clients of the two sandbox sites, and the package `jira`, logged in as the bot."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from jira import JIRA

from tests.servers.sandbox import RunningJira


@pytest.fixture
def api(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Both sites, one after the other, in the version of the API that our product speaks to them."""
    with any_jira.api() as client:
        yield client


@pytest.fixture
def cloud(cloud_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Cloud's API."""
    with cloud_jira.api() as client:
        yield client


@pytest.fixture
def server(server_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Data Center's API."""
    with server_jira.api() as client:
        yield client


@pytest.fixture
def jira(any_jira: RunningJira) -> Iterator[Any]:
    """The package as people use it, apart from its retries."""
    client: Any = JIRA(any_jira.url, basic_auth=any_jira.login, max_retries=0)
    yield client
    client.close()
