"""The site with the larger past, for the tests of searches."""

from collections.abc import Iterator
from typing import Any

import pytest
from jira import JIRA

from tests.servers.sandbox import RunningJira


@pytest.fixture
def large(large_jira: RunningJira) -> Iterator[Any]:
    """The package on the site with the larger past."""
    client: Any = JIRA(large_jira.url, basic_auth=large_jira.login, max_retries=0)
    yield client
    client.close()
