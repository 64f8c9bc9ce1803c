"""Fixtures that the tests of the product and of the sandbox share: servers, and the folder of real data."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.conftest import SHARED

settings.register_profile("house", deadline=None)  # a busy machine is no bug; `timeout` bounds every test
settings.load_profile("house")

pytest_plugins = [
    "tests.servers.official.watch",
    "tests.servers.chromium",
    "tests.servers.sandbox",
    "tests.servers.sites",
    "tests.servers.scripted_jira",
    "tests.servers.redis",
    "tests.servers.postgres",
    "tests.servers.dovecot",
    "tests.servers.dns",
    "tests.servers.mail.smtp",
]
"""One module per server. pytest accepts this list in the topmost conftest only."""


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real mails and documents; where it is absent the test says so."""
    if not (SHARED / "data").is_dir():
        pytest.skip("no ../shared/data beside this checkout: real mails are not tested")
    return SHARED / "data"
