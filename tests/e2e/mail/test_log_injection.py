"""Strangers' words in the logs of a real `triage serve`: one line for each event, whatever they write."""

import json
import re
from email.header import Header

import httpx2
import pytest

from integrations.system_clock import SystemClock
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from webhooks.signatures import SigningKeys

SECRET = "a-key-of-this-test-that-is-long-enough"
FORGED = "x\r\n2026-11-20T09:00:00.000+00:00 ERROR case.done case=case-1 outcome=ticketed"
NASTY = f"{FORGED} \x1b[31mred\x1b]0;title\x07 \u202egpj.exe\u2066 {{record.exception}} {{nope}} %s %n \x00 {SECRET}"
"""A second line, terminal commands, text that runs backwards, format strings, and a secret of ours."""
EVENT = re.compile(r"[a-z]+(?:\.[a-z_]+)*")


def hostile_mail() -> bytes:
    """All of it wherever a mail has room for words."""
    word = Header(NASTY, "utf-8", maxlinelen=10_000).encode()
    return (
        f"From: {word} <ada@example.com>\r\nTo: support@example.com\r\nSubject: {word}\r\n"
        f"Message-ID: <a\x1b[31m\u202e{{x}}@example.com>\r\nX-{{x}}: {word}\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n{NASTY}\r\nThe export crashes with an error.\r\n"
        f"--x\r\nContent-Type: text/{{x}}; charset=klingon\r\nContent-Disposition: attachment; filename*=utf-8''%1b%5b31m%0d%0a\r\n"
        f"\r\nx\r\n--x--\r\n"
    ).encode()


@pytest.mark.parametrize("as_json", ["true", "false"], ids=["json", "text"])
def test_one_line_for_each_event(installation: Installation, as_json: str) -> None:
    """No line is forged, coloured, turned around or expanded, and no secret of ours stands in any."""
    keys = SigningKeys.read([SECRET], "X")
    more = {"WEBHOOK_SECRET": SECRET, "LOG_JSON": as_json, "LOG_LEVEL": "DEBUG", "PORT": "0"}
    with running(installation, "serve", **more) as serving:
        mail = hostile_mail()
        with httpx2.Client(base_url=serving.url.replace("0.0.0.0", "127.0.0.1")) as client:  # noqa: S104 - where it listens
            signed = keys.sign("delivery-{x}", SystemClock().now(), mail)
            statuses = [
                client.post("/webhooks/mime", content=mail, headers=signed).status_code,
                client.post("/webhooks/mime", content=mail, headers=signed | {"webhook-id": "{x}\t<b>"}).status_code,
                client.post("/webhooks/%0d%0a%1b%5b31m%E2%80%AE%7Bx%7D", content=b"x").status_code,
                client.get("/%0d%0a2026-11-20%1b%5b31m").status_code,
                client.post("/webhooks/mime", content=b"x", headers={b"user-agent": b"\x9b31m{x}"}).status_code,
            ]
        until(lambda: "outcome" in serving.said, serving)
        serving.process.terminate()
        serving.process.wait(20)
    lines = [line for line in serving.said.splitlines() if not line.startswith(("listening", "triage"))]

    assert statuses == [200, 401, 404, 404, 401]
    assert len(lines) >= 5
    assert [line for line in lines if not line.isprintable() or SECRET in line] == []
    events = [json.loads(line)["event"] if as_json == "true" else line.split()[2] for line in lines]
    assert [event for event in events if not EVENT.fullmatch(event)] == []
    assert events.count("case.done") == 1
