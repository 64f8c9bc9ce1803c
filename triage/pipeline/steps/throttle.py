"""Throttles floods: one comment on the flood's first ticket summarises their mails, which all stay stored."""

from dataclasses import replace
from typing import Final

from loguru import logger

from triage.domain.cases import Case, Outcome
from triage.domain.errors import Behind, TicketGone
from triage.domain.findings import Joined
from triage.domain.mail import Trust
from triage.domain.traces import SUMMARY, Digest, Group
from triage.pipeline.context import Services
from triage.pipeline.scope import writes_of
from triage.policy.sender.sender_checks import is_colleague, is_deceptive
from triage.policy.thread.throttle import (
    APART,
    AT_ONCE,
    EVERY,
    PATIENCE,
    UNLIKE,
    WINDOW,
    given_up,
    held_back,
    holding,
    reason,
    render_summary,
)

KNOWN_BY: Final = (Joined.REPLY_ID, Joined.ALERT)
"""Ties to a ticket that show an earlier mail of or to the sender."""
EDITS: Final = 5
"""Most times that one worker rewrites the summary while others add mails."""


class FirstOpen(Behind):
    """The flood's first mails have no ticket yet: the rest waits for it."""


class UnwrittenSummary(Behind):
    """The flood has no comment yet, and an earlier mail is about to write it."""


async def throttle(case: Case, at: Services) -> Case:
    """Return the case, closed if a rate limit applies. Replayed cases pass. Raises `FirstOpen` or `UnwrittenSummary` to wait."""
    if case.run > 1:
        return case
    earlier = await at.throttle.group_counts(WINDOW)
    for group in holding(earlier, at.rules.rate_limits):
        if group is Group.NEWCOMERS and await _known(case, at):
            continue  # the address is new, but its sender is no stranger
        crowd = await at.throttle.group_state(group, WINDOW)
        ticket = case.ticket or crowd.ticket
        if ticket is None and crowd.busy:
            raise FirstOpen(crowd.busy)
        if ticket and ticket != case.identity.foreign_thread:
            return await _throttle(case, at, group, ticket)
        if ticket is None and crowd.waiting and held_back(group):
            return await _throttle_undecided(case, at, group, crowd.waiting)
        if ticket is None and given_up(earlier[group], group, at.rules.rate_limits):
            held = case.flagged(f"throttled:{group}")
            return held.ending(Outcome.WAITING, reason(group, at.rules.rate_limits, ""))
    return case


async def _known(case: Case, at: Services) -> bool:
    """Tell whether the sender is no stranger: in the thread, in touch with us, or a proven colleague."""
    if case.identity.participant or case.identity.joined in KNOWN_BY:
        return True
    if case.identity.trust is not Trust.VERIFIED or is_deceptive(case):
        return False
    return is_colleague(case.mail.sender, (await at.tracker.metadata.project()).people, at.rules.domains)


async def summarize_rest(case: Case, at: Services) -> Case:
    """Write the flood's last summary, for throttled mails that no summary lists yet; runs after the case's end."""
    if case.collects is None:
        return case
    done, group = replace(case, collects=None), case.collects
    crowd = await at.throttle.group_state(group, WINDOW)
    # A replayed case has a ticket of its own by now, a case that was held back has none.
    ticket = case.ticket if case.run == 1 and case.ticket else crowd.ticket
    if ticket is None:
        patient = (at.clock.now() - case.received_at).total_seconds() < PATIENCE
        return case if patient and (crowd.waiting or crowd.busy) else done
    digest = await at.throttle.digest(group, WINDOW, ticket or "")
    try:
        if digest is not None and ticket:
            await _summarize(case, at, group, ticket, digest)
    except TicketGone:
        return done.flagged("ticket-gone")
    return done


async def _throttle(case: Case, at: Services, group: Group, ticket: str) -> Case:
    """Record that this mail is throttled, write the summary if it is due, and return the closed case."""
    at_once = AT_ONCE if group in UNLIKE else 0
    held = await at.throttle.throttle(group, ticket, seconds=WINDOW, every=EVERY, apart=APART, at_once=at_once)
    try:
        if held.digest is not None:
            await _summarize(case, at, group, ticket, held.digest)
    except TicketGone:
        return case.flagged("ticket-gone")
    case = replace(case, collects=group if held.collects else None).flagged(f"throttled:{group}")
    return case.ending(Outcome.COMMENTED, reason(group, at.rules.rate_limits, ticket), ticket)


async def _throttle_undecided(case: Case, at: Services, group: Group, waiting: str) -> Case:
    """Record that this mail is throttled while a person decides about the first ones; return the closed case.

    Those that collect come back until there is a ticket, and write the summary there.
    """
    held = await at.throttle.throttle(group, seconds=WINDOW, every=EVERY, apart=APART)
    first = held.collects or (held.digest is not None and held.digest.first)
    case = replace(case, collects=group if first else None).flagged(f"throttled:{group}")
    return case.ending(Outcome.IGNORED, reason(group, at.rules.rate_limits, "", waiting))


async def _summarize(case: Case, at: Services, group: Group, ticket: str, digest: Digest) -> None:
    """Write or edit the flood's comment; repeat if another worker has added mails meanwhile."""
    if digest.first:
        logger.warning("throttle.on", group=str(group), ticket=ticket)
    if at.rules.dry_run:
        return
    writes, body = writes_of(case, at), ""
    for _ in range(EDITS):
        summary = await at.throttle.summary(group, ticket)
        if summary is None or render_summary(summary, group, at.rules.rate_limits) == body:
            return
        if summary.writer:
            raise UnwrittenSummary(summary.writer)
        body = render_summary(summary, group, at.rules.rate_limits)
        if summary.comment:
            await writes.summarize(ticket, summary.comment, body, SUMMARY)
        else:
            await writes.comment(ticket, body, SUMMARY)


def describe(_before: Case, after: Case) -> str:
    """Name the rate limit that applies, and whether the case comes back."""
    held = [f"held by {flag}" for flag in after.flags if flag.startswith("throttled:")]
    later = ["comes back to tell of those that no comment has told of"] if after.collects else []
    return "; ".join((*held, *later))
