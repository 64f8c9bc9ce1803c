"""The variables of the models that agents ask."""

from typing import Literal

from pydantic import SecretStr

from triage.config.declaring import Text, VariableGroup, env


class ModelVariables(VariableGroup):
    """Providers, prices and limits of one run."""

    openai_api_key: SecretStr = env(
        "OPENAI_API_KEY", SecretStr(""), "without a key and OPENAI_BASE_URL the playbook decides"
    )
    openai_base_url: Text = env("OPENAI_BASE_URL", "", "any OpenAI-compatible server; empty: OpenAI's own")
    openai_model: Text = env("OPENAI_MODEL", "gpt-5.4-mini", "model name, as the provider spells it")
    openai_fallback_model: Text = env(
        "OPENAI_FALLBACK_MODEL", "", "second model of the same provider, asked when the first is down"
    )
    anthropic_api_key: SecretStr = env(
        "ANTHROPIC_API_KEY", SecretStr(""), "last model of the chain (extra `anthropic`)"
    )
    anthropic_model: Text = env("ANTHROPIC_MODEL", "", "its name; empty switches it off")
    anthropic_base_url: Text = env("ANTHROPIC_BASE_URL", "", "a proxy that speaks its API; empty: Anthropic's own")
    openai_max_tokens: int = env("OPENAI_MAX_TOKENS", 4000, "tokens of one answer at most", ge=16)
    model_requests_per_minute: int = env(
        "MODEL_REQUESTS_PER_MINUTE",
        0,
        "most requests to one model in a minute, of all processes together; 0: as many as its provider takes",
        ge=0,
    )
    openai_timeout: float = env("OPENAI_TIMEOUT", 60.0, "seconds to wait for one answer", gt=0)
    openai_prefetch: bool = env("OPENAI_PREFETCH", True, "search Jira before the first model call, which saves rounds")
    openai_price_input: float | None = env(
        "OPENAI_PRICE_INPUT", None, "USD per million input tokens, for the cost in reports"
    )
    openai_price_output: float | None = env("OPENAI_PRICE_OUTPUT", None, "USD per million output tokens")
    max_cost_per_month: float | None = env(
        "MAX_COST_PER_MONTH",
        None,
        "USD that models may cost in a calendar month (UTC); from then on rules decide until it ends; empty: no cap",
        ge=0,
    )
    model_redaction: Literal["none", "addresses", "personal"] = env(
        "MODEL_REDACTION",
        "none",
        "placeholders that models get: none, addresses (of mail), personal (numbers, names, too)",
    )
    model_patience: int = env(
        "MODEL_PATIENCE", 1800, "seconds a mail waits for a model that is down before the playbook decides", ge=0
    )
    max_rounds: int = env("MAX_ROUNDS", 10, "rounds of the tool loop at most", ge=1, le=50)
    max_tokens_per_mail: int = env("MAX_TOKENS_PER_MAIL", 60_000, "tokens, in and out, that one mail may use", ge=1000)
    max_seconds_per_mail: int = env("MAX_SECONDS_PER_MAIL", 300, "seconds that one run of the tool loop may take", ge=1)
