"""Which connections may carry a password."""

from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from triage.config.shapes.base import Form, keeps_secrets, this_machine


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("10.0.0.1", False), ("localhost.example.com", False)],
)
def test_this_machine(host: str, here: bool) -> None:  # noqa: FBT001 - a row of the table
    """Loopback addresses and `localhost` are this machine; a name that begins like it is not."""
    assert this_machine(host) is here


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.com/a", True),
        ("http://[::1]:8080/a", True),
        ("http://example.com", False),
        ("ftp://localhost", False),
        ("example.com", False),
    ],
)
def test_a_url_that_keeps_secrets(url: str, kept: bool) -> None:  # noqa: FBT001 - a row of the table
    """A password goes over TLS, or not over a network at all."""
    assert keeps_secrets(url) is kept


KEY = TypeAdapter(Annotated[str, Form("^[A-Z]+$", "write a key in capitals, such as HARB")])


@pytest.mark.parametrize("wrong", ["harb", "", "HARB\n", 7])
def test_what_another_form_is_told(wrong: object) -> None:
    """The error says what to write, and nothing of the pattern; programs still see the pattern in the schema."""
    with pytest.raises(ValidationError) as refused:
        KEY.validate_python(wrong)

    assert [one["msg"] for one in refused.value.errors()] == ["write a key in capitals, such as HARB"]
    assert KEY.json_schema() == {"type": "string", "pattern": "^[A-Z]+$"}
    assert KEY.validate_python("HARB") == "HARB"
