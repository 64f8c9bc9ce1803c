"""The meeting tools: when our people are busy and free, and an invitation that a person sends."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.calendar.periods import Period
from triage.domain.conversation import Grant, Json
from triage.domain.errors import SourceDown, ToolRefused
from triage.domain.letters import LetterFile, LetterKind
from triage.domain.ports import Calendar
from triage.policy.calendar.free_slots import free_slots, merged
from triage.policy.calendar.invitation import TYPE, invitation
from triage.policy.letters.compose import Wording
from triage.toolsets.context import Context
from triage.toolsets.meetings.rules import INVITATION, PROPOSE_RULE

LONGEST: Final = timedelta(days=31)
NOTICE: Final = timedelta(hours=2)
"""Nobody is invited to a meeting that begins at once."""
SLOTS: Final = 10


Minutes = Annotated[int, Field(ge=15, le=480, description="length of the meeting")]


@tool(Grant.READ)
async def check_calendar(
    at: Context,
    start: Annotated[datetime, Field(description="from, ISO 8601; without a zone: our own")],
    end: Annotated[datetime, Field(description="until, at most 31 days later")],
    minutes: Minutes = 30,
) -> Json:
    """When our people are busy between two times, and free slots in working hours. It shows no titles."""
    if at.calendar is None:
        raise ToolRefused("no calendar is configured")
    zone = ZoneInfo(at.rules.hours.zone)
    within = Period(_utc(start, zone), _utc(end, zone))
    if not within.start < within.end <= within.start + LONGEST:
        raise ToolRefused(f"end must come after start, by at most {LONGEST.days} days")
    try:
        busy = merged(await at.calendar.busy(within))
    except SourceDown as e:
        return {"error": f"{e}; propose no time without it"}
    ahead = Period(max(within.start, at.clock.now() + NOTICE), within.end)
    slots = (
        free_slots(busy, at.rules.hours, ahead, timedelta(minutes=minutes), SLOTS) if ahead.start < ahead.end else ()
    )
    return {
        "zone": at.rules.hours.zone,
        "busy": [_shown(one, zone) for one in busy],
        "free": [_shown(one, zone) for one in slots],
    }


@tool(Grant.WRITE, PROPOSE_RULE)
async def propose_meeting(
    at: Context,
    start: Annotated[datetime, Field(description="a free slot of ours, ISO 8601; without a zone: our own")],
    title: Annotated[str, Field(min_length=3, max_length=120)],
    body: Annotated[str, Field(min_length=1, max_length=10_000, description="Markdown, in the sender's language")],
    minutes: Minutes = 30,
) -> Json:
    """Lay an invitation of the sender to a meeting before a person, with a calendar file. Nothing is sent by itself."""
    if at.letters is None:
        raise ToolRefused("letters are switched off: set SMTP_HOST and MAIL_FROM")
    zone, sender = ZoneInfo(at.rules.hours.zone), at.case.mail.sender
    when = Period(_utc(start, zone), _utc(start, zone) + timedelta(minutes=minutes))
    if sender is None or when.start < at.clock.now():
        raise ToolRefused("the mail names no sender" if sender is None else "the time is past; propose a later one")
    if at.calendar is not None and (taken := await _taken(at.calendar, when)):
        raise ToolRefused(taken)
    effect = f"{INVITATION}:{at.sequence}"
    rules = at.letters.rules
    uid = f"{at.case.id}-{at.sequence}@{rules.domain}"
    event = invitation(uid, title, when, rules.sender, sender, at.clock.now())
    file = LetterFile.of("invitation.ics", TYPE, event)
    wording = Wording(kind=LetterKind.MEETING, body=body, files=(file,))
    letter = at.letters.letter(at.case, effect, wording, draft=True)
    queued = (await at.effects.once(INVITATION, at.letters, letter, sequence=at.sequence)).answer or letter
    return {"status": "drafted", "letter": queued.id, "to": list(queued.recipients), "when": _shown(when, zone)}


async def _taken(calendar: Calendar, when: Period) -> str:
    """Return why the time is not free; empty if it is."""
    try:
        busy = await calendar.busy(when)
    except SourceDown as e:
        return f"{e}; propose no time without it"
    return "our people are busy then; ask for free slots" if busy else ""


def _utc(moment: datetime, zone: ZoneInfo) -> datetime:
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _shown(period: Period, zone: ZoneInfo) -> str:
    """`Mon 2026-11-23 09:00-09:30`, local."""
    start, end = period.start.astimezone(zone), period.end.astimezone(zone)
    last = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M}"
    return f"{start:%a %Y-%m-%d %H:%M}-{last}"


MEETING_TOOLS: Final = (check_calendar, propose_meeting)
