"""All settings: each variable once, with default and description; `docs/reference/settings.md` is written from it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import SettingsConfigDict

from triage.config.declaring import AFTER, ENDPOINT, Text, Weekday, env
from triage.config.setting_sources import is_secret, variable
from triage.config.web.variables import WebVariables

MEBIBYTE = 1024 * 1024


class Variables(WebVariables):
    """All variables that an admin can set; `settings.Settings` loads and validates them."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True, hide_input_in_errors=True
    )

    # Jira
    jira_base_url: Text = env("JIRA_BASE_URL", "", "the site, such as https://acme.atlassian.net")
    jira_email: Text = env("JIRA_EMAIL", "", "Cloud: the account's address; Data Center: user name, with a password")
    jira_api_token: SecretStr = env("JIRA_API_TOKEN", SecretStr(""), "Cloud: the account's API token")
    jira_token: SecretStr = env("JIRA_TOKEN", SecretStr(""), "Data Center: a personal access token")
    jira_project_key: Text = env(
        "JIRA_PROJECT_KEY",
        "",
        "key of the project that gets the tickets, in capitals, such as OPS",
        pattern=r"^([A-Z][A-Z0-9_]+)?$",
    )
    jira_timeout: float = env("JIRA_TIMEOUT", 30.0, "seconds to wait for an answer of Jira", gt=0)
    jira_done_status: Text = env(
        "JIRA_DONE_STATUS", "", "status that a fixed ticket is proposed for; empty: the first done one"
    )
    jira_request_type: Text = env(
        "JIRA_REQUEST_TYPE", "", "service projects: request type that tickets are made as, so that portals show them"
    )
    jira_public_comments: bool = env(
        "JIRA_PUBLIC_COMMENTS", False, "service projects: let customers read our comments; else they are internal"
    )
    jira_poll_seconds: float = env(
        "JIRA_POLL_SECONDS", 300.0, "look so often which tickets have changed; 0: Jira's webhook tells", ge=0
    )
    jira_webhook_secret: SecretStr = env(
        "JIRA_WEBHOOK_SECRET",
        SecretStr(""),
        "secret of a webhook of Jira that calls /webhooks/jira (events of issues); two, separated by a blank",
    )

    # Model
    openai_api_key: SecretStr = env("OPENAI_API_KEY", SecretStr(""), "without a key the playbook decides")
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

    # What one mail may write
    max_creates: int = env(
        "MAX_CREATES_PER_MAIL",
        1,
        "tickets one mail may create; with 2 or 3 each separate matter of a proven sender gets its own",
        ge=0,
    )
    max_comments: int = env("MAX_COMMENTS_PER_MAIL", 2, "comments one mail may write", ge=0)
    max_changes: int = env("MAX_CHANGES_PER_MAIL", 1, "changes one mail may make to tickets", ge=0)
    may_be_duplicate_from: float = env(
        "MAY_BE_DUPLICATE_FROM",
        0.3,
        "probability from which a new ticket is linked to one that may be the same; a model that has read it may comment there",
        ge=0,
        le=1,
        was=("DUPLICATE_THRESHOLD",),
    )

    case_url: Text = env(
        "CASE_URL",
        "",
        "address of a page about a case, with {case} in it: the panel under tickets links it; empty: it names the command",
        pattern=r"(https?://\S*\{case\}\S*)?",
    )
    reopen_days: int = env(
        "REOPEN_DAYS",
        14,
        "days in which an answer to a done ticket is a comment and a proposal to reopen it; later, and with 0 always, "
        "it is a new ticket with a link",
        ge=0,
    )

    # Features
    shadow: bool = env(
        "SHADOW", False, "decide about every mail and write nothing, to Jira or by mail: cases end as shadowed"
    )
    enable_sprints: bool = env(
        "ENABLE_SPRINTS",
        False,
        "urgent tickets go into the active sprint, by the model or the playbook; into a full one a person puts them",
    )
    enable_smart_assignment: bool = env(
        "ENABLE_SMART_ASSIGNMENT", False, "propose who does it, by skills, workload and earlier tickets"
    )
    assignment_precision: float = env(
        "ASSIGNMENT_PRECISION",
        0.75,
        "share of the assignees that are right: who is less sure is only named; counts from 200 solved tickets on",
        gt=0,
        lt=1,
    )
    team_file: Text = env("TEAM_FILE", "", "file with the section `team`, where it does not stand in triage.yaml")

    team_language: Literal["en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "ja"] = env(
        "TEAM_LANGUAGE", "en", "language of the headings in tickets; the sender's words stay as they are"
    )
    mask_secrets: bool = env(
        "MASK_SECRETS",
        True,
        "mask passwords, tokens, private keys, card numbers and IBANs of a mail in tickets, prompts and reports",
    )
    attach_raw_mail: Literal["never", "long", "always"] = env(
        "ATTACH_RAW_MAIL",
        "long",
        "hang the mail itself on its ticket: long (where the ticket cannot tell all), always, never",
    )
    enable_support: bool = env(
        "ENABLE_SUPPORT",
        False,
        "the support hub answers mails of `route: support` from articles and looked-up data, and hands the others to people",
    )
    enable_watchers: bool = env(
        "ENABLE_WATCHERS", True, "people of the project in copy of a proven sender's mail watch its ticket"
    )

    enable_memory: bool = env(
        "ENABLE_MEMORY",
        False,
        "keep a memory of the team: promises, requests, decisions of mails as notes that people edit, too",
    )
    memory_dir: Text = env(
        "MEMORY_DIR", "", "folder of the notes, Markdown files; empty: `.memory` beside a SQLite file, else ./memory"
    )
    memory_digest: Weekday = env("MEMORY_DIGEST", "", "day on which NOTIFY_URLS hear of the memory; empty: none")

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
        "wakes the workers of many processes at once (arq); without it each looks once a second, and one process is enough",
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

    # Intake
    host: Text = env("HOST", "127.0.0.1", "address that `triage serve` listens on")
    port: int = env("PORT", 8080, "its port", ge=0, le=65535)
    max_mail_bytes: int = env("MAX_MAIL_BYTES", 40 * MEBIBYTE, "largest mail that is taken", ge=1024)
    webhook_secret: SecretStr = env(
        "WEBHOOK_SECRET",
        SecretStr(""),
        "key of /webhooks/mime (Standard Webhooks, `whsec_…`); two, separated by a blank, while you rotate",
    )
    postmark_user: Text = env("POSTMARK_USER", "", "user name in the URL that Postmark calls")
    postmark_password: SecretStr = env(
        "POSTMARK_PASSWORD", SecretStr(""), "password in the URL that Postmark calls, 24 characters or more"
    )
    sendgrid_public_key: Text = env(
        "SENDGRID_PUBLIC_KEY", "", "SendGrid Inbound Parse: public key of the security policy that signs"
    )
    mailgun_signing_key: SecretStr = env(
        "MAILGUN_SIGNING_KEY", SecretStr(""), "Mailgun: HTTP webhook signing key; two, separated by a blank"
    )
    mandrill_key: SecretStr = env("MANDRILL_KEY", SecretStr(""), "Mandrill: key of the inbound webhook")
    mandrill_url: Text = env(
        "MANDRILL_URL", "", "the URL that Mandrill calls, exactly as entered there: it is part of the signature"
    )
    ses_topics: Text = env(
        "SES_TOPIC_ARNS", "", "Amazon SES: the SNS topics that bring mail, separated by blanks; others are refused"
    )
    min_free_bytes: int = env(
        "MIN_FREE_BYTES", 256 * MEBIBYTE, "room on the database's disk below which no mail is taken", ge=0
    )
    retention_days: int = env("RETENTION_DAYS", 0, "days until mail and prompts of ended cases go; 0: never", ge=0)
    triage_url: Text = env("TRIAGE_URL", "http://127.0.0.1:8080", "where `triage pipe` finds `triage serve`")

    # Who sent it
    authserv_id: Text = env(
        "AUTHSERV_ID", "", "name that our mail server gives itself in Authentication-Results; several between blanks"
    )
    trusted_hops: int = env(
        "TRUSTED_HOPS",
        1,
        "Received lines, from the top, that our own servers write; only what stands above the last of them counts",
        ge=0,
        le=50,
    )
    auth_profile: Literal["rfc", "m365", "gmail"] = env(
        "AUTH_PROFILE",
        "rfc",
        "rfc; m365: it names no server, so its topmost field counts; gmail: its field stands below its Received lines",
    )

    enable_dkim_check: bool = env(
        "ENABLE_DKIM_CHECK",
        False,
        "check signatures ourselves where nobody we trust has (extra `dkim`); asks DNS for keys",
    )
    dkim_nameserver: Text = env(
        "DKIM_NAMESERVER", "", "DNS server for that, 192.0.2.53 or [2001:db8::53]:5353; empty: the system's"
    )

    # Rate limits
    brake_sender_per_hour: int = env(
        "BRAKE_SENDER_PER_HOUR",
        30,
        "mails of one sender within an hour before the rest is collected; 0: no limit",
        ge=0,
    )
    brake_storm_per_hour: int = env(
        "BRAKE_STORM_PER_HOUR",
        10,
        "the same for mails with nearly the same words; of senders never heard of, two",
        ge=0,
    )
    brake_thread_per_hour: int = env("BRAKE_THREAD_PER_HOUR", 10, "the same for mails of one thread", ge=0)

    # The mailbox; triage.yaml can have several
    imap_host: Text = env("IMAP_HOST", "", "mail server whose mailbox is watched; empty: none")
    imap_port: int = env("IMAP_PORT", 0, "its port; 0: 993, or 143 where IMAP_TLS is not `ssl`", ge=0, le=65535)
    imap_user: Text = env("IMAP_USER", "", "user name, most often the address")
    imap_password: SecretStr = env("IMAP_PASSWORD", SecretStr(""), "his password")
    imap_token_command: Text = env(
        "IMAP_TOKEN_COMMAND", "", "instead of a password: command that prints an OAuth token; no shell runs it"
    )
    imap_folder: Text = env("IMAP_FOLDER", "INBOX", "folder that is watched")
    imap_tls: Literal["ssl", "starttls", "none", "insecure"] = env(
        "IMAP_TLS", "ssl", "ssl, starttls, none (this machine only), or insecure (none over a network)"
    )
    imap_after: Text = env(
        "IMAP_AFTER",
        "none",
        "what becomes of mails that are taken: none, seen (mark as read) or move:Folder",
        pattern=AFTER,
    )
    imap_poll_seconds: float = env(
        "IMAP_POLL_SECONDS", 120.0, "look so often, also where the server announces new mail", ge=1, le=1500
    )

    # Ways to people
    notify_urls: SecretStr = env(
        "NOTIFY_URLS",
        SecretStr(""),
        "channels that tell people what must not wait, one apprise URL each, separated by blanks (extra `notify`); empty: none",
    )

    enable_jira_approvals: bool = env(
        "ENABLE_JIRA_APPROVALS",
        False,
        "what waits for a person is a comment on its ticket, and approvers answer there: /triage yes, no, edit, undo, not, new, stop",
    )
    notify_approver: Text = env(
        "NOTIFY_APPROVER",
        "",
        "address of the approver in whose name links in the channels of NOTIFY_URLS decide: whoever reads them can; empty: no links",
        pattern=r"([^@\s]+@[^@\s]+)?",
    )

    # Letters
    smtp_host: Text = env("SMTP_HOST", "", "mail server that takes our letters; empty: Triage writes to nobody")
    smtp_port: int = env("SMTP_PORT", 0, "its port; 0: 465, or 587 where SMTP_TLS is not `ssl`", ge=0, le=65535)
    smtp_tls: Literal["ssl", "starttls", "none", "insecure"] = env(
        "SMTP_TLS", "starttls", "starttls, ssl, none (this machine only), or insecure (none over a network)"
    )
    smtp_user: Text = env("SMTP_USER", "", "user name there; empty: it asks for none")
    smtp_password: SecretStr = env("SMTP_PASSWORD", SecretStr(""), "his password")
    smtp_token_command: Text = env(
        "SMTP_TOKEN_COMMAND", "", "instead of a password: command that prints an OAuth token; no shell runs it"
    )
    mail_from: Text = env("MAIL_FROM", "", "sender of our letters, such as Harbour Support <support@example.org>")
    letter_delay_seconds: float = env(
        "LETTER_DELAY_SECONDS", 60.0, "window in which `triage letters undo` takes a letter back", ge=0, le=86_400
    )
    letters_per_person: int = env(
        "LETTERS_PER_PERSON_PER_DAY",
        2,
        "letters that a person may get within a day without anybody having seen them",
        ge=0,
    )
    letters_per_minute: int = env(
        "LETTERS_PER_MINUTE", 30, "letters sent within a minute, all processes together", ge=1
    )
    drafts_folder: Text = env(
        "DRAFTS_FOLDER", "", "the mailbox's folder of drafts; empty: the one it names itself; none: drafts stay here"
    )
    sent_folder: Text = env(
        "SENT_FOLDER", "", "the mailbox's folder of sent mail; empty: the one it names itself; none: no copies"
    )

    # The process
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
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = env("LOG_LEVEL", "INFO", "how much is logged")
    log_json: bool = env("LOG_JSON", False, "one JSON object per log line")
    crash_at: Text = env("TRIAGE_CRASH_AT", "", "for crash tests only: the process kills itself at this named point")


def variables() -> Mapping[str, FieldInfo]:
    """Return every variable by name, in the order of this file, those of the web application last."""
    fields = Variables.model_fields
    order = sorted(fields, key=lambda name: name in WebVariables.model_fields)
    return {variable(fields[name]): fields[name] for name in order}


def table() -> str:
    """Return all variables as a Markdown table, for `docs/reference/settings.md`."""
    rows = [
        f"| `{name}` | {_shown(field)} | {field.description}{' *(secret)*' if is_secret(field) else ''} |"
        for name, field in variables().items()
    ]
    return "\n".join(["| variable | default | what it is |", "| --- | --- | --- |", *rows])


def _shown(field: FieldInfo) -> str:
    """Format a default as an `.env` line has it; empty if there is none."""
    value = field.default.get_secret_value() if isinstance(field.default, SecretStr) else field.default
    text = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    return f"`{text}`" if value is not None and text else ""
