"""Checks the model: one real question."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding
from triage.domain.errors import ModelDenied, ModelDown

if TYPE_CHECKING:
    from triage.config.settings import Settings


async def model(settings: "Settings") -> AsyncIterator[Finding]:
    """Ask the model of the settings for one word, and report who answers."""
    from cli.wiring.agents.models import Models
    from triage.agent.profiles import Profile
    from triage.config.triage_yaml import load_config
    from triage.domain.conversation import ChatMessage
    from triage.policy.text.untrusted import ours

    models = Models(settings, providers=load_config(settings.triage_config).providers)
    if not models.any:
        yield Finding("model", "warn", "no OPENAI_API_KEY: the playbook decides")
        return
    try:
        asked = models(Profile(name="doctor", tools=(), prompt=""))
        if asked is None:
            yield Finding(
                "model", "ok", "only profiles with a `model` of their own have one; else the playbook decides"
            )
            return
        turn = await asked.complete((ChatMessage.user(ours("Answer with the word ready.")),), (), 16)
    except (ModelDown, ModelDenied) as e:
        yield Finding("model", "fail", str(e), "check the key, the address and the model's name")
        return
    finally:
        await models.close()
    yield Finding("model", "ok", f"{turn.model or asked.name} answers")
