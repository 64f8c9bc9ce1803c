"""The text of triage.yaml as people read it."""

import pytest

from triage.services.installation.rulebook import without_secrets


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("  password: hunter2-and-more", "hunter2"),
        ("  - token: abc.def", "abc.def"),
        ("'api_key': \"k-1234\"", "k-1234"),
        ("imap_secret:   s3cr3t # of May", "s3cr3t"),
        ("url: https://bot:hunter2@models.example/v1", "hunter2"),
        ("password: |\n  line one\n  line two\nname: support", "line two"),
        ("- {name: own, password: hunter2, host: a}", "hunter2"),
    ],
    ids=[
        "a password",
        "a token in a list",
        "quoted",
        "with a comment",
        "in an address",
        "of several lines",
        "in a row",
    ],
)
def test_no_secret_is_shown(text: str, secret: str) -> None:
    """Whatever a key calls a secret, or what looks like one, is masked; masking twice changes nothing."""
    shown = without_secrets(text)

    assert secret not in shown
    assert "masked" in shown
    assert without_secrets(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "password_file: /run/secrets/imap",
        "token_command: pass show imap",
        "key: GEMINI_API_KEY",
        "- {name: support, host: imap.example.com}",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """Files, commands and names of variables say where a secret is, and are none."""
    assert without_secrets(text) == text
