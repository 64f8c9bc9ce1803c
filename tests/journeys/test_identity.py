"""Who wrote it, and which thread is it of? Forgeries, strangers and double deliveries through the whole house."""

from pathlib import Path

import pytest

from tests.journeys.test_trouble import house, take
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Trust

EDGE = {"AUTHSERV_ID": "mx.harbourline.example"}
STAMP = "Authentication-Results: mx.harbourline.example; dmarc=pass header.from=corner-shop.example\n"
HOP = "Received: from a.example by mx.harbourline.example; Fri, 20 Nov 2026 08:00:00 +0000\n"


def letter(
    text: str = "The barcode is cut off when I print a label.",
    *,
    subject: str = "Barcode cut off",
    sender: str = "Dora <dora@corner-shop.example>",
    top: str = "",
    message_id: str = "<1@corner-shop.example>",
    thread: str = "",
    date: str = "Fri, 20 Nov 2026 08:00:00 +0000",
) -> bytes:
    """A mail."""
    lines = [
        f"From: {sender}",
        "To: support@harbourline.example",
        f"Subject: {subject}",
        f"Date: {date}" if date else "",
        f"Message-ID: {message_id}" if message_id else "",
        f"In-Reply-To: {thread}" if thread else "",
    ]
    return (top + "\n".join(filter(None, lines)) + f"\n\n{text}\n").encode()


@pytest.mark.parametrize(
    ("top", "trust"),
    [
        (STAMP + HOP, Trust.VERIFIED),
        (HOP + "Received: from home by a.example; Fri, 20 Nov 2026 07:59:00 +0000\n" + STAMP, Trust.UNVERIFIED),
        (HOP + STAMP.replace("mx.harbourline", "mx.evil"), Trust.UNVERIFIED),
        (STAMP, Trust.UNVERIFIED),
        (
            "Authentication-Results: mx.harbourline.example; spf=pass"
            ' smtp.mailfrom="=?utf-8?q?=22=3B_dmarc=3Dpass_header=2Efrom=3Dcorner-shop=2Eexample?="@evil.example\n'
            + HOP,
            Trust.UNVERIFIED,
        ),
        (STAMP.replace("dmarc=pass", "dmarc=fail") + HOP, Trust.FAILED),
    ],
    ids=["ours", "below", "other-server", "no-hop", "smuggled", "failed"],
)
async def test_forged_results(tmp_path: Path, cloud_jira: RunningJira, top: str, trust: Trust) -> None:
    """Only what our own server wrote on top makes a sender verified; the report says what it stands on."""
    async with house(cloud_jira, tmp_path, dry_run=True, **EDGE) as opened:
        report = await take(opened, "x.eml", letter(top=top))

    [told] = [step.note for step in report.steps if step.name == "identify"]
    assert (trust, True) == (report.case.trust, f"sender {trust} (" in told), told


async def test_lookalike(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A sender whose name mixes scripts is flagged and unverified, though his domain is proven."""
    async with house(cloud_jira, tmp_path, dry_run=True, **EDGE) as opened:
        raw = letter(top=STAMP + HOP, sender="D\N{CYRILLIC SMALL LETTER O}ra <dora@corner-shop.example>")
        report = await take(opened, "x.eml", raw)

    assert (report.case.trust, "lookalike" in report.case.flags) == (Trust.UNVERIFIED, True)
