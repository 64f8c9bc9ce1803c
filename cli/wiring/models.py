"""Builds the models of profiles with their fallbacks; each client once."""

from contextlib import AsyncExitStack

from triage.agent.profiles import Profile
from triage.config.settings import Settings
from triage.domain.ports import Model


class Models:
    """The model chains of this process, built at first use."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._chains: dict[tuple[str, float | None], Model] = {}
        self._open = AsyncExitStack()

    @property
    def any(self) -> bool:
        """Whether a key or a server is set; without either the playbook decides."""
        return bool(self._settings.openai_api_key.get_secret_value() or self._settings.openai_base_url)

    def __call__(self, profile: Profile) -> Model:
        """Return the chain for a profile."""
        asked = profile.model or self._settings.openai_model, profile.temperature
        if asked not in self._chains:
            self._chains[asked] = self._chain(*asked)
        return self._chains[asked]

    async def close(self) -> None:
        """Close all connections."""
        await self._open.aclose()

    def _chain(self, model: str, temperature: float | None) -> Model:
        """Chain the first model, the fallback of the same provider and Anthropic's, as far as they are set."""
        settings = self._settings
        models: list[Model] = [self._openai(model, temperature)]
        if settings.openai_fallback_model:
            models.append(self._openai(settings.openai_fallback_model, None))
        if settings.anthropic_model:
            models.append(self._anthropic())
        if len(models) == 1:
            return models[0]
        from integrations.models.fallback_model import FallbackModel

        return FallbackModel(models)

    def _openai(self, model: str, temperature: float | None) -> Model:
        from integrations.models.openai_model import OpenAIModel

        settings = self._settings
        made = OpenAIModel(
            api_key=settings.openai_api_key.get_secret_value(),
            base_url=settings.openai_base_url,
            model=model,
            timeout=settings.openai_timeout,
            prices=_prices(settings),
            temperature=temperature,
        )
        self._open.push_async_callback(made.close)
        return made

    def _anthropic(self) -> Model:
        from integrations.models.anthropic_model import AnthropicModel

        settings = self._settings
        key = settings.anthropic_api_key.get_secret_value()
        made = AnthropicModel(api_key=key, model=settings.anthropic_model, timeout=settings.openai_timeout)
        self._open.push_async_callback(made.close)
        return made


def _prices(settings: Settings) -> tuple[float, float] | None:
    """Return USD per million input and output tokens, None unless both are set."""
    prices = settings.openai_price_input, settings.openai_price_output
    return (prices[0], prices[1]) if prices[0] is not None and prices[1] is not None else None
