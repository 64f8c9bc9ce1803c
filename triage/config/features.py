"""What can be switched on, whether it is, and what it needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from triage.config.calendar.sources import ContactSources
from triage.config.settings import Settings
from triage.config.triage_yaml import Config


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing that is off until it is configured."""

    name: str
    on: bool
    told: str
    """What it does."""
    needs: str
    """The settings that switch it on."""


def features_of(settings: Settings, config: Config) -> Iterator[Feature]:
    """Yield all features of this installation."""
    letters = bool(settings.smtp_host)
    yield Feature(
        "Jira", settings.jira_ready, "tickets are made and changed", "JIRA_BASE_URL, JIRA_PROJECT_KEY, a token"
    )
    yield Feature(
        "Model",
        bool(settings.openai_api_key.get_secret_value() or settings.openai_base_url),
        "a model decides; else rules do",
        "OPENAI_API_KEY, or OPENAI_BASE_URL",
    )
    yield Feature(
        "Mailboxes", bool(settings.imap_host or config.mailboxes), "mail is fetched", "IMAP_HOST, or `mailboxes`"
    )
    yield Feature("Letters", letters, "people are written to", "SMTP_HOST, MAIL_FROM")
    yield Feature("Answers", letters and config.letters.any, "mails are answered", "`letters` in triage.yaml")
    yield Feature("Shadow", settings.shadow, "nothing is written, only recorded", "SHADOW")
    yield Feature(
        "Assignment", settings.enable_smart_assignment, "who does it is proposed", "ENABLE_SMART_ASSIGNMENT, a team"
    )
    yield Feature("Memory", settings.enable_memory, "mails become notes of the team", "ENABLE_MEMORY")
    yield Feature("Sprints", settings.enable_sprints, "tickets are planned", "ENABLE_SPRINTS")
    yield Feature(
        "Support hub",
        settings.enable_support,
        "questions are answered from articles",
        "ENABLE_SUPPORT, `route: support`",
    )
    yield Feature("Watchers", settings.enable_watchers, "people in copy watch the ticket", "ENABLE_WATCHERS")
    yield Feature(
        "Sender check",
        bool(settings.authserv_id or settings.enable_dkim_check),
        "senders are proven",
        "AUTHSERV_ID, or ENABLE_DKIM_CHECK",
    )
    yield Feature(
        "Approvals in Jira", settings.enable_jira_approvals, "people decide by comments", "ENABLE_JIRA_APPROVALS"
    )
    yield Feature("Notices", bool(settings.notify_urls.get_secret_value()), "people hear of trouble", "NOTIFY_URLS")
    yield Feature("Calendars", bool(config.calendars), "meetings are proposed", "`calendars` in triage.yaml")
    yield Feature("Contacts", config.contacts != ContactSources(), "senders are looked up", "`contacts` in triage.yaml")
    yield Feature("Tools of MCP servers", bool(config.mcp_servers), "agents call them", "`mcp_servers` in triage.yaml")
    yield Feature(
        "Budget", settings.max_cost_per_month is not None, "models stop at a sum a month", "MAX_COST_PER_MONTH"
    )
    yield Feature("Secrets masked", settings.mask_secrets, "passwords in mails are not kept", "MASK_SECRETS")
    yield Feature("Redis", bool(settings.redis_url.get_secret_value()), "several hosts work together", "REDIS_URL")
