"""Channels by apprise, over real HTTP to a server shaped like ntfy."""

import socket

import pytest

from integrations.notify.apprise_channel import channels_of
from tests.servers.ntfy import ntfy
from triage.domain.channels.errors import ChannelDown
from triage.domain.channels.notices import Bulletin, NoticeSeverity, Paragraph
from triage.domain.errors import SettingsInvalid

TOLD = Bulletin(
    title="Triage: storm",
    paragraphs=(Paragraph(text="*40 mails*"), Paragraph(text="→ <b>Look</b>")),
    severity=NoticeSeverity.WARNING,
)


async def test_a_message_arrives_as_it_is() -> None:
    """Title and text are plain text: nothing in them is markup."""
    with ntfy() as server:
        (channel,) = channels_of([server.url])
        await channel.send(TOLD)

    assert [(one["topic"], one["title"], one["message"]) for one in server.taken] == [
        ("triage", "Triage: storm", "*40 mails*\n→ <b>Look</b>")
    ]
    assert channel.name == "ntfy (no. 1 of NOTIFY_URLS)"


async def test_a_channel_that_refuses() -> None:
    """A server that does not take the message is an error with the channel's name, without its URL."""
    with ntfy() as server:
        server.refuses = True
        (channel,) = channels_of([server.url])
        with pytest.raises(ChannelDown, match=r"ntfy \(no\. 1") as e:
            await channel.send(TOLD)

    assert "127.0.0.1" not in str(e.value)


async def test_a_channel_that_is_away() -> None:
    """A server that does not answer is the same error."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    (channel,) = channels_of([f"ntfy://127.0.0.1:{port}/triage"])

    with pytest.raises(ChannelDown):
        await channel.send(TOLD)


def test_a_wrong_url() -> None:
    """A URL that apprise does not know is refused by its number; its secret is not shown."""
    with pytest.raises(SettingsInvalid, match=r"NOTIFY_URLS: no. 2 \(nonsense") as e:
        channels_of(["ntfys://ntfy.example.com/triage", "nonsense://s3cret/x"])

    assert "s3cret" not in str(e.value)
