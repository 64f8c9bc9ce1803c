"""Mails that are written on the page of mailboxes: how they reach the team, and what is no mail."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

import httpx2
import pytest

from triage_sandbox.mail.mailboxes import Mailboxes
from triage_sandbox.mail.pages import mail_app
from triage_sandbox.mail.writing import Desk, Undelivered
from triage_sandbox.server import Served

FORM = {"sender": "ida@north.example", "name": "Ida North", "subject": "Map is empty", "text": "Grüße, since nine."}
RECEIPT = b"From: support@harbour.example\r\nTo: Ida North <ida@north.example>\r\nSubject: Re: Map\r\nMessage-ID: <r1@h>\r\nReferences: <m1@n>\r\n\r\nIt is HARB-9.\r\n"


@dataclass
class Team:
    """Takes mails, or none while it is down, and the page on which they are written."""

    mailboxes: Mailboxes = field(default_factory=Mailboxes)
    got: list[bytes] = field(default_factory=list)
    down: bool = False
    url: str = ""

    async def deliver(self, raw: bytes) -> None:
        """Keep a mail. Raises `Undelivered` while down."""
        if self.down:
            raise Undelivered("nobody at home")
        self.got.append(raw)

    def write(self, origin: str = "", **form: str) -> httpx2.Response:
        """Send the form as a browser does from this page."""
        return httpx2.post(f"{self.url}/write", data=FORM | form, headers={"Origin": origin or self.url})

    @property
    def last(self) -> EmailMessage:
        """The mail that came in last."""
        return message_from_bytes(self.got[-1], policy=policy.default)


@pytest.fixture(scope="module")
def team() -> Iterator[Team]:
    """A team at support@harbour.example."""
    team = Team()
    desk = Desk(("support@harbour.example", "help@harbour.example"), "mx.harbour.example", team.deliver)
    with Served(mail_app(team.mailboxes, desk, {"The board": "http://127.0.0.1:1"})) as page:
        team.url = page.url
        yield team


def test_a_written_mail_arrives(team: Team) -> None:
    """Sender, subject and text arrive as written, below what the team's server says of the sender; the writer sees his mailbox."""
    answer = team.write()

    assert (answer.status_code, answer.headers["location"]) == (303, "/?of=ida%40north.example&sent=true")
    assert "has your mail" in httpx2.get(team.url + answer.headers["location"]).text
    assert (team.last["from"], team.last["to"]) == ("Ida North <ida@north.example>", "support@harbour.example")
    assert (team.last["subject"], team.last.get_content().rstrip()) == ("Map is empty", "Grüße, since nine.")
    assert list(team.last)[:2] == ["Authentication-Results", "Received"]
    assert team.last["authentication-results"] == "mx.harbour.example; dmarc=pass header.from=north.example"


def test_a_mail_goes_to_the_chosen_address(team: Team) -> None:
    """The form offers the team's addresses; what is none of them goes to the first."""
    team.write(to="help@harbour.example")

    assert team.last["to"] == "help@harbour.example"
    assert "<option>help@harbour.example</option>" in httpx2.get(f"{team.url}/write").text
    team.write(to="boss@other.example")
    assert team.last["to"] == "support@harbour.example"


@pytest.mark.parametrize("proof", ["none", "fail"])
def test_a_sender_can_be_unproven_or_forged(team: Team, proof: str) -> None:
    """The server's line says so."""
    team.write(proof=proof)

    assert f"dmarc={proof} " in team.last["authentication-results"]


def test_an_answer_stays_in_the_thread(team: Team) -> None:
    """The form starts with subject, name and quoted text of the letter, and the mail names it and those before it."""
    kept = team.mailboxes.deliver(["ida@north.example"], RECEIPT)

    form = httpx2.get(f"{team.url}/write", params={"letter": kept.number}).text
    team.write(letter=str(kept.number))

    assert all(told in form for told in ('value="Ida North"', 'value="Re: Map"', "&gt; It is HARB-9."))
    assert (team.last["in-reply-to"], team.last["references"]) == ("<r1@h>", "<m1@n> <r1@h>")


@pytest.mark.parametrize(
    "form",
    [{"sender": ""}, {"sender": "ida"}, {"sender": "ida@north"}, {"sender": "ida@nörd.example"}, {"subject": " ", "text": " "}, {"text": "x" * 100_001}],
)  # fmt: skip
def test_what_is_no_mail_stays_in_the_form(team: Team, form: dict[str, str]) -> None:
    """It is refused with what to do, nothing arrives, and the subject is still there."""
    before = len(team.got)

    answer = team.write(**({"subject": "Keep me"} | form))

    assert (answer.status_code, 'role="alert"' in answer.text, len(team.got)) == (400, True, before)
    assert form.get("subject") or "Keep me" in answer.text


def test_a_team_that_is_down_loses_no_words(team: Team) -> None:
    """The writer is told and finds his text in the form."""
    team.down = True
    try:
        answer = team.write()
    finally:
        team.down = False

    assert (answer.status_code, "nobody at home" in answer.text, "Grüße, since nine." in answer.text) == (
        502,
        True,
        True,
    )


def test_a_field_is_no_header(team: Team) -> None:
    """Line breaks in subject and name add no header."""
    team.write(subject="Map\r\nBcc: all@north.example", name="Ida\r\nX-Role: admin")

    assert (team.last["bcc"], team.last["x-role"]) == (None, None)
    assert team.last["subject"] == "Map Bcc: all@north.example"


def test_other_pages_write_nothing(team: Team) -> None:
    """A form on another site is refused, and so is another host name that leads here."""
    before = len(team.got)

    foreign = team.write(origin="https://evil.example").status_code
    rebound = httpx2.get(team.url, headers={"Host": "evil.example"}).status_code

    assert (foreign, rebound, len(team.got)) == (403, 400, before)
