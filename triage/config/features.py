"""Lists the features that can be switched on, their state, and their requirements."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from triage.config.calendar.sources import ContactSources
from triage.config.settings import Settings
from triage.config.triage_yaml import Config


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that is off until it is configured, and its state."""

    name: str
    on: bool
    about: str
    """What it does."""
    needs: str
    """The settings that switch it on."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A feature, and the function that tells from the configuration whether it is on."""

    name: str
    on: Callable[[Settings, Config], object]
    about: str
    needs: str


SWITCHES: Final = (
    Switch(
        "Jira", lambda s, _: s.jira_ready, "creates and changes tickets", "JIRA_BASE_URL, JIRA_PROJECT_KEY, a token"
    ),
    Switch(
        "Model",
        lambda s, _: s.openai_api_key or s.openai_base_url,
        "a model decides; without it, rules",
        "OPENAI_API_KEY, or OPENAI_BASE_URL",
    ),
    Switch("Mailboxes", lambda s, c: s.imap_host or c.mailboxes, "fetches mail over IMAP", "IMAP_HOST, or `mailboxes`"),
    Switch("Letters", lambda s, _: s.smtp_host, "sends mail to people", "SMTP_HOST, MAIL_FROM"),
    Switch("Answers", lambda s, c: s.smtp_host and c.letters.any, "answers mails", "`letters` in triage.yaml"),
    Switch("Shadow", lambda s, _: s.shadow, "decides and records; writes nothing", "SHADOW"),
    Switch(
        "Assignment",
        lambda s, _: s.enable_smart_assignment,
        "proposes or sets an assignee",
        "ENABLE_SMART_ASSIGNMENT, a team",
    ),
    Switch("Memory", lambda s, _: s.enable_memory, "keeps notes of promises and decisions", "ENABLE_MEMORY"),
    Switch("Sprints", lambda s, _: s.enable_sprints, "puts tickets into sprints", "ENABLE_SPRINTS"),
    Switch(
        "Support hub",
        lambda s, _: s.enable_support,
        "answers questions from articles",
        "ENABLE_SUPPORT, `route: support`",
    ),
    Switch("Watchers", lambda s, _: s.enable_watchers, "adds people in copy as watchers", "ENABLE_WATCHERS"),
    Switch(
        "Sender check",
        lambda s, _: s.authserv_id or s.enable_dkim_check,
        "checks who sent a mail",
        "AUTHSERV_ID, or ENABLE_DKIM_CHECK",
    ),
    Switch(
        "Approvals in Jira",
        lambda s, _: s.enable_jira_approvals,
        "takes decisions from Jira comments",
        "ENABLE_JIRA_APPROVALS",
    ),
    Switch("Notices", lambda s, _: s.notify_urls, "reports problems to chat or mail", "NOTIFY_URLS"),
    Switch("Calendars", lambda _, c: c.calendars, "finds free slots, proposes meetings", "`calendars` in triage.yaml"),
    Switch("Contacts", lambda _, c: c.contacts != ContactSources(), "looks senders up", "`contacts` in triage.yaml"),
    Switch(
        "Tools of MCP servers",
        lambda _, c: c.mcp_servers,
        "offers their tools to agents",
        "`mcp_servers` in triage.yaml",
    ),
    Switch(
        "Budget", lambda s, _: s.max_cost_per_month is not None, "stops models at a monthly sum", "MAX_COST_PER_MONTH"
    ),
    Switch("Secrets masked", lambda s, _: s.mask_secrets, "masks passwords in tickets and prompts", "MASK_SECRETS"),
    Switch("Redis", lambda s, _: s.redis_url, "wakes workers, shares rate limits", "REDIS_URL"),
)


def features_of(settings: Settings, config: Config) -> Iterator[Feature]:
    for one in SWITCHES:
        yield Feature(one.name, bool(one.on(settings, config)), one.about, one.needs)
