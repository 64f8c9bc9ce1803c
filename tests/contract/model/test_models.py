"""Every model adapter against a server that speaks its provider's HTTP."""

from collections import deque
from typing import Any

from integrations.models.anthropic_model import AnthropicModel
from integrations.models.fallback_model import FallbackModel
from integrations.models.openai_model import OpenAIModel
from tests.contract.model.model_contract import KEY, ClosableModel, ModelContract
from tests.servers.anthropic import anthropic_app
from triage_sandbox.openai_app import Asked, Script, openai_app


class TestOpenAI(ModelContract):
    """Chat completions."""

    def app(self, script: Script, journal: deque[Asked]) -> Any:
        """Its server."""
        return openai_app(script, api_key=KEY, journal=journal)

    def make(self, url: str, **options: Any) -> ClosableModel:
        """The adapter."""
        return OpenAIModel(base_url=f"{url}/v1", model="the-model", **{"api_key": KEY} | options)


class TestAnthropic(ModelContract):
    """The Messages API."""

    def app(self, script: Script, journal: deque[Asked]) -> Any:
        """Its server."""
        return anthropic_app(script, journal, api_key=KEY)

    def make(self, url: str, **options: Any) -> ClosableModel:
        """The adapter."""
        return AnthropicModel(base_url=url, model="the-model", **{"api_key": KEY} | options)


class TestFallback(TestOpenAI):
    """A chain behaves as the model it is made of."""

    def make(self, url: str, **options: Any) -> ClosableModel:
        """The adapter."""
        return FallbackModel([super().make(url, **options)])
