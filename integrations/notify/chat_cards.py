"""Messages as Slack and Microsoft Teams lay them out: plain text, since it may quote a mail, and links with names."""

from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from triage.domain.channels.errors import ChannelDown
from triage.domain.channels.notices import Bulletin, Paragraph

SECONDS: Final = 20.0
LONGEST: Final = 150
"""Characters of a title in Slack."""


class CardChannel:
    """The address that Slack or Teams gives for incoming messages, in NOTIFY_URLS."""

    def __init__(self, number: int, url: str, layout: str) -> None:
        self.name = f"{layout} (no. {number} of NOTIFY_URLS)"
        self._url = url
        self._card = LAYOUTS[layout]

    async def send(self, bulletin: Bulletin) -> None:
        """Post the card. Raises `ChannelDown`."""
        try:
            async with httpx2.AsyncClient(timeout=SECONDS) as client:
                answer = await client.post(self._url, json=self._card(bulletin))
        except httpx2.HTTPError as e:
            raise ChannelDown(self.name, type(e).__name__) from None
        if not answer.is_success:
            raise ChannelDown(self.name, f"it answered {answer.status_code}")


def layout_of(url: str) -> str:
    """Return whose address it is; empty: one that apprise knows."""
    parts = urlsplit(url)
    host = f".{parts.hostname}" if parts.scheme == "https" else ""
    return next((name for end, name in HOSTS.items() if host.endswith(end)), "")


def slack_card(bulletin: Bulletin) -> dict[str, Any]:
    """Return blocks. A button would report to an app that we have not, and show a warning: a link does not."""
    blocks: list[dict[str, Any]] = [{"type": "header", "text": _plain(bulletin.title[:LONGEST])}]
    for one in bulletin.paragraphs:
        blocks.append({"type": "section", "text": _plain(one.text)})
        if one.links:
            links = "  ·  ".join(f"<{link}|{name}>" for name, link in one.links)
            blocks.append({"type": "context", "elements": [{"type": "mrkdwn", "text": links}]})
    return {"text": bulletin.title, "blocks": blocks}


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def teams_card(bulletin: Bulletin) -> dict[str, Any]:
    """Return an Adaptive Card. Runs of text know no Markdown; each link is a button that opens it."""
    title = {"type": "TextRun", "text": bulletin.title, "weight": "Bolder"}
    parts = [{"type": "RichTextBlock", "inlines": [title]}]
    for one in bulletin.paragraphs:
        parts += _teams_parts(one)
    card = {"type": "AdaptiveCard", "version": "1.4", "body": parts}
    return {
        "type": "message",
        "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}],
    }


def _teams_parts(one: Paragraph) -> list[dict[str, Any]]:
    text = {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": one.text}]}
    actions = [{"type": "Action.OpenUrl", "title": name, "url": link} for name, link in one.links]
    return [text, {"type": "ActionSet", "actions": actions}] if actions else [text]


LAYOUTS: Final = {"slack": slack_card, "teams": teams_card}
HOSTS: Final = {
    ".hooks.slack.com": "slack",
    ".webhook.office.com": "teams",
    ".logic.azure.com": "teams",
    ".api.powerplatform.com": "teams",
}
"""Ends of the hosts that give such addresses."""
