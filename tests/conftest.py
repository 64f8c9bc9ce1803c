"""What all tests share: where the shared data lies, and servers that must not be missing silently."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None)  # a busy machine is no bug; `timeout` bounds every test
settings.load_profile("house")

PATIENCE = 240.0
"""Seconds that a test waits for what must come: it bounds a hang, no test asserts on it."""
ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

pytest_plugins = [
    "tests.servers.official_watch",
    "tests.servers.chromium",
    "tests.servers.sandbox",
    "tests.servers.sites",
    "tests.servers.scripted_jira",
    "tests.servers.redis",
    "tests.servers.postgres",
    "tests.servers.dovecot",
    "tests.servers.dns",
]
"""Server fixtures join here: `tests.servers.postgres`, `tests.servers.redis`, …"""


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real mails and documents; where it is absent the test says so."""
    if not (SHARED / "data").is_dir():
        pytest.skip("no ../shared/data beside this checkout: real mails are not tested")
    return SHARED / "data"
