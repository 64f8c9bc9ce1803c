"""The rules asked over HTTP: the answer of `triage route --explain`, by the file as it is now, and nothing is kept."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.conftest import PATIENCE
from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door
from triage.domain.operations.tokens import AccessScope

RULES = """
routing:
  rules:
    - name: partners
      match: {sender_domain: partner.example}
      route: pipeline
    - name: exports
      match: {subject_contains: export}
      route: pipeline
      labels: [export]
"""
MAIL = b"From: Ada <ada@acme.example>\r\nTo: help@example.com\r\nSubject: The export stops\r\nMessage-ID: <1@a>\r\n\r\nAt 40 %.\r\n"


@pytest.fixture
async def ruled(tmp_path: Path) -> AsyncIterator[ApiDoor]:
    """The API over two rules."""
    (tmp_path / "triage.yaml").write_text(RULES)
    settings = {"TRIAGE_CONFIG": str(tmp_path / "triage.yaml"), "MAX_MAIL_BYTES": "200000"}
    async with api_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", settings=settings) as door:
        yield door


async def test_which_rule_and_why(ruled: ApiDoor) -> None:
    """The rule that takes it, with its reason, and what each rule says; no case is made."""
    answer = await ruled.post("/routes/test", content=MAIL, scope=AccessScope.APPROVER)
    told = answer.json()

    assert (answer.status_code, told["rule"], told["route"], told["labels"]) == (200, "exports", "pipeline", ["export"])
    assert "export" in " ".join(told["because"])
    assert [(one["rule"], one["takes"], one["holds"]) for one in told["rules"]] == [
        ("partners", False, False),
        ("exports", True, True),
    ]
    assert told["rules"][0]["conditions"][0]["condition"] == "sender_domain partner.example"
    assert (await ruled.get("/cases")).json()["items"] == []


async def test_rules_of_now(ruled: ApiDoor, tmp_path: Path) -> None:
    """A changed triage.yaml counts without a restart."""
    (tmp_path / "triage.yaml").write_text(RULES.replace("partner.example", "acme.example"))
    while (await ruled.post("/routes/test", content=MAIL)).json()["rule"] != "partners":
        await asyncio.sleep(0.1)


@pytest.mark.parametrize(("raw", "status"), [(b"", 400), (MAIL + b"x" * 150_000, 200)])
async def test_what_is_taken(ruled: ApiDoor, raw: bytes, status: int) -> None:
    """A mail up to MAX_MAIL_BYTES, larger than a JSON body; what is none, or larger, is refused as a problem."""
    answer = await ruled.post("/routes/test", content=raw)

    assert answer.status_code == status
    assert answer.headers["content-type"].endswith("json")


@pytest.mark.parametrize(
    ("token", "size", "body", "status"),
    [
        ("", "Content-Length: 150000", b"", b"401"),
        ("admin", "Content-Length: 200001", b"", b"413"),
        ("admin", "Transfer-Encoding: chunked", b"30d41\r\n" + b"x" * 200_001, b"413"),
    ],
    ids=["no token", "declared", "a stream without a size"],
)
async def test_refused_before_its_end(ruled: ApiDoor, token: str, size: str, body: bytes, status: bytes) -> None:
    """Without a token nothing of a mail is awaited, nor of one too large; a stream is cut off at the limit."""
    at = urlsplit(ruled.url)
    bearer = f"Authorization: Bearer {ruled.held[AccessScope(token)]}\r\n" if token else ""
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(f"POST /api/v1/routes/test HTTP/1.1\r\nHost: x\r\n{bearer}{size}\r\n\r\n".encode() + body)
    answer = await asyncio.wait_for(reader.readline(), PATIENCE)
    writer.close()

    assert answer.split()[1] == status
