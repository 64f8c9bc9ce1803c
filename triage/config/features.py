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
        "Jira", settings.jira_ready, "creates and changes tickets", "JIRA_BASE_URL, JIRA_PROJECT_KEY, a token"
    )
    yield Feature(
        "Model",
        bool(settings.openai_api_key.get_secret_value() or settings.openai_base_url),
        "a model decides; without it, rules",
        "OPENAI_API_KEY, or OPENAI_BASE_URL",
    )
    yield Feature(
        "Mailboxes", bool(settings.imap_host or config.mailboxes), "fetches mail over IMAP", "IMAP_HOST, or `mailboxes`"
    )
    yield Feature("Letters", letters, "sends mail to people", "SMTP_HOST, MAIL_FROM")
    yield Feature("Answers", letters and config.letters.any, "answers mails", "`letters` in triage.yaml")
    yield Feature("Shadow", settings.shadow, "decides and records; writes nothing", "SHADOW")
    yield Feature(
        "Assignment",
        settings.enable_smart_assignment,
        "proposes or sets an assignee",
        "ENABLE_SMART_ASSIGNMENT, a team",
    )
    yield Feature("Memory", settings.enable_memory, "keeps notes of promises and decisions", "ENABLE_MEMORY")
    yield Feature("Sprints", settings.enable_sprints, "puts tickets into sprints", "ENABLE_SPRINTS")
    yield Feature(
        "Support hub",
        settings.enable_support,
        "answers questions from articles",
        "ENABLE_SUPPORT, `route: support`",
    )
    yield Feature("Watchers", settings.enable_watchers, "adds people in copy as watchers", "ENABLE_WATCHERS")
    yield Feature(
        "Sender check",
        bool(settings.authserv_id or settings.enable_dkim_check),
        "checks who sent a mail",
        "AUTHSERV_ID, or ENABLE_DKIM_CHECK",
    )
    yield Feature(
        "Approvals in Jira",
        settings.enable_jira_approvals,
        "takes decisions from Jira comments",
        "ENABLE_JIRA_APPROVALS",
    )
    yield Feature(
        "Notices", bool(settings.notify_urls.get_secret_value()), "reports problems to chat or mail", "NOTIFY_URLS"
    )
    yield Feature(
        "Calendars", bool(config.calendars), "finds free slots, proposes meetings", "`calendars` in triage.yaml"
    )
    yield Feature("Contacts", config.contacts != ContactSources(), "looks senders up", "`contacts` in triage.yaml")
    yield Feature(
        "Tools of MCP servers", bool(config.mcp_servers), "offers their tools to agents", "`mcp_servers` in triage.yaml"
    )
    yield Feature(
        "Budget", settings.max_cost_per_month is not None, "stops models at a monthly sum", "MAX_COST_PER_MONTH"
    )
    yield Feature("Secrets masked", settings.mask_secrets, "masks passwords in tickets and prompts", "MASK_SECRETS")
    yield Feature(
        "Redis", bool(settings.redis_url.get_secret_value()), "wakes workers, shares rate limits", "REDIS_URL"
    )
