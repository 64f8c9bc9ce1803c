"""Clients for the tests of issues."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.servers.sandbox import RunningJira


@pytest.fixture
def large(large_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The API of the site with the larger past."""
    with large_jira.api() as client:
        yield client
