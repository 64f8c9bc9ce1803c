"""What a provider's checks are worth."""

from typing import Any

import pytest

from triage.domain.mail import Trust
from triage.policy.sender.trust import Check, Findings, sender_of, trust_of

PASS, FAIL, NONE = Check.PASS, Check.FAIL, Check.NONE


@pytest.mark.parametrize(
    ("found", "trust"),
    [
        ({}, Trust.UNVERIFIED),
        ({"dmarc": PASS}, Trust.VERIFIED),
        ({"dmarc": FAIL, "spf": PASS, "spf_domain": "example.com"}, Trust.FAILED),
        ({"spf": PASS, "spf_domain": "example.com"}, Trust.VERIFIED),
        ({"spf": PASS, "spf_domain": "Example.COM."}, Trust.VERIFIED),
        ({"spf": PASS, "spf_domain": "bounces.example.com"}, Trust.WEAK),
        ({"spf": PASS, "spf_domain": "elsewhere.example"}, Trust.WEAK),
        ({"spf": PASS}, Trust.WEAK),
        ({"spf": FAIL, "spf_domain": "example.com"}, Trust.FAILED),
        ({"spf": FAIL, "dkim_domains": {"example.com": PASS}}, Trust.VERIFIED),
        ({"spf": FAIL, "dkim_domains": {"list.example": PASS}}, Trust.WEAK),
        ({"spf": FAIL, "dkim_domains": {"example.com": FAIL}}, Trust.FAILED),
        ({"dkim_domains": {"example.com": FAIL}}, Trust.UNVERIFIED),
        ({"dkim_domains": {"example.com.evil.example": PASS}}, Trust.WEAK),
        ({"dkim": PASS}, Trust.WEAK),
        ({"dkim": FAIL}, Trust.UNVERIFIED),
        ({"sender": "", "spf": PASS, "spf_domain": ""}, Trust.WEAK),
        ({"sender": "", "dmarc": PASS}, Trust.WEAK),
    ],
)
def test_trust(found: dict[str, Any], trust: Trust) -> None:
    """Only a pass for exactly the domain that the mail names is a proof; a mail without a From proves nothing."""
    assert trust == trust_of(Findings(**({"sender": "example.com"} | found)))


@pytest.mark.parametrize(
    ("word", "check"),
    [
        ("pass", PASS),
        (" PASS", PASS),
        ("Fail", FAIL),
        ("softfail", NONE),
        ("neutral", NONE),
        ("", NONE),
        ("none", NONE),
    ],
)
def test_words(word: str, check: Check) -> None:
    """Only a hard fail is one, and words that nobody has told us of mean nothing."""
    assert check is Check.of(word)


@pytest.mark.parametrize(
    ("raw", "domain"),
    [
        (b"From: Ada <ada@Example.com>\r\n\r\nhi", "example.com"),
        (b"from:ada@example.com\nTo: x\n\nFrom: evil@evil.example", "example.com"),
        (b"Subject: x\r\nFrom: =?utf-8?q?=C3=81da?=\r\n <ada@example.com>\r\n\r\n", "example.com"),
        (b"From : ada@example.com", "example.com"),
        (b"From: a@example.com\r\nFrom: b@evil.example\r\n\r\n", ""),
        (b"From: a@example.com\r\nFROM : b@evil.example\r\n\r\n", ""),
        (b"From: a@example.com, b@evil.example\r\n\r\n", ""),
        (b'From: "ceo@example.com" <b@evil.example>\r\n\r\n', ""),
        (b"From: ceo@example.com <b@evil.example>\r\n\r\n", ""),
        (b"From: group: a@example.com;\r\n\r\n", ""),
        (b"Subject: x\r\n\r\nFrom: a@example.com", ""),
        (b"", ""),
    ],
)
def test_sender(raw: bytes, domain: str) -> None:
    """Whose mail it is, only where there is one way to read it."""
    assert domain == sender_of(raw)
