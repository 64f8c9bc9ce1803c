"""Asks for the model: OpenAI, another server, an Ollama on this machine, or none."""

import asyncio
from typing import TYPE_CHECKING, Final

from cli.setup import trying

if TYPE_CHECKING:
    from cli.setup.asking import Asker
    from cli.setup.draft import Draft

LISTED: Final = 20
SOON: Final = 1.0
"""Seconds in which an Ollama on this machine has to answer."""
OLLAMA_KEY: Final = "ollama"
"""It asks for none, and the client for some."""


def which(ask: "Asker", draft: "Draft") -> "Draft":
    """Ask who reads the mails, and try it."""
    from cli.wiring.setup import OLLAMA, model_names

    ask.heading("Model")
    local = asyncio.run(model_names(OLLAMA, "", SOON))
    options = [
        ("openai", "OpenAI, by an API key (https://platform.openai.com/api-keys)"),
        ("other", "another server that speaks OpenAI's chat completions"),
        *([("ollama", f"the Ollama on this machine ({', '.join(local[:3])})")] if local else []),
        ("none", "no model: rules alone decide; it can be added later"),
    ]
    default = "none" if not draft["OPENAI_API_KEY"] else "other" if draft["OPENAI_BASE_URL"] else "openai"
    while True:
        choice = ask.choice("Who reads the mails?", options, default)
        if choice == "none":
            return draft.having(OPENAI_API_KEY="", OPENAI_BASE_URL="", OPENAI_MODEL="")
        tried = _asked(ask, draft, choice, local)
        if ask.show(asyncio.run(trying.model(tried))):
            return tried


def _asked(ask: "Asker", draft: "Draft", choice: str, local: tuple[str, ...]) -> "Draft":
    """Ask for what this choice needs."""
    from cli.wiring.setup import OLLAMA, model_names

    kept = draft["OPENAI_MODEL"]
    if choice == "openai":
        return draft.having(OPENAI_API_KEY=ask.secret("API key", draft["OPENAI_API_KEY"]), OPENAI_BASE_URL="")
    if choice == "ollama":
        chosen = _name(ask, local, kept)
        return draft.having(OPENAI_BASE_URL=OLLAMA, OPENAI_API_KEY=OLLAMA_KEY, OPENAI_MODEL=chosen)
    url = ask.text("Its address, most often with /v1 at the end", draft["OPENAI_BASE_URL"]).rstrip("/")
    key = ask.secret("API key (any word, where it asks for none)", draft["OPENAI_API_KEY"])
    names = asyncio.run(model_names(url, key)) if "://" in url else ()
    return draft.having(OPENAI_BASE_URL=url, OPENAI_API_KEY=key, OPENAI_MODEL=_name(ask, names, kept))


def _name(ask: "Asker", names: tuple[str, ...], kept: str) -> str:
    default = kept if kept in names or not names else names[0]
    return ask.choice("Model", [(name, "") for name in names[:LISTED]], default, free=True)
