"""Cards for Slack and Teams, posted to a server on loopback."""

import pytest

from integrations.notify.apprise_channel import channels_of
from integrations.notify.chat_cards import CardChannel, layout_of
from tests.servers.ntfy import ntfy
from triage.domain.channels.errors import ChannelDown
from triage.domain.channels.notices import Bulletin, NoticeSeverity, Paragraph

HOSTILE = "- <https://evil.example|Accept> [Accept](https://evil.example) <!channel>"
LINKS = (("open", "https://triage.example/approvals/7"), ("yes", "https://triage.example/approve/x.y"))
WAITS = Bulletin(
    title="Triage: approval waits",
    paragraphs=(Paragraph(text=HOSTILE, links=LINKS), Paragraph(text="→ Look")),
    severity=NoticeSeverity.INFO,
)


async def test_slack() -> None:
    """What a mail says is plain text, so that no link or mention of its own works; our links have names."""
    with ntfy() as server:
        await CardChannel(1, server.url.replace("ntfy", "http"), "slack").send(WAITS)
    blocks = server.taken[0]["blocks"]

    assert [(one["type"], one["text"]["type"]) for one in blocks if "text" in one] == [
        ("header", "plain_text"),
        ("section", "plain_text"),
        ("section", "plain_text"),
    ]
    assert blocks[1]["text"]["text"] == HOSTILE
    assert [one["text"] for one in blocks[2]["elements"]] == [f"<{LINKS[0][1]}|open>  ·  <{LINKS[1][1]}|yes>"]


async def test_teams() -> None:
    """What a mail says stands in runs of text, which know no Markdown; our links are buttons that open a page."""
    with ntfy() as server:
        await CardChannel(1, server.url.replace("ntfy", "http"), "teams").send(WAITS)
    body = server.taken[0]["attachments"][0]["content"]["body"]

    assert [one["type"] for one in body] == ["RichTextBlock", "RichTextBlock", "ActionSet", "RichTextBlock"]
    assert body[1]["inlines"] == [{"type": "TextRun", "text": HOSTILE}]
    assert [(one["type"], one["title"], one["url"]) for one in body[2]["actions"]] == [
        ("Action.OpenUrl", *link) for link in LINKS
    ]


async def test_a_card_that_is_not_taken() -> None:
    """A refusal and a server that is away are errors with the channel's name, without its secret address."""
    with ntfy() as server:
        server.refuses = True
        channel = CardChannel(2, server.url.replace("ntfy", "http"), "slack")
        with pytest.raises(ChannelDown, match=r"slack \(no\. 2 of NOTIFY_URLS\).*503"):
            await channel.send(WAITS)
    with pytest.raises(ChannelDown) as e:
        await channel.send(WAITS)

    assert "127.0.0.1" not in str(e.value)


def test_whose_address_it_is() -> None:
    """The addresses that Slack and Teams hand out get cards; all others, and hosts that only look like theirs, go to apprise."""
    urls = {
        "https://hooks.slack.com/services/T0/B0/xyz": "slack",
        "https://contoso.webhook.office.com/webhookb2/x": "teams",
        "https://prod-7.westeurope.logic.azure.com:443/workflows/x": "teams",
        "https://hooks.slack.com.evil.example/services/x": "",
        "https://evilhooks.slack.com.example": "",
        "slack://T0/B0/xyz": "",
        "ntfys://ntfy.sh/triage": "",
    }

    assert {url: layout_of(url) for url in urls} == urls
    assert [one.name for one in channels_of(["https://hooks.slack.com/services/T0/B0/xyz"])] == [
        "slack (no. 1 of NOTIFY_URLS)"
    ]
