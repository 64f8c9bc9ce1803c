"""Answers Prometheus at METRICS_ADDRESS, beside the work of `triage serve` and `triage work`."""

import asyncio
from typing import TYPE_CHECKING

from cli.console import screen
from cli.service.listening import listening_at, serve_until

if TYPE_CHECKING:
    from cli.wiring.app import App
    from cli.wiring.intake import IntakeContext


async def serve_metrics(context: "IntakeContext", app: "App | None", stop: asyncio.Event) -> None:
    """Serve until `stop` is set; return at once where no address is set. Raises `SettingsInvalid` if it is in use."""
    address = context.settings.metrics_address
    if not address:
        return
    import uvicorn

    from cli.wiring.telemetry.metrics import metrics_alone

    host, _, port = address.rpartition(":")
    listening = listening_at(host.strip("[]"), int(port), "METRICS_ADDRESS")
    listening.listen()
    config = uvicorn.Config(metrics_alone(context, app), log_config=None, access_log=False, lifespan="off")
    at = f"{host}:{listening.getsockname()[1]}"
    screen(error=True).print(f"metrics on http://{at}/metrics", soft_wrap=True)
    await serve_until(stop, config, listening)
