"""Builds the models of profiles with their fallbacks; each client once."""

from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from triage.agent.profiles import Profile
from triage.config.agents.providers import ANTHROPIC, OPENAI, SHIPPED, ModelProvider, key_of
from triage.config.settings import Settings
from triage.domain.ports import Model

if TYPE_CHECKING:
    import httpx2

    from integrations.models.cassettes import Cassettes

    Recording = Cassettes


class Models:
    """The model chains of this process, built at first use; over another transport than the network if one is given."""

    def __init__(
        self,
        settings: Settings,
        transport: "httpx2.AsyncBaseTransport | None" = None,
        providers: Mapping[str, ModelProvider] = SHIPPED,
    ) -> None:
        self._settings = settings
        self._providers = providers
        self._transport = transport
        self._chains: dict[tuple[str, float | None, tuple[str, ...]], Model | None] = {}
        self._open = AsyncExitStack()

    @property
    def any(self) -> bool:
        """Whether a key or a server is set; without either the playbook decides."""
        others = any(not one.key or key_of(one, self._settings) for one in self._providers.values())
        return self._openai_set or bool(self._settings.anthropic_model) or others

    @property
    def _openai_set(self) -> bool:
        return bool(self._settings.openai_api_key.get_secret_value() or self._settings.openai_base_url)

    def __call__(self, profile: Profile) -> Model | None:
        """Return the chain for a profile; None if no provider of its models can be asked, so that the playbook decides."""
        asked = profile.model, profile.temperature, profile.fallback
        if asked not in self._chains:
            self._chains[asked] = self._redacting(self._chain(*asked))
        return self._chains[asked]

    async def close(self) -> None:
        await self._open.aclose()

    def _redacting(self, model: Model | None) -> Model | None:
        """Wrap a chain where MODEL_REDACTION is set."""
        if model is None or self._settings.model_redaction == "none":
            return model
        from triage.agent.wrappers import RedactingModel

        return RedactingModel(model, personal=self._settings.model_redaction == "personal")

    def _chain(self, model: str, temperature: float | None, fallback: tuple[str, ...]) -> Model | None:
        """Chain the profile's models, the fallback of the settings and Anthropic's, as far as they are set."""
        settings = self._settings
        models: list[Model] = []
        if model:
            models += self._named(model, temperature)
        elif self._openai_set:
            models.append(self._openai(settings.openai_model, temperature))
        models += [one for name in fallback for one in self._named(name, None)]
        if self._openai_set and settings.openai_fallback_model:
            models.append(self._openai(settings.openai_fallback_model, None))
        if settings.anthropic_model:
            models.append(self._anthropic(settings.anthropic_model))
        if len(models) <= 1:
            return next(iter(models), None)
        from integrations.models.fallback_model import FallbackModel

        return FallbackModel(models)

    def _named(self, model: str, temperature: float | None) -> Iterator[Model]:
        """Yield the model at the provider that its prefix names, else at OPENAI_BASE_URL; nothing if neither can be asked."""
        settings, (prefix, _, name) = self._settings, model.partition("/")
        provider = self._providers.get(prefix) if name else None
        key = key_of(provider, settings) if provider else ""
        if provider and (key or not provider.key):
            yield self._openai(name, temperature, provider, key)
        elif prefix == ANTHROPIC and name and settings.anthropic_api_key.get_secret_value():
            yield self._anthropic(name)
        elif self._openai_set:
            ours = prefix == OPENAI and name and not settings.openai_base_url
            yield self._openai(name if ours else model, temperature)

    def _openai(
        self, model: str, temperature: float | None, provider: ModelProvider | None = None, key: str = ""
    ) -> Model:
        from integrations.models.openai_model import OpenAIModel

        settings = self._settings
        made = OpenAIModel(
            api_key=key if provider else settings.openai_api_key.get_secret_value(),
            base_url=provider.url if provider else settings.openai_base_url,
            model=model,
            timeout=settings.openai_timeout,
            prices=provider.usd if provider else _prices(settings),
            temperature=temperature,
            http_client=self._client(),
        )
        self._open.push_async_callback(made.close)
        return self._limited(made, key if provider else settings.openai_api_key.get_secret_value())

    def _anthropic(self, model: str) -> Model:
        from integrations.models.anthropic_model import AnthropicModel

        settings = self._settings
        made = AnthropicModel(
            api_key=settings.anthropic_api_key.get_secret_value(),
            base_url=settings.anthropic_base_url,
            model=model,
            timeout=settings.openai_timeout,
            http_client=self._client(),
        )
        self._open.push_async_callback(made.close)
        return self._limited(made, settings.anthropic_api_key.get_secret_value())

    def _limited(self, model: Model, key: str) -> Model:
        """Wrap a model where processes share limits; those of one provider's account are its model's."""
        settings = self._settings
        if not settings.model_requests_per_minute and not settings.redis_url.get_secret_value():
            return model
        from cli.wiring.notifier import limits_of
        from integrations.models.limited_model import LimitedModel

        limits = limits_of(settings, "model", model.name, key)
        self._open.push_async_callback(limits.close)
        return LimitedModel(model, limits, settings.model_requests_per_minute)

    def _client(self) -> "httpx2.AsyncClient | None":
        """Return a client over the given transport; None: the adapter makes its own."""
        if self._transport is None:
            return None
        from integrations.models.wire import BoundedClient

        client = BoundedClient(self._settings.openai_timeout, self._transport)
        self._open.push_async_callback(client.aclose)
        return client


def cassettes_of(folder: Path, *, record: bool) -> "Cassettes":
    """Return the transport that replays the answers of models in a folder, or records them."""
    import httpx2

    from integrations.models.cassettes import Cassettes

    return Cassettes(folder, httpx2.AsyncHTTPTransport() if record else None)


def _prices(settings: Settings) -> tuple[float, float] | None:
    """Return USD per million input and output tokens, None unless both are set."""
    prices = settings.openai_price_input, settings.openai_price_output
    return (prices[0], prices[1]) if prices[0] is not None and prices[1] is not None else None
