"""Asks for the model: OpenAI, another server, an Ollama on this machine, or none."""

from typing import Final

from triage.services.setup.asking import Asker
from triage.services.setup.draft import Draft
from triage.services.setup.trials import Trials

LISTED: Final = 20
SOON: Final = 1.0
"""Seconds in which an Ollama on this machine has to answer."""
OLLAMA: Final = "http://127.0.0.1:11434/v1"
NO_KEY: Final = "none"
"""The answer where a server asks for no key. It is not written: a key is a secret, and the log would mask the word everywhere."""


class ModelQuestions:
    """The question about the model."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials

    async def which(self, ask: Asker, draft: Draft) -> Draft:
        """Ask who reads the mails, and try it."""
        ask.heading("Model")
        local = await self._trials.model_names(OLLAMA, "", SOON)
        options = [
            ("openai", "OpenAI, by an API key (https://platform.openai.com/api-keys)"),
            ("other", "another server that speaks OpenAI's chat completions"),
            *([("ollama", f"the Ollama on this machine ({', '.join(local[:3])})")] if local else []),
            ("none", "no model: rules alone decide; it can be added later"),
        ]
        default = "other" if draft["OPENAI_BASE_URL"] else "openai" if draft["OPENAI_API_KEY"] else "none"
        while True:
            choice = await ask.choice("Who reads the mails?", options, default)
            if choice == "none":
                return draft.having(OPENAI_API_KEY="", OPENAI_BASE_URL="", OPENAI_MODEL="")
            tried = await self._asked(ask, draft, choice, local)
            if ask.show(await self._trials.model(tried)):
                return tried

    async def _asked(self, ask: Asker, draft: Draft, choice: str, local: tuple[str, ...]) -> Draft:
        kept = draft["OPENAI_MODEL"]
        if choice == "openai":
            return draft.having(OPENAI_API_KEY=await ask.secret("API key", draft["OPENAI_API_KEY"]), OPENAI_BASE_URL="")
        if choice == "ollama":
            chosen = await _name(ask, local, kept)
            return draft.having(OPENAI_BASE_URL=OLLAMA, OPENAI_API_KEY="", OPENAI_MODEL=chosen)
        address = await ask.text("Its address, most often with /v1 at the end", draft["OPENAI_BASE_URL"])
        url = address.rstrip("/")
        known = draft["OPENAI_API_KEY"] or (NO_KEY if draft["OPENAI_BASE_URL"] else "")
        answer = await ask.secret(f"API key (`{NO_KEY}`, where it asks for none)", known)
        key = "" if answer.casefold() == NO_KEY else answer
        names = await self._trials.model_names(url, key) if "://" in url else ()
        return draft.having(OPENAI_BASE_URL=url, OPENAI_API_KEY=key, OPENAI_MODEL=await _name(ask, names, kept))


async def _name(ask: Asker, names: tuple[str, ...], kept: str) -> str:
    default = kept if kept in names or not names else names[0]
    return await ask.choice("Model", [(name, "") for name in names[:LISTED]], default, free=True)
