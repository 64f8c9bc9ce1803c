"""Builds what sends traces; without OTEL_EXPORTER_OTLP_ENDPOINT no adapter is imported."""

from contextlib import AsyncExitStack
from urllib.parse import unquote

from integrations.loguru_log import cleaned
from integrations.sql.store import SqlStore
from triage.config.settings import Settings
from triage.services.telemetry.tracing import Tracing


def tracing_of(settings: Settings, store: SqlStore, secret: bytes, later: AsyncExitStack) -> Tracing | None:
    """Return what sends a trace of each case, None without an endpoint; `later` closes its connections."""
    if not settings.otlp_endpoint:
        return None
    from importlib.metadata import version

    from integrations.otlp import OtlpTraces

    pairs = (pair.partition("=") for pair in settings.otlp_headers.get_secret_value().split(",") if "=" in pair)
    headers = {name.strip(): unquote(value.strip()) for name, _, value in pairs}
    resource = {"service.name": "triage", "service.version": version("triage")}
    export = OtlpTraces(settings.otlp_endpoint, headers, resource)
    later.push_async_callback(export.close)
    return Tracing(archive=store.archive, log=store.audit, export=export, secret=secret, redact=cleaned)
