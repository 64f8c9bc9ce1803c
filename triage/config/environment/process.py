"""The variables of the processes: store, queue, workers, log."""

from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from triage.config.declaring import ENDPOINT, Text, VariableGroup, env


class ProcessVariables(VariableGroup):
    """Where a process keeps its data, how it works, and what it says of itself."""

    triage_config: Path = env(
        "TRIAGE_CONFIG",
        Path("triage.yaml"),
        "routing rules and agent profiles; where it is not set, the file may be absent",
    )
    triage_secret: SecretStr = env(
        "TRIAGE_SECRET",
        SecretStr(""),
        "key of the marks on our tickets; keep it for ever (empty: made and kept in the database)",
    )
    shadow: bool = env(
        "SHADOW", False, "decide about every mail and write nothing, to Jira or by mail: cases end as shadowed"
    )

    ssl_cert_file: Text = env(
        "SSL_CERT_FILE",
        "",
        "file of the certificates that every connection trusts, in place of the system's: these and those of your own CA",
    )

    # Store and queue
    database_url: SecretStr = env(
        "DATABASE_URL", SecretStr("sqlite:///triage.db"), "sqlite:///file or postgresql://user:password@host/name"
    )
    ticket_index_dir: Text = env(
        "TICKET_INDEX_DIR",
        "",
        "folder of this machine's search index over the tickets; empty: beside a SQLite file, else ./ticket-index",
    )
    tools_dir: Text = env(
        "TOOLS_DIR",
        "",
        "folder for the data of tools from outside, one below it for each package; empty: `tools` beside a SQLite file, else ./tools",
    )
    redis_url: SecretStr = env(
        "REDIS_URL",
        SecretStr(""),
        "wakes the workers of many processes at once (arq) and holds their common rate limits; one process needs none",
    )
    processes: int = env(
        "PROCESSES",
        1,
        "processes that ask Jira and models: without REDIS_URL, or while it is down, each keeps to its part of the rate limits",
        ge=1,
        le=1000,
    )
    workers: int = env("WORKERS", 4, "mails handled at the same time by one process", ge=1, le=64)
    lease_seconds: int = env("LEASE_SECONDS", 60, "how long a worker may be silent before another takes over", ge=1)
    max_attempts: int = env("MAX_ATTEMPTS", 8, "tries of a case before a person has to look", ge=1)
    settle_seconds: float = env(
        "SETTLE_SECONDS",
        60.0,
        "pause before a write whose answer was lost, and that cannot be found, is sent again; then 3 and 10 times as long",
        ge=0,
    )
    host: Text = env("HOST", "127.0.0.1", "address that `triage serve` listens on")
    port: int = env("PORT", 8080, "its port", ge=0, le=65535)

    # What it says of itself
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = env("LOG_LEVEL", "INFO", "how much is logged")
    log_json: bool = env("LOG_JSON", False, "one JSON object per log line")
    heartbeat_file: Text = env(
        "HEARTBEAT_FILE",
        "",
        "file that `triage work` touches while all is well, for `triage work --status`; empty: none",
    )
    metrics_address: Text = env(
        "METRICS_ADDRESS", "", "host:port where `serve` and `work` answer Prometheus without a token", pattern=ENDPOINT
    )
    otlp_endpoint: Text = env(
        "OTEL_EXPORTER_OTLP_ENDPOINT", "", "collector that gets a trace of each case, such as http://127.0.0.1:4318"
    )
    otlp_headers: SecretStr = env("OTEL_EXPORTER_OTLP_HEADERS", SecretStr(""), "name=value, separated by commas")
    crash_at: Text = env("TRIAGE_CRASH_AT", "", "for crash tests only: the process kills itself at this named point")
