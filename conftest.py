"""Fixtures that the tests of the product and of the sandbox share: servers, and the folder of real data."""

import gc
import os
from functools import cache
from pathlib import Path

import pytest
from httpx2 import _config
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from loguru._better_exceptions import ExceptionFormatter

from tests.conftest import PATIENCE, ROOT, SHARED
from tests.dealing import dealt

# Servers of tests bring their own certificate: each client that reads all authorities of the system takes 20 to 45 ms.
os.environ["SSL_CERT_FILE"] = str(ROOT / "tests" / "servers" / "nobody.pem")

# So that a test which asks over HTTP need not say how long it waits: five seconds are not enough for a busy machine.
for part in ("connect", "read", "write", "pool"):
    setattr(_config.DEFAULT_TIMEOUT_CONFIG, part, PATIENCE)

# Each log that is set up looks for the folders of Python's libraries, 3 to 10 ms: each journey sets one up.
name = "_get_lib_dirs"
setattr(ExceptionFormatter, name, staticmethod(cache(getattr(ExceptionFormatter, name))))

# A busy machine is no bug, so no deadline: `timeout` bounds every test.
settings.register_profile("house", deadline=None, max_examples=30)
settings.register_profile("deep", deadline=None, max_examples=int(os.environ.get("EXAMPLES", "1000")))
settings.load_profile("house")

# Until all tests are collected: hardly anything of theirs is garbage, and to look for it took a fifth of each process's time.
gc.disable()

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


def pytest_configure(config: pytest.Config) -> None:
    """Only `make properties` tries the numbers and words of our own code, too: each process would read them for one to five seconds."""
    if not config.getoption("--hypothesis-profile"):
        nothing = Constants()
        vars(providers).update(_get_local_constants=lambda: nothing)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep random examples from covering lines, which would be covered on some days only; deal the tests to the processes of a run.

    What covers nothing comes last: what is computed once in a process counts as never run where such a test was the first to need it.
    """
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("no_cover")
    if hands := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        items[:] = dealt(items, hands)
    else:
        items.sort(key=lambda item: item.get_closest_marker("no_cover") is not None)


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection: going through them again and again took a fifth of a unit test's time.

    With what is garbage among them: to look for it would take 0.8 s of each process.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real mails and documents; where it is absent the test says so."""
    if not (SHARED / "data").is_dir():
        pytest.skip("no ../shared/data beside this checkout: real mails are not tested")
    return SHARED / "data"
