"""Signature, retries and addresses of webhooks out."""

import ipaddress
from datetime import UTC, datetime, timedelta

import pytest

from triage.policy.operations.webhooks import RETRIES, next_try, reachable, signed, why_unfit
from webhooks.signatures import SigningKeys

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """The published example of the specification, and our own verifier of inbound webhooks."""
    body, at = b'{"test": 2432232314}', datetime.fromtimestamp(1614265330, UTC)
    headers = signed(KEY, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body)

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert SigningKeys.read([KEY], "X").verify("test", headers, body, at) == "msg_p5jXN8AQM9LWM0D4loKWxJek"


def test_retries_take_two_days() -> None:
    """Each pause is longer than the one before; after the last the delivery is given up."""
    pauses = [next_try(attempts, NOW) for attempts in range(1, len(RETRIES) + 2)]

    assert pauses[0] == NOW + timedelta(seconds=5)
    assert list(RETRIES) == sorted(RETRIES)
    assert timedelta(days=2) < sum(RETRIES, timedelta()) < timedelta(days=3)
    assert pauses[-1] is None


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://hooks.example.com/a?b=c", ""),
        ("https://hooks.example.com:8443/", ""),
        ("http://inside.example/", ""),
        ("http://hooks.example.com/", "it must begin with https://"),
        ("ftp://hooks.example.com/", "it must begin with https:// and name a host"),
        ("https:///path", "it must begin with https:// and name a host"),
        ("file:///etc/passwd", "it must begin with https:// and name a host"),
        ("https://user@hooks.example.com/", "it must hold no user and no password"),
        ("https://user:word@hooks.example.com/", "it must hold no user and no password"),
        ("https://hooks.example.com:99999/", "it is no URL"),
        ("https://[::1/", "it is no URL"),
    ],
)
def test_urls(url: str, why: str) -> None:
    """TLS, a host, no password; a host that an admin names may do without TLS."""
    assert why_unfit(url, {"inside.example"}) == why


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - nobody binds to it
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("2002:5db8:d822::", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("64:ff9b::5db8:d822", True),
        ("::7f00:1", False),  # IPv4 within IPv6, as it was once written
        ("fec0::1", False),  # a site's own, before fc00::/7
        ("64:ff9b:1::a00:1", False),  # a network's own translator (RFC 8215)
    ],
)
def test_addresses(address: str, public: bool) -> None:  # noqa: FBT001 - a column of the table
    """Nothing private, local or a cloud's metadata service, however it is written."""
    assert reachable(ipaddress.ip_address(address)) is public
