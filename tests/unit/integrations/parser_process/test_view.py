"""A view through the glass: made by the isolated child, and believed only in its shape."""

import sys

import pytest

from integrations.parser_process.reader import IsolatedMailReader
from triage.domain.errors import MailUnreadable, NotAMail

MAIL = (
    b"From: Ada <ada@example.com>\nSubject: hello\nContent-Type: text/html\n\n<p>It is urgent.</p><script>x</script>\n"
)
LIAR = """
import sys
from integrations.parser_process import child
from integrations.parser_process.wire import VIEWED
child.answer_to = lambda way, raw: (VIEWED, b'{"html": 7}')
child.main()
"""


async def test_the_child_makes_the_view() -> None:
    """Labels go in, markup comes out, and the child lives on."""
    reader = IsolatedMailReader()
    view = await reader.view(MAIL, {"urgent": "priority"})
    again = await reader.view(MAIL, {}, plain=True)
    with pytest.raises(NotAMail):
        await reader.view(b"\r\n", {})
    await reader.close()

    assert view.html.strip() == '<p>It is <mark class="cue">urgent<sup>priority</sup></mark>.</p>'
    assert again.html.strip() == "<p>It is urgent.</p>"


async def test_a_lying_child_is_not_believed() -> None:
    """An answer that is no view makes the mail unreadable."""
    reader = IsolatedMailReader(command=(sys.executable, "-c", LIAR))
    with pytest.raises(MailUnreadable):
        await reader.view(MAIL, {})
    await reader.close()
