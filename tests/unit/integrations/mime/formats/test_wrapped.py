"""Mails in wrappings of their own: S/MIME, winmail.dat, calendars, OpenPGP in clear."""

import base64
import struct
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

from integrations.mime.files import files_of
from integrations.mime.formats.smime import signed_content
from integrations.mime.formats.tnef import SIGNATURE, mail_in
from integrations.mime.message import message_of

HEAD = b"From: Lena <lena@pumps.example>\r\nTo: support@acme.example\r\nSubject: Pump\r\nMIME-Version: 1.0\r\n"
INNER = (
    b"Content-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\nContent-Type: text/plain\r\n\r\nThe pump is off.\r\n"
    b"--i\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\nplan\r\n--i--\r\n"
)


def part(kind: str, content: bytes, name: str = "") -> bytes:
    """A mail that is this part alone."""
    named = f'\r\nContent-Disposition: attachment; filename="{name}"'.encode() if name else b""
    fields = b"Content-Type: " + kind.encode() + named + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return HEAD + fields + base64.encodebytes(content)


@pytest.fixture(scope="module")
def signer() -> tuple[x509.Certificate, rsa.RSAPrivateKey]:
    """Somebody with a certificate."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Lena")])
    now = datetime(2026, 3, 9, tzinfo=UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=9))
    return made.sign(key, hashes.SHA256()), key


def opaque(signer: tuple[x509.Certificate, rsa.RSAPrivateKey]) -> bytes:
    """The inner mail, signed as Outlook does it."""
    builder = pkcs7.PKCS7SignatureBuilder().set_data(INNER).add_signer(*signer, hashes.SHA256())
    return builder.sign(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])


def streamed(content: bytes) -> bytes:
    """The same structure without lengths and in pieces (BER), as programs write it that sign while they read."""
    pieces = b"".join(b"\x04" + bytes([len(one)]) + one for one in (content[:100], content[100:200], content[200:]))
    data = bytes.fromhex("06092a864886f70d010701") + b"\xa0\x80\x24\x80" + pieces + bytes(4)
    signed = b"\x02\x01\x01\x31\x00" + b"\x30\x80" + data + bytes(2) + b"\x31\x00"
    return b"\x30\x80" + bytes.fromhex("06092a864886f70d010702") + b"\xa0\x80\x30\x80" + signed + bytes(2) + bytes(4)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "smime.p7m"),
        ("application/x-pkcs7-mime", ""),
        ("application/octet-stream; name=smime.p7m", ""),
    ],
)
def test_opaque_signed_mail_is_read(signer: tuple[x509.Certificate, rsa.RSAPrivateKey], kind: str, name: str) -> None:
    """Text and files inside the signed wrapping are those of the mail, and the files can be had."""
    raw = part(kind, opaque(signer), name)
    message = message_of(raw)

    assert (message.text, message.reply, message.subject) == ("The pump is off.", "The pump is off.", "Pump")
    assert [one.name for one in message.attachments] == ["plan.pdf"]
    assert files_of(raw, [message.attachments[0].sha256]) == {message.attachments[0].sha256: b"plan"}


def test_signed_mail_in_pieces_is_read() -> None:
    """Lengths may be left open and the content cut."""
    assert message_of(part("application/pkcs7-mime", streamed(INNER))).text == "The pump is off."


def test_encrypted_mail_is_flagged(signer: tuple[x509.Certificate, rsa.RSAPrivateKey]) -> None:
    """What nobody here can read says so, and stays a file."""
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(INNER).add_recipient(signer[0])
    message = message_of(
        part("application/pkcs7-mime; name=smime.p7m", builder.encrypt(serialization.Encoding.DER, []))
    )

    assert (message.text, message.flags) == ("", ("encrypted",))
    assert [one.name for one in message.attachments] == ["smime.p7m"]


def test_damaged_signature_is_survived(signer: tuple[x509.Certificate, rsa.RSAPrivateKey]) -> None:
    """Cut or changed anywhere, it is a file like others at the worst."""
    for sound in (opaque(signer)[:900], streamed(INNER)):
        for at in range(0, len(sound), 7):
            changed = sound[:at] + bytes([sound[at] ^ 0xFF]) + sound[at + 1 :]
            for data in (sound[:at], changed):
                assert isinstance(signed_content(data, set()), bytes | None)


def attribute(key: int, value: bytes, level: int = 1) -> bytes:
    """One attribute of TNEF with its check sum."""
    return struct.pack("<BII", level, key, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)


def padded(value: bytes) -> bytes:
    """A value of changing length: how long, then in words of four bytes."""
    return struct.pack("<I", len(value)) + value + bytes(-len(value) % 4)


def properties(*pairs: tuple[int, int, bytes]) -> bytes:
    """MAPI properties: kind, id and what follows."""
    return struct.pack("<I", len(pairs)) + b"".join(struct.pack("<HH", kind, key) + rest for kind, key, rest in pairs)


def winmail(*own: bytes) -> bytes:
    """A whole winmail.dat with a file on it."""
    named = bytes(16) + struct.pack("<II", 1, 6) + "abc".encode("utf-16-le") + bytes(2)
    long_name = struct.pack("<I", 1) + padded("Plan für Halle B.pdf\0".encode("utf-16-le"))
    file = properties(
        (0x03, 0x3705, struct.pack("<I", 1)),
        (0x1F, 0x8001, named + struct.pack("<I", 1) + padded(b"x\0y\0")),
        (0x03, 0x8002, bytes(16) + struct.pack("<II", 0, 7) + struct.pack("<I", 9)),
        (0x1003, 0x3001, struct.pack("<III", 2, 5, 6)),
        (0x1F, 0x3707, long_name),
        (0x1E, 0x370E, struct.pack("<I", 1) + padded(b"application/pdf\0")),
    )
    parts = (
        attribute(0x00069002, bytes(14), 2),
        attribute(0x00018010, b"PLANFR~1.PDF\0", 2),
        attribute(0x0006800F, b"plan", 2),
        attribute(0x00069005, file, 2),
    )
    return struct.pack("<IH", SIGNATURE, 1) + b"".join((*own, *parts))


BODY = attribute(0x0002800C, b"The pump is off.\0")
HTML = attribute(
    0x00069003, properties((0x102, 0x1013, struct.pack("<I", 1) + padded(b"<p>The pump is <b>off</b>.</p>")))
)


@pytest.mark.parametrize("own", [BODY, HTML], ids=["text", "html"])
@pytest.mark.parametrize("kind", ["application/ms-tnef", "application/octet-stream"])
def test_winmail_dat_is_read(own: bytes, kind: str) -> None:
    """The text that Exchange left nowhere else, and the files under their long names."""
    message = message_of(part(kind, winmail(own), "winmail.dat"))

    assert message.text == "The pump is off."
    assert [(one.name, one.content_type, one.size) for one in message.attachments] == [
        ("Plan für Halle B.pdf", "application/pdf", 4)
    ]


def test_text_beside_winmail_dat_is_read_once() -> None:
    """Most mails have their text outside as well."""
    dat = base64.encodebytes(winmail(BODY))
    body = b"--b\r\n\r\nThe pump is off.\r\n--b\r\nContent-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    message = message_of(HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + body + dat + b"\r\n--b--\r\n")

    assert message.text == "The pump is off."
    assert [one.name for one in message.attachments] == ["Plan für Halle B.pdf"]


def test_damaged_winmail_dat_is_a_file() -> None:
    """Cut or changed anywhere it raises nothing, and what cannot be read hangs on the mail as it came."""
    sound = winmail(BODY, HTML)
    for at in range(0, len(sound), 3):
        for data in (sound[:at], sound[:at] + b"\xff" + sound[at + 1 :]):
            assert isinstance(mail_in(data, set()), bytes | None)
    message = message_of(part("application/ms-tnef", b"nonsense", "winmail.dat"))

    assert ([one.name for one in message.attachments], message.flags) == (["winmail.dat"], ("bad-tnef",))


EVENT = (
    "BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\n"
    "END:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nSUMMARY;LANGUAGE=en:Look at pump 3,\r\n  once more\r\n"
    "DTSTART;TZID=Europe/Berlin:20260309T170000\r\nDTEND:20260309T170000Z\r\nLOCATION:Hall B\\, gate 2\r\nnonsense\r\n"
    'ORGANIZER;CN="Voss, Lena":MAILTO:lena@pumps.example\r\nBEGIN:VALARM\r\nSUMMARY:ring\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
)
TOLD = (
    "{asked} ({method}): Look at pump 3, once more\nWhen: 2026-03-09 17:00 Europe/Berlin \u2013 2026-03-09 17:00 UTC\n"
    "Where: Hall B, gate 2\nInvited by: Voss, Lena <lena@pumps.example>"
)


@pytest.mark.parametrize(
    ("method", "asked"), [("REQUEST", "Invitation"), ("CANCEL", "Cancelled"), ("COUNTER", "Another time proposed")]
)
def test_calendar_request_is_told(method: str, asked: str) -> None:
    """What is asked, when and where stands in the text; the file stays for whoever wants to open it."""
    ics = EVENT.format(method=method).encode()
    body = (
        b"--b\r\nContent-Type: text/plain\r\n\r\nPlease come.\r\n--b\r\nContent-Type: text/calendar\r\n\r\n"
        + ics
        + b"--b--"
    )
    alone = message_of(HEAD + b"Content-Type: text/calendar; method=" + method.encode() + b"\r\n\r\n" + ics)
    both = message_of(HEAD + b"Content-Type: multipart/alternative; boundary=b\r\n\r\n" + body)
    told = TOLD.format(method=method, asked=asked)

    assert (alone.text, alone.reply) == (told, told)
    assert (both.text, both.reply) == (f"Please come.\n\n{told}",) * 2
    assert [one.name for one in both.attachments] == ["invite.ics"]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("BEGIN:VEVENT\nEND:VEVENT", "Event: without a title"),
        (
            "BEGIN:VEVENT\nSUMMARY:x\nDTSTART;VALUE=DATE:20260309\nRRULE:FREQ=DAILY",
            "Event: x\nWhen: 2026-03-09\nRepeats: FREQ=DAILY",
        ),
        (
            "BEGIN:VTODO\nSUMMARY:x\nDUE:soon\nORGANIZER:mailto:a@b.example",
            "Event: x\nWhen: soon\nInvited by: <a@b.example>",
        ),
        ("nothing at all", ""),
    ],
)
def test_sparse_calendar(event: str, told: str) -> None:
    """What is missing is not told."""
    raw = HEAD + f"Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\n{event}\nEND:VCALENDAR\n".encode()

    assert message_of(raw).text == told


ARMOUR = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}\n-----BEGIN PGP SIGNATURE-----\n\niQIz\n=abcd\n-----END PGP SIGNATURE-----\n"


def test_clear_signed_text_loses_its_armour() -> None:
    """The words stay, with dashes as they were; what stands around the armour stays, too."""
    signed = ARMOUR.format(text="The pump is off.\n- - since noon")
    message = message_of(HEAD + f"\r\n{signed}".encode())
    around = message_of(HEAD + f"\r\nAbove.\n\n{signed}Below.".encode())

    assert (message.text, message.flags) == ("The pump is off.\n- since noon", ("pgp-signed",))
    assert around.text == "Above.\n\nThe pump is off.\n- since noon\nBelow."


def test_other_armour_stays() -> None:
    """An encrypted text is flagged; half an armour is text."""
    encrypted = message_of(HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n")
    half = message_of(HEAD + b"\r\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nThe pump is off.")

    assert encrypted.flags == ("encrypted",)
    assert half.text.endswith("The pump is off.")


@pytest.mark.parametrize(
    ("method", "more", "text", "silent"),
    [
        ("REPLY", "", "", True),
        ("REPLY", "COMMENT:Only before 11\r\n", "", False),
        ("REPLY", "", "Only before 11", False),
        ("COUNTER", "", "", False),
        ("REQUEST", "", "", False),
    ],
)
def test_answer_to_an_invitation_without_a_word_is_flagged(method: str, more: str, text: str, *, silent: bool) -> None:
    """A click on Accept says nothing more; a comment in the calendar or beside it is a person's, and is shown."""
    event = f"BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nSUMMARY:Handover\r\n{more}END:VEVENT\r\nEND:VCALENDAR\r\n"
    halves = f"--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--b\r\nContent-Type: text/calendar; method={method}\r\n\r\n{event}--b--\r\n"
    message = message_of(HEAD + b"Content-Type: multipart/alternative; boundary=b\r\n\r\n" + halves.encode())

    assert ("calendar-answer" in message.flags) is silent
    assert ("Only before 11" in message.text) is bool(more or text)
