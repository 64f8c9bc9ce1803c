"""Says which states and events people are told of, in which words, and what they can do."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from triage.domain.approvals import Approval, Pause
from triage.domain.channels.notices import DeadCase, Delayed, Notice, NoticeKind, NoticeSeverity
from triage.domain.letters import Letter
from triage.domain.mailboxes import Phase, SyncCursor
from triage.domain.text.counts import many
from triage.domain.traces import Flood
from triage.policy.decision.proposals import LINE, asker_of, change_of, why_of

SHOWN: Final = 300
"""Characters of a proposed comment."""
STALLED: Final = timedelta(minutes=2)
"""Time that a mailbox may be out of reach unnoticed."""
LONG: Final = timedelta(minutes=10)
"""Time that a mail may wait for something that does not work."""
RECENT: Final = timedelta(days=1)
"""Age of a flood that is news."""
_PARTS: Final = (
    ("Jira", NoticeKind.TRACKER, "triage doctor --jira names the cause; the mails go on by themselves when Jira does."),
    ("model", NoticeKind.MODEL, "triage doctor names the cause; after MODEL_PATIENCE the playbook decides instead."),
    ("", NoticeKind.WAITING, "triage doctor names the cause; triage cases --state retrying lists the mails."),
)
"""Part of an error's words, the kind of notice and the cure."""


def mailbox_notice(at: SyncCursor, trouble: str, now: datetime) -> Notice | None:
    """Return the notice about a mailbox in trouble; None if there is none, or too young."""
    if not trouble or (at.phase is Phase.STALLED and now - at.changed_at < STALLED):
        return None
    if at.phase is not Phase.STALLED and trouble == at.trouble:
        return Notice(
            kind=NoticeKind.MAILBOX,
            severity=NoticeSeverity.WARNING,
            text=f"Mail comes from {at.name}, but {trouble}",
            cure="make room there, or give the account the right to the folder; each look tries again.",
            key=f"mailbox {at.name}",
        )
    return Notice(
        kind=NoticeKind.MAILBOX,
        severity=NoticeSeverity.FAILURE,
        text=f"No new mail comes from {at.name}: {trouble}",
        cure="triage watch --status shows it; triage doctor names the cause. No mail is lost: all are fetched later.",
        key=f"mailbox {at.name}",
    )


def delay_notice(delayed: Delayed, now: datetime) -> Notice | None:
    """Return the notice about mails that wait; None if the oldest has not waited long."""
    if now - delayed.since < LONG:
        return None
    kind, cure = next((kind, cure) for part, kind, cure in _PARTS if part in delayed.trouble)
    mails = "1 mail waits" if delayed.cases == 1 else f"{delayed.cases} mails wait"
    text = f"{mails}, the oldest since {delayed.since:%Y-%m-%d %H:%M} UTC: {delayed.detail}"
    return Notice(kind=kind, severity=NoticeSeverity.FAILURE, text=text, cure=cure, key=f"delayed {delayed.trouble}")


def pause_notice(pause: Pause | None) -> Notice | None:
    """Return the notice that a person has paused all writing; None while nobody has."""
    if pause is None:
        return None
    why = f": {pause.why}" if pause.why else ""
    return Notice(
        kind=NoticeKind.PAUSED,
        text=f"{pause.by} has paused all writing to Jira and by mail since {pause.since:%Y-%m-%d %H:%M} UTC{why}",
        cure="triage resume ends it; mails are taken meanwhile, and what they want is written then.",
        key=f"paused {pause.since.isoformat()}",
    )


def config_notice(trouble: str) -> Notice | None:
    """Return the notice that triage.yaml was changed and is broken; None if it is not."""
    if not trouble:
        return None
    return Notice(
        kind=NoticeKind.SETTINGS,
        text=f"triage.yaml has changed and cannot be used, so the earlier rules still hold: {trouble}",
        cure="Correct the file; triage route --check reads it. It is taken within seconds, without a restart.",
        key=f"config {trouble}",
    )


def dead_notice(dead: DeadCase) -> Notice:
    """Return the notice about a mail that no worker takes any more."""
    return Notice(
        kind=NoticeKind.DEAD_CASE,
        text=f"“{dead.subject}” could not be handled: {dead.trouble}",
        cure="triage show CASE says why; triage replay CASE tries again.",
        case=dead.case,
        key=f"dead {dead.case} {dead.trouble}",
    )


def flood_notice(flood: Flood, now: datetime) -> Notice | None:
    """Return the notice about a flood of mails that a rate limit holds; None for an old one."""
    if now - flood.until > RECENT:
        return None
    return Notice(
        kind=NoticeKind.STORM,
        text=f"{many(flood.held, 'mail')} alike since {flood.since:%Y-%m-%d %H:%M} UTC, collected in one ticket, such as “{flood.newest}”",
        cure="triage cases --held lists them; nothing is lost, and the ticket is told of them.",
        case=flood.case,
        ticket=flood.ticket,
        key=f"flood {flood.group.value} {flood.ticket or flood.case} {flood.until:%Y-%m-%d}",
    )


def letter_notice(letter: Letter) -> Notice | None:
    """Return the notice about a letter of which nobody knows whether it has left; None while it is still looked for."""
    if letter.due_at is not None:
        return None
    return Notice(
        kind=NoticeKind.LETTER,
        text=f"The letter “{letter.subject}” (no. {letter.id}) to {', '.join(letter.recipients)} may have left or not: no trace of it was found.",
        cure=f"triage letters lists it; triage letters again {letter.id} sends it once more, and then it may come twice.",
        case=letter.case,
        ticket=letter.ticket,
        key=f"letter {letter.id} {letter.attempts}",
    )


def approval_notice(approval: Approval, links: str = "") -> Notice:
    """Return the notice that an approval waits for a person; `links` decide it."""
    change = " ".join(change_of(approval, SHOWN).replace(LINE, " ").split())
    return Notice(
        kind=NoticeKind.APPROVAL,
        severity=NoticeSeverity.INFO,
        text=f"No. {approval.id}, asked by {asker_of(approval)}: {change}. Why a person: {why_of(approval)}",
        cure="triage approve lists and decides what waits.",
        case=approval.case,
        ticket=approval.ticket,
        links=links,
        key=f"approval {approval.id} {approval.hash[:16]}",
    )


def reminder_notice(approval: Approval, now: datetime, before: timedelta, links: str = "") -> Notice | None:
    """Return the notice that an approval expires soon, within `before`; None if it does not."""
    if approval.expires_at is None or approval.expires_at - now > before:
        return None
    notice = approval_notice(approval, links)
    text = f"It expires at {approval.expires_at:%Y-%m-%d %H:%M} UTC, and then nothing is done. {notice.text}"
    key = f"reminder {approval.id}"
    return replace(notice, kind=NoticeKind.REMINDER, severity=NoticeSeverity.WARNING, text=text, key=key)
