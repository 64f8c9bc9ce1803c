"""Turns settings and `triage.yaml` into the numbers and tables of the decisions."""

from dataclasses import replace

from triage.agent.loop import Limits
from triage.config.settings import Settings
from triage.config.team import Assignment
from triage.config.triage_yaml import Config, load_assignment
from triage.policy.decision.permission import WriteBudget
from triage.policy.routing.table import RuleTable
from triage.policy.sender.trust_verdict import Edge
from triage.policy.thread.throttle import RateLimits
from triage.policy.ticket.attachments import RawMail
from triage.policy.ticket.why_panel import Links
from triage.toolsets.context import Rules


def _limits(settings: Settings) -> Limits:
    return Limits(
        rounds=settings.max_rounds,
        max_tokens=settings.openai_max_tokens,
        tokens=settings.max_tokens_per_mail,
        seconds=settings.max_seconds_per_mail,
    )


def _edge(settings: Settings) -> Edge:
    servers = frozenset(settings.authserv_id.lower().split())
    return Edge(servers=servers, hops=settings.trusted_hops, profile=settings.auth_profile)


def _rate_limits(settings: Settings) -> RateLimits:
    return RateLimits(
        sender=settings.throttle_sender_per_hour,
        storm=settings.throttle_storm_per_hour,
        thread=settings.throttle_thread_per_hour,
    )


def _own_domains(settings: Settings, config: Config) -> frozenset[str]:
    boxes = (mailbox.user for mailbox in config.mailboxes)
    return frozenset(map(_domain_of, (settings.jira_email, settings.mail_from, settings.imap_user, *boxes))) - {""}


def rules_of(settings: Settings, config: Config) -> Rules:
    """Build the rules. Raises `SettingsInvalid`."""
    return Rules(
        limits=_limits(settings),
        budget=WriteBudget(creates=settings.max_creates, comments=settings.max_comments, changes=settings.max_changes),
        edge=_edge(settings),
        rate_limits=_rate_limits(settings),
        domains=_own_domains(settings, config),
        may_be_from=settings.may_be_duplicate_from,
        model_patience=settings.model_patience,
        settle_seconds=settings.settle_seconds,
        prefetch=settings.openai_prefetch,
        language=settings.team_language,
        mask_secrets=settings.mask_secrets,
        raw_mail=RawMail(settings.attach_raw_mail),
        watchers=settings.enable_watchers,
        team=load_assignment(config, settings.team_file).team,
        reopen_days=settings.reopen_days,
        done_status=settings.jira_done_status,
        routing=RuleTable.of(config.rules),
        hours=config.hours,
        labels=config.labels,
        file_kinds=config.file_kinds,
        severity=config.severity,
        links=Links(report=settings.case_url),
        dispositions=config.dispositions,
        approvals=config.approvals,
        autonomy=config.autonomy.model_copy(update={"shadow": settings.shadow}),
        dry_run=settings.shadow,
        assignment=_assignment(settings, config) if settings.enable_smart_assignment else None,
        letters=config.letters,
        largest_mail=settings.max_mail_bytes,
        component_aliases={name.casefold(): aliases for name, aliases in config.components.items()},
    )


def _assignment(settings: Settings, config: Config) -> Assignment:
    return replace(load_assignment(config, settings.team_file), precision=settings.assignment_precision)


def _domain_of(address: str) -> str:
    """Return the domain of an address, which may have a name before it; empty for a user name."""
    return address.lower().rpartition("@")[2].rstrip("> ") if "@" in address else ""
