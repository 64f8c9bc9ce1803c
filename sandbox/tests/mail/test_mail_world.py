"""The sandbox's mail world: letters come in by SMTP and are seen as text, by the mailbox that they lie in."""

import smtplib
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage

import httpx2
import pytest

from triage_sandbox.mail.mailboxes import MOST_LETTERS, Mailboxes
from triage_sandbox.mail.pages import mail_app
from triage_sandbox.mail.smtp import ServedMail
from triage_sandbox.server import Served

HOSTILE = "<script>document.title='owned'</script>"


@dataclass(frozen=True)
class World:
    """A running mail server and its page."""

    mailboxes: Mailboxes
    port: int
    url: str

    def send(self, *to: str, subject: str = "Re: Labels", text: str = "It is HARB-72.", subtype: str = "plain") -> None:
        """Send a letter as a mail program would."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = "support@harbourline.example", ", ".join(to), subject
        letter.set_content(text, subtype=subtype)
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            client.send_message(letter)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """A mail world whose mailboxes fill while the tests run."""
    mailboxes = Mailboxes()
    with ServedMail(mailboxes) as post, Served(mail_app(mailboxes)) as page:
        yield World(mailboxes, post.port, page.url)


def test_a_letter_lies_in_the_mailbox_of_each_recipient(world: World) -> None:
    """It is in both mailboxes, whatever the case of the address, and in no third one."""
    world.send("Ida@North.example", "jo@north.example", subject="Für beide")

    assert [kept.header("subject") for kept in world.mailboxes.letters("ida@north.example")] == ["Für beide"]
    assert [kept.to for kept in world.mailboxes.letters("JO@north.example")] == [
        ("ida@north.example", "jo@north.example")
    ]
    assert world.mailboxes.letters("kim@north.example") == []


def test_the_page_shows_who_has_which_letters(world: World) -> None:
    """The owner is listed with a link to his mailbox, the letter with a link to its text."""
    world.send("page@north.example", subject="Seen", text="Grüße aus dem Hafen")
    number = world.mailboxes.letters("page@north.example")[0].number

    listed = httpx2.get(world.url, params={"of": "page@north.example"}).text
    letter = httpx2.get(f"{world.url}/letters/{number}").text

    assert 'href="/?of=page%40north.example" aria-current="page"' in listed
    assert f'<a href="/letters/{number}">Seen</a>' in listed
    assert "Grüße aus dem Hafen" in letter


@pytest.mark.parametrize("subtype", ["plain", "html"])
def test_what_a_letter_says_is_text(world: World, subtype: str) -> None:
    """Markup in subject and body is shown, never part of the page, and the page may run no script."""
    world.send("victim@north.example", subject=HOSTILE, text=HOSTILE, subtype=subtype)
    number = world.mailboxes.letters("victim@north.example")[0].number

    for path in ("/", f"/letters/{number}"):
        answer = httpx2.get(world.url + path)
        assert (answer.status_code, "<script" in answer.text, "&lt;script&gt;" in answer.text) == (200, False, True)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]


def test_letters_of_broken_bytes_are_shown() -> None:
    """An unknown charset, a header of no sense and no body at all stop no page."""
    mailboxes = Mailboxes()
    mailboxes.deliver(
        ["a@north.example"], b"Subject: =?x-none?b?////?=\r\nContent-Type: text/plain; charset=x-none\r\n\r\n\xff\xfe"
    )
    mailboxes.deliver(["a@north.example"], b"Content-Type: multipart/mixed\r\n\r\n")
    mailboxes.deliver(["a@north.example"], b"From: \xff <\r\nDate: never\r\n\r\n")

    with Served(mail_app(mailboxes)) as page:
        seen = [httpx2.get(page.url + path).status_code for path in ("/", "/letters/1", "/letters/2", "/letters/3")]
        unknown = httpx2.get(f"{page.url}/letters/4").status_code

    assert (seen, unknown) == ([200] * 4, 404)


def test_the_oldest_letters_go_first() -> None:
    """The mailboxes hold a bounded number of letters, whose numbers are never given again."""
    mailboxes = Mailboxes()
    for _ in range(MOST_LETTERS + 2):
        mailboxes.deliver(["a@north.example"], b"\r\n")

    assert (len(mailboxes.letters()), mailboxes.letters()[0].number, mailboxes.one(2)) == (MOST_LETTERS, 1002, None)
