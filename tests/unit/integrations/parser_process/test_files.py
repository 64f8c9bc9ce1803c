"""Attachments through the glass: the right bytes, only those asked for, and nothing that is not what it is called."""

import base64
import hashlib
import sys

import pytest

from integrations.parser_process.reader import IsolatedMailReader
from integrations.parser_process.wire import encode_files
from triage.domain.errors import MailUnreadable, NotAMail

LOG = b"2026-11-20 08:13 \xff\x00 export failed\n" * 50
LOGO = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
MAIL = (
    b"From: Ada <ada@example.com>\r\nSubject: two files\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
    b"--b\r\nContent-Type: text/plain\r\n\r\nSee the log.\r\n"
    b'--b\r\nContent-Type: application/octet-stream; name="export.log"\r\n'
    b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(LOG) + b"\r\n"
    b'--b\r\nContent-Type: image/png; name="logo.png"\r\nContent-ID: <logo@example.com>\r\n'
    b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(LOGO) + b"\r\n--b--\r\n"
)
LIAR = """
import sys
from integrations.parser_process import child
from integrations.parser_process.wire import CONTENTS
child.answer_to = lambda way, raw: (CONTENTS, {answer!r})
child.main()
"""


async def test_only_the_wanted_files_come_back_whole() -> None:
    """What `read` names by its hash, `files` gives byte for byte; what is not there is left out."""
    reader = IsolatedMailReader()
    log, logo = (await reader.read(MAIL)).attachments
    found = await reader.files(MAIL, [log.sha256, "0" * 64])
    await reader.close()

    assert dict(found) == {log.sha256: LOG}
    assert (logo.size, logo.inline) == (len(LOGO), True)


async def test_what_is_no_mail_holds_no_files() -> None:
    """It says so, as reading it does, and the child lives on."""
    reader = IsolatedMailReader()
    with pytest.raises(NotAMail):
        await reader.files(b"\r\n", ["0" * 64])
    found = await reader.files(MAIL, [hashlib.sha256(LOGO).hexdigest()])
    await reader.close()

    assert list(found.values()) == [LOGO]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(encode_files({"0" * 64: b"something else"}), id="another file under the name"),
        pytest.param(b'[["x", 1000]]\nshort', id="sizes that do not add up"),
        pytest.param(b"no json\n", id="no JSON"),
        pytest.param(b'{"x": 1}\n', id="another shape"),
    ],
)
async def test_a_child_that_lies_about_files_is_not_believed(answer: bytes) -> None:
    """Behind the glass nobody is trusted: a file is what its hash says, or nothing came."""
    reader = IsolatedMailReader(command=(sys.executable, "-c", LIAR.format(answer=answer)))
    with pytest.raises(MailUnreadable):
        await reader.files(MAIL, ["0" * 64])
    await reader.close()
