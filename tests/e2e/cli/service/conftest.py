"""Fixtures of the services' tests."""

from base64 import b64encode

import pytest

from tests.e2e.installation import Installation

SECRET = "whsec_" + b64encode(b"a key for half a minute of tests").decode()
LOGIN = ("postmark", "correct-horse-battery-staple")


@pytest.fixture
def open_app(installation: Installation) -> Installation:
    """An installation with both webhooks open, on whatever port is free."""
    installation.extra = {
        "PORT": "0",
        "WEBHOOK_SECRET": SECRET,
        "POSTMARK_USER": LOGIN[0],
        "POSTMARK_PASSWORD": LOGIN[1],
        "LOG_LEVEL": "INFO",
    }
    return installation
