"""Requests that a changed DNS record has led here are told by Host and Origin."""

import pytest

from web.mcp.app import LOOPBACK, foreign, host_in

OURS = LOOPBACK | {"triage.acme.example"}


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8808", None, 0),
        ("LocalHost", "http://localhost:6274", 0),
        ("[::1]:8808", None, 0),
        ("triage.acme.example", "https://triage.acme.example", 0),
        ("evil.example:8808", None, 421),
        ("127.0.0.1.evil.example", None, 421),
        ("evil.example@127.0.0.1", "http://evil.example", 403),
        ("", None, 421),
        ("[", None, 421),
        ("localhost", "http://evil.example", 403),
        ("localhost", "null", 403),
        ("localhost", "", 403),
    ],
)
def test_who_is_meant(host: str, origin: str | None, status: int) -> None:
    """Only our own names pass, in Host and in Origin."""
    refused = foreign(host, origin, OURS)

    assert (refused[0] if refused else 0) == status


def test_host_of_an_address() -> None:
    """Scheme, port and path do not count."""
    assert host_in("https://Triage.acme.example:8443/x") == "triage.acme.example"
