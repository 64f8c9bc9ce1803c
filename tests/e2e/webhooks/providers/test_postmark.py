"""Postmark: JSON with a password in the URL."""

from email import message_from_bytes
from pathlib import Path

import pytest

from tests.e2e.webhooks.webhook_door import (
    LOGIN,
    MAIL,
    Door,
    texts_of,
)


class TestPostmark:
    """JSON with a password in the URL."""

    @pytest.mark.parametrize("sample", ["postmark-inbound-test-payload", "postmark-inbound-test-payload-with-raw"])
    async def test_real_payloads(self, sql_door: Door, shared_data: Path, sample: str) -> None:
        """Postmark's own sample becomes a mail with sender, subject and text, with and without the raw mail."""
        answer = await sql_door.postmark((shared_data / f"webhook-payloads/postmark/{sample}.json").read_bytes())
        mail = message_from_bytes(await sql_door.store.archive.raw(answer.json()["cases"][0]))

        assert "support@postmarkapp.com" in str(mail["From"])
        assert mail["Subject"] == "Test subject"
        assert "This is a test text body." in texts_of(mail)

    async def test_raw_is_taken(self, door: Door) -> None:
        """Where the raw mail is there it is the mail, and the fields are not looked at."""
        await door.postmark({"MessageID": "m-1", "Subject": "another", "RawEmail": MAIL.decode()})

        assert door.stored[0].raw == MAIL
        assert door.stored[0].source == "webhook:postmark"
        assert door.stored[0].source_id == "m-1"
        assert door.stored[0].verdict is None

    async def test_retry(self, door: Door) -> None:
        """Postmark's message id names the delivery: tried again it is the same case."""
        fields = {"MessageID": "m-1", "RawEmail": MAIL.decode()}
        answers = [await door.postmark(fields | {"Tag": str(number)}) for number in range(3)]

        assert {tuple(answer.json()["cases"]) for answer in answers} == {("case-1",)}

    async def test_tried_again_after_trouble(self, door: Door) -> None:
        """Postmark tries for ten and a half hours; the mail is taken at its last try."""
        door.store.down = True
        assert (await door.postmark({"MessageID": "m-1", "RawEmail": MAIL.decode()})).status_code == 503
        door.store.down = False
        await door.clock.sleep(10.5 * 3600)
        await door.postmark({"MessageID": "m-1", "RawEmail": MAIL.decode()})

        assert [received.raw for received in door.stored] == [MAIL]

    @pytest.mark.parametrize("login", [("postmark", "wrong"), ("", ""), ("postmark", ""), (LOGIN[1], LOGIN[0])])
    async def test_wrong_login(self, door: Door, login: tuple[str, str]) -> None:
        """401 and not 403, on which Postmark would never try again."""
        assert (await door.postmark({"RawEmail": MAIL.decode()}, login)).status_code == 401
        assert door.stored == []

    @pytest.mark.parametrize("authorization", ["Bearer x", "Basic", "Basic ???", "Basic w6Q=", "basic"])
    async def test_odd_login(self, door: Door, authorization: str) -> None:
        """Whatever stands in the header, a wrong one is refused."""
        answer = await door.post("/webhooks/postmark", b"{}", headers={"authorization": authorization})

        assert answer.status_code == 401

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"no json",
            b"[]",
            b"null",
            b"{}",
            b'{"RecordType": "Bounce", "MessageID": "m-1"}',
            b'{"RawEmail": 7}',
            b'{"FromFull": "somebody"}',
            b"[" * 100_000,
        ],
    )
    async def test_unreadable(self, door: Door, body: bytes) -> None:
        """What is authentic and unreadable is acknowledged and kept as it came, where a person can see it."""
        answer = await door.postmark(body)

        assert answer.status_code == 200
        assert [received.raw for received in door.stored] == [body]
        assert door.stored[0].source == "webhook:postmark:unreadable"

    async def test_half_characters(self, door: Door) -> None:
        """A text cut in the middle of an emoji is no reason to refuse the mail."""
        body = (
            b'{"MessageID": "m-1", "FromFull": {"Email": "a@example.com"}, "Subject": "hi \\ud83d", "TextBody": "\xff"}'
        )
        await door.postmark(body)

        assert door.stored[0].source == "webhook:postmark"
        assert b"Subject: hi ?" in door.stored[0].raw
