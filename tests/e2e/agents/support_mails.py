"""The hub of the example, a model that plays its agents, and mails of a customer."""

import json
from collections.abc import Callable, Sequence
from email.message import Message
from pathlib import Path

from tests.e2e.agents.example_agents import (
    EDGES,
    Told,
    example,
)
from triage.domain.conversation import Messages, ToolSpec, Turn, Usage
from triage.domain.errors import ModelDenied

DENIED = "denied"
"""Instead of an answer: our key is refused from here on."""


def sentences(*texts: str) -> str:
    """What a model answers as resolver, from the first passage."""
    return json.dumps({"sentences": [{"text": text, "passage": 1} for text in texts]})


class HubModel(Told):
    """The tool agent's turns, and beside them what classifier and resolver say, who are asked by other prompts and without tools."""

    def __init__(self, *turns: Turn, classifier: Sequence[str] = (), resolver: Sequence[str] = ()) -> None:
        super().__init__(*turns)
        self.classifier = list(classifier)
        self.resolver = list(resolver)
        self.resolved: list[Messages] = []

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next turn of whoever is asked; a resolver without one finds nothing, a classifier without one answers nonsense."""
        if messages[0].text.startswith("You classify"):
            assert not tools
            return Turn(text=self.classifier.pop(0) if self.classifier else "It is urgent!")
        if not messages[0].text.startswith("You answer a customer's question"):
            return await super().complete(messages, tools, max_tokens)
        assert not tools
        self.resolved.append(messages)
        said = self.resolver.pop(0) if self.resolver else sentences()
        if said == DENIED:
            self.resolver.insert(0, DENIED)
            raise ModelDenied(model=self.name, detail="no such key")
        return Turn(text=said, usage=Usage(input_tokens=1, output_tokens=1))


def hub(install: Callable[[str], str], **more: str) -> dict[str, str]:
    """Settings of the example's hub."""
    rules = Path(install("cultpass")).with_name("support.yaml")
    return {"TRIAGE_CONFIG": str(rules), "AUTHSERV_ID": EDGES["cultpass"], "ENABLE_SUPPORT": "true", **more}


def letter_of(number: int, subject: str, text: str) -> bytes:
    """A mail of Alma in her thread, proven by her mail server."""
    head = example("cultpass").partition(b"Subject:")[0].decode()
    thread = "In-Reply-To: <m-1@members.example>\nReferences: <m-1@members.example>\n" if number > 1 else ""
    return (
        f"{head}Subject: {subject}\nDate: Mon, 23 Nov 2026 1{number}:05:00 +0100\nMessage-ID: <m-{number}@members.example>\n"
        f"{thread}Content-Type: text/plain; charset=utf-8\n\n{text}\n\nAlma\n"
    ).encode()


def plain(message: Message) -> str:
    """The plain text of a letter."""
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    return bytes(part.get_payload(decode=True)).decode()
