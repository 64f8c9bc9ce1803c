"""Outlook's .msg files: a compound file made here, and one of the shared mails."""

import struct
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.mime.formats.outlook import OUTLOOK
from integrations.mime.message import message_of
from triage.domain.errors import NotAMail

END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
Folder = dict[str, bytes]


def text(value: str) -> bytes:
    """A string property."""
    return value.encode("utf-16-le")


def msg(own: Folder, *attachments: Folder) -> bytes:
    """A compound file with these properties; all streams are packed but those of 4096 bytes and more."""
    names: list[tuple[str, int, bytes, int]] = [("Root Entry", 5, b"", 1)]
    folders = [own, *attachments]
    names += [(f"__attach_version1.0_#{number:08X}", 1, b"", 0) for number in range(len(attachments))]
    children: dict[int, list[int]] = {0: list(range(1, len(folders)))}
    for number, folder in enumerate(folders):
        for name, data in folder.items():
            children.setdefault(number, []).append(len(names))
            names.append((f"__substg1.0_{name}", 2, data, 0))
    sectors: list[bytes] = []
    chain: list[int] = []

    def place(data: bytes) -> int:
        """Write a stream into sectors; where it begins."""
        count = -(-len(data) // 512)
        if not count:
            return END
        first = len(sectors)
        for number in range(count):
            sectors.append(data[number * 512 : number * 512 + 512].ljust(512, b"\0"))
            chain.append(first + number + 1 if number < count - 1 else END)
        return first

    packed, small, starts = b"", [], []
    for _, kind, data, _ in names:
        if kind == 2 and len(data) < 4096:
            begin, count = len(packed) // 64, -(-len(data) // 64)
            packed += data.ljust(count * 64, b"\0")
            small += [begin + n + 1 for n in range(count - 1)] + [END] * bool(count)
            starts.append(begin if count else END)
        else:
            starts.append(place(data) if kind == 2 else END)
    starts[0] = place(packed)
    small_first = place(struct.pack(f"<{len(small)}I", *small)) if small else END
    entries = b""
    for number, (name, kind, data, _) in enumerate(names):
        brothers = next((group for group in children.values() if number in group), [number])
        at = brothers.index(number)
        right = brothers[at + 1] if at + 1 < len(brothers) else FREE
        child = children.get(number, [FREE])[0]
        encoded = name.encode("utf-16-le") + b"\0\0"
        size = len(packed) if number == 0 else len(data)
        entries += encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), kind, 1, FREE, right, child)
        entries += bytes(36) + struct.pack("<III", starts[number], size, 0)
    directory = place(entries)
    table = len(sectors)
    chain.append(FAT)
    sectors.append(struct.pack("<128I", *(chain + [FREE] * (128 - len(chain)))))
    head = OUTLOOK + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<III", 0, 1, directory) + bytes(4) + struct.pack("<IIIII", 4096, small_first, 1, END, 0)
    head += struct.pack("<109I", table, *[FREE] * 108)
    return head + b"".join(sectors)


OWN = {
    "0037001F": text("Printer on fire"),
    "0C1A001F": text("Ada Byron"),
    "5D01001F": text("ada@example.com"),
    "0E04001F": text("support@acme.example"),
    "1000001F": text("It burns.\r\nPlease come."),
    "1035001F": text("<msg-1@example.com>"),
}


def test_properties_become_a_mail() -> None:
    """Sender, subject, text and attachments are found."""
    message = message_of(msg(OWN, {"3707001F": text('fire "big".png'), "37010102": b"\x89PNG" * 2000}))

    assert (message.subject, str(message.sender)) == ("Printer on fire", "Ada Byron <ada@example.com>")
    assert (message.text, message.message_id) == ("It burns.\nPlease come.", "msg-1@example.com")
    assert [(one.name, one.size) for one in message.attachments] == [("fire _big_.png", 8000)]
    assert message.flags == ("outlook-msg",)


def test_header_of_the_transport_goes_first() -> None:
    """The header as it came is better than what Outlook shows; its MIME fields are not those of this mail."""
    head = "From: Ben <ben@example.com>\r\nContent-Type: multipart/mixed;\r\n boundary=x\r\nSubject: From the wire\r\n"
    message = message_of(msg(OWN | {"007D001F": text(head)}))

    assert (message.subject, str(message.sender)) == ("From the wire", "Ben <ben@example.com>")
    assert message.text.startswith("It burns.")


def test_html_is_read_where_there_is_no_text() -> None:
    """The body may be HTML alone."""
    message = message_of(
        msg({"0037001F": text("x"), "10130102": b"<p>It <b>burns</b></p>"}, {"3704001F": text("empty")})
    )

    assert (message.text, message.attachments) == ("It burns", ())


def test_office_file_is_no_mail() -> None:
    """A Word document has the same first bytes."""
    with pytest.raises(NotAMail):
        message_of(msg({"9999001F": text("x")}))


@given(st.data())
def test_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    """Wrong sectors, circles and cut ends never raise anything else."""
    raw = bytearray(msg(OWN, {"37010102": b"x" * 5000}))
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(8, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        message = message_of(bytes(raw[: data.draw(st.integers(600, len(raw)))]))
    except NotAMail:
        return

    assert "outlook-msg" in message.flags


def test_numbers_of_a_head_promise_nothing() -> None:
    """Each number of the head set to the largest there is: the file is read or refused, and costs as little as before."""
    sound = msg(OWN, {"37010102": b"x" * 5000})
    for at in range(24, 512, 4):
        raw = sound[:at] + b"\xff\xff\xff\x7f" + sound[at + 4 :]
        with suppress(NotAMail):
            assert message_of(raw).size == len(raw)


def test_entries_that_share_their_bytes_are_refused() -> None:
    """A file does not grow by being read: many attachments that are one stream in truth are damage."""
    sizes = (30_000, 5000, 5000, 5000, 5000)
    sound = bytearray(msg(OWN, *({"37010102": bytes(size)} for size in sizes)))
    name = text("__substg1.0_37010102")
    first, *others = (at for at in range(512, len(sound), 128) if sound[at : at + len(name)] == name)
    assert len(message_of(bytes(sound)).attachments) == len(sizes)
    for at in others:
        sound[at + 116 : at + 124] = sound[first + 116 : first + 124]

    with pytest.raises(NotAMail):
        message_of(bytes(sound))


def test_real_file_is_read(shared_data: Path) -> None:
    """A newsletter saved by Outlook."""
    message = message_of((shared_data / "mail-mime" / "files" / "spamscope__mail_outlook_1.eml").read_bytes())

    assert message.sender
    assert message.subject
    assert len(message.attachments) > 3
    assert len(message.text) > 1000
