"""Checks what holds for the whole Jira site: links, attachments, limits, webhook, unanswered questions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding
from cli.doctor.forms import Visit

if TYPE_CHECKING:
    from triage.config.settings import Settings


def site(visit: Visit) -> Iterator[Finding]:
    """Report everything that does not depend on the project."""
    yield from _links(visit)
    yield from _files(visit)
    if visit.settings.enable_watchers and not visit.facts.watching:
        off = "watching is switched off in this Jira"
        yield Finding("watchers", "warn", off, "ENABLE_WATCHERS=false, or switch it on")
    limits = ", ".join(f"{name}: {value}" for name, value in visit.facts.limits.items())
    yield Finding("rate limits", "ok", limits or "no header tells of one")
    yield _webhook(visit.settings)


def _webhook(settings: "Settings") -> Finding:
    """Say how changes in Jira become known."""
    if settings.jira_webhook_secret:
        return Finding("webhook", "ok", "JIRA_WEBHOOK_SECRET is set: Jira may call /webhooks/jira")
    if settings.jira_poll_seconds:
        polled = f"JIRA_WEBHOOK_SECRET is not set: changes are asked for every {settings.jira_poll_seconds:g} s"
        return Finding("webhook", "ok", polled)
    detail = "JIRA_POLL_SECONDS is 0 and JIRA_WEBHOOK_SECRET not set: nobody tells us what changes in Jira"
    return Finding("webhook", "fail", detail, "set one of them")


def _links(visit: Visit) -> Iterator[Finding]:
    from triage.policy.ticket.attachments import RELATES

    names = [kind.name for kind in visit.facts.link_types]
    known = [name.casefold() for name in names]
    if not names:
        detail = "switched off, or hidden from our account: related tickets and doubles are not tied"
        yield Finding("links", "warn", detail, "Administration, Issue linking; and the permission Link Issues")
        return
    missing = [] if set(RELATES) & set(known) else ["Relates (a ticket and the one it has to do with are not tied)"]
    if not any(name.startswith("duplicate") for name in known):
        missing.append("Duplicate (doubles are closed and not tied)")
    if missing:
        cure = f"an administrator adds them under Issue linking; there are: {', '.join(names)}"
        yield Finding("links", "warn", f"there is no {' and no '.join(missing)}", cure)
    else:
        yield Finding("links", "ok", ", ".join(names))


def _files(visit: Visit) -> Iterator[Finding]:
    limit, largest = visit.facts.upload_limit, visit.settings.max_mail_bytes
    if not limit:
        detail = "switched off, or hidden from our account: files of mails stay in our database"
        yield Finding("attachments", "warn", detail, "Administration, Attachments")
    elif limit < largest:
        detail = f"Jira takes files of {_mb(limit)}, we take mails of {_mb(largest)}: larger files stay out of tickets"
        yield Finding(
            "attachments",
            "warn",
            detail,
            "raise the limit in Jira (Administration, Attachments), or lower MAX_MAIL_BYTES",
        )
    else:
        yield Finding("attachments", "ok", f"files of up to {_mb(limit)}")


def _mb(size: int) -> str:
    return f"{size / 2**20:.0f} MB"


# --- what could not be seen -------------------------------------------------------------------

_TOLD: Final = (
    *("server", "me", "project", "newest", "types", "links", "files", "tokens", "switches", "resolutions"),
    *("first",),
)
"""Answers that other checks report, or that need no line."""


def unread(visit: Visit) -> Iterator[Finding]:
    """Report answers that Jira refused and that no other check reports."""
    for what, missed in visit.facts.unread.items():
        if what not in _TOLD and (visit.facts.project or what != "rights"):
            yield Finding(
                what, "warn", f"could not be looked at: {missed.detail}", "try again, then look into Jira's log"
            )
