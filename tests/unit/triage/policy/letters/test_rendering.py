"""A letter as bytes: its headers, both forms of its text, its files, and no way to add a header."""

from datetime import UTC, datetime, timedelta
from string import printable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.triage.policy.letters.letters import NOW, SUPPORT, letter, parsed
from triage.domain.letters import LetterFile, LetterKind, Original
from triage.domain.mail import Address
from triage.domain.untrusted import Untrusted
from triage.policy.letters.rendering import (
    LONGEST,
    MOST_FILES,
    WROTE,
    attribution,
    fitting,
    mail_of,
    quoted_html,
    quoted_plain,
)

KNOWN = {
    *("from", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references", "x-triage-id"),
    *("auto-submitted", "x-auto-response-suppress", "mime-version", "content-type", "content-transfer-encoding"),
}
NAME = "x-triage-id"


def test_headers() -> None:
    """Who, to whom, about what, in which thread, and that no person has written it."""
    answer = letter(
        cc=(Address(address="bob@acme.example", name=Untrusted("Größe, Bob")),),
        subject="Re: Größe",
        in_reply_to="1@acme.example",
        references=("0@acme.example", "1@acme.example"),
    )
    mail = parsed(mail_of(answer, SUPPORT, NOW))

    assert mail["From"] == "Harbour Support <support@harbour.example>"
    assert mail["To"] == "Ada Byron <ada@acme.example>"
    assert mail["Cc"] == '"Größe, Bob" <bob@acme.example>'
    assert mail["Subject"] == "Re: Größe"
    assert mail["Date"] == "Fri, 20 Nov 2026 09:00:00 +0000"
    assert mail["Message-ID"] == mail[NAME] == f"<{answer.message_id}>"
    assert mail["In-Reply-To"] == "<1@acme.example>"
    assert mail["References"].split() == ["<0@acme.example>", "<1@acme.example>"]
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["X-Auto-Response-Suppress"] == "All"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"kind": LetterKind.RECEIPT, "in_reply_to": "1@acme.example"}, "auto-replied"),
        ({"kind": LetterKind.STATUS}, "auto-generated"),
        ({"kind": LetterKind.COMMENT}, "auto-generated"),
        ({"kind": LetterKind.APPROVAL, "in_reply_to": ""}, "auto-generated"),
        ({"kind": LetterKind.ANSWER, "in_reply_to": ""}, "auto-generated"),
    ],
)
def test_what_answers_no_mail_says_so(more: dict[str, Any], says: str) -> None:
    """As RFC 3834 wants it: `auto-replied` is for answers to a mail, the rest is `auto-generated`."""
    assert parsed(mail_of(letter(**more), SUPPORT, NOW))["Auto-Submitted"] == says


def test_accepted_by_a_person() -> None:
    """A letter that a person has accepted is no automatic one, and still wants no notices of absence."""
    mail = parsed(mail_of(letter(automatic=False), SUPPORT, NOW))

    assert mail["Auto-Submitted"] is None
    assert mail["X-Auto-Response-Suppress"] == "OOF, AutoReply"


def test_both_forms() -> None:
    """Plain text and HTML say the same, with the original below."""
    quoted = letter(original=Original(sender=Untrusted("Ada"), at=NOW, text=Untrusted("It is <broken>.")))
    mail = parsed(mail_of(quoted, SUPPORT, NOW))
    plain, page = mail.get_body(("plain",)), mail.get_body(("html",))

    assert mail.get_content_type() == "multipart/alternative"
    assert plain is not None
    assert page is not None
    assert plain.get_content().splitlines() == [
        *("We look into it.", "", "On 2026-11-20 09:00, Ada wrote:", "> It is <broken>.")
    ]
    assert "<strong>into</strong>" in page.get_content()
    assert "It is &lt;broken&gt;." in page.get_content()


def test_the_same_bytes() -> None:
    """The same letter at the same time is the same mail; all its bytes are ASCII with CRLF."""
    raw = mail_of(letter(body="Größe 日本"), SUPPORT, NOW)

    assert raw == mail_of(letter(body="Größe 日本"), SUPPORT, NOW)
    assert raw != mail_of(letter(body="Größe 日本"), SUPPORT, NOW + timedelta(seconds=1))
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert max(map(len, raw.split(b"\r\n"))) < 998


def test_files() -> None:
    """Files go along by type and name; a type that is none is bytes; a name is nothing but a name."""
    files = (
        LetterFile.of("meeting.ics", "text/calendar; method=REQUEST", b"BEGIN:VCALENDAR\r\n"),
        LetterFile.of("../../x\r\nBcc: eve@evil.example", "nonsense", bytes(range(256))),
        LetterFile.of("", "application/pdf", b"%PDF"),
    )
    mail = parsed(mail_of(letter(files=files), SUPPORT, NOW))
    invitation, other, unnamed = mail.iter_attachments()

    assert invitation["Content-Type"].params["method"] == "REQUEST"
    assert invitation.get_filename() == "meeting.ics"
    assert other.get_content_type() == "application/octet-stream"
    assert other.get_content() == bytes(range(256))
    assert (other.get_filename() or "").startswith(".._.._x Bcc_ eve_evil.example")
    assert unnamed.get_filename() == "file"
    assert mail["Bcc"] is None


def test_too_large_files() -> None:
    """A file that no server would take stays behind, and the letter says so."""
    large, small = (LetterFile.of("large.bin", "application/pdf", b"x" * size) for size in (MOST_FILES + 3, 1_000))
    mail = parsed(mail_of(letter(files=(large, small)), SUPPORT, NOW))
    body = mail.get_body(("plain",))

    assert fitting((large, small)) == ((small,), ("large.bin",))
    assert body is not None
    assert "(large.bin: too large for a mail)" in body.get_content()


@pytest.mark.parametrize(
    "subject", ["=?utf-8?q?Bcc:_eve?=", "a\r\nBcc: eve@evil.example", "a\N{RIGHT-TO-LEFT OVERRIDE}b"]
)
def test_a_subject_is_words(subject: str) -> None:
    """No subject is decoded a second time, ends its line, or turns its letters around."""
    mail = parsed(mail_of(letter(subject=subject), SUPPORT, NOW))

    assert mail["Subject"] == " ".join(subject.replace("\N{RIGHT-TO-LEFT OVERRIDE}", "").split())
    assert mail["Bcc"] is None


def test_ids_that_are_none() -> None:
    """A Message-ID with a blank, a bracket or a line end is left out; a long one is not folded."""
    long = f"{'x' * 200}@acme.example"
    mail = mail_of(letter(in_reply_to="a b@c", references=("a>\r\nBcc: <e@f", long)), SUPPORT, NOW)

    assert b"In-Reply-To" not in mail
    assert f"References: <{long}>\r\n".encode() in mail


TEXT = st.text(
    alphabet=st.one_of(st.sampled_from(f'{printable}\r\n\0\x85\u2028<>:,;"@=?é日'), st.characters()), max_size=60
)


@given(subject=TEXT, name=TEXT, body=TEXT, reference=TEXT, file=TEXT)
def test_no_header_can_be_added(subject: str, name: str, body: str, reference: str, file: str) -> None:
    """Whatever the parts of a letter hold, the mail has the fields that we wrote, each once, and our recipients alone."""
    hostile = letter(
        to=(Address(address="ada@acme.example", name=Untrusted(name)),),
        subject=subject,
        body=body,
        original=Original(sender=Untrusted(name), at=NOW, text=Untrusted(body)),
        in_reply_to=reference,
        references=(reference,),
        files=(LetterFile.of(file, reference, b"x"),),
    )
    head = mail_of(hostile, SUPPORT, NOW).partition(b"\r\n\r\n")[0].decode("ascii")
    fields = [line.partition(":")[0].lower() for line in head.split("\r\n") if not line.startswith((" ", "\t"))]
    addressed = parsed(mail_of(hostile, SUPPORT, NOW))["To"]

    assert set(fields) <= KNOWN
    assert len(set(fields)) == len(fields)
    assert [one.addr_spec for one in addressed.addresses] == ["ada@acme.example"]


AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
ORIGINAL = Original(sender=Untrusted("Ada <ada@acme.example>"), at=AT, text=Untrusted("It is\n\n<b>broken</b>\n"))


def test_plain() -> None:
    """Each line behind a sign, blank lines without blanks."""
    assert quoted_plain(ORIGINAL, "en") == (
        "On 2026-11-20 09:00, Ada <ada@acme.example> wrote:\n> It is\n>\n> <b>broken</b>"
    )


def test_html() -> None:
    """Markup of the sender is shown and does nothing."""
    page = quoted_html(ORIGINAL, "de")

    assert page.startswith("<p>Am 2026-11-20 09:00 schrieb Ada &lt;ada@acme.example&gt;:</p>")
    assert "&lt;b&gt;broken&lt;/b&gt;" in page


def test_nothing_to_quote() -> None:
    """Without a text there is no quote."""
    assert quoted_plain(Original(), "en") == quoted_html(Original(), "en") == ""


def test_a_long_one_is_cut() -> None:
    """A long original is cut, visibly."""
    long = Original(text=Untrusted("x" * (LONGEST + 1)))

    assert quoted_plain(long, "en").endswith("x\n> […]")


@pytest.mark.parametrize("language", [*WROTE, "tlh"])
def test_attribution(language: str) -> None:
    """A name stays on its line in every language; without name or date there are question marks."""
    hostile = Original(sender=Untrusted("Eve\nwrote:\n> I agree"), at=AT)

    assert "\n" not in attribution(hostile, language)
    assert attribution(Original(), language).count("?") == 2
