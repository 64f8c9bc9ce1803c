"""The port `Calendar` over CalDAV (RFC 4791) and over iCalendar feeds."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final
from zoneinfo import ZoneInfo

from cachetools import TTLCache

from integrations.calendar.events import busy_in
from integrations.dav.http_source import HttpSource, texts_in
from triage.domain.calendar.periods import Period
from triage.domain.errors import SourceDown
from triage.domain.ports import Calendar

NAMESPACE: Final = "{urn:ietf:params:xml:ns:caldav}"
QUERY: Final = """<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
  <D:prop><C:calendar-data/></D:prop>
  <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
    <C:time-range start="{start}" end="{end}"/>
  </C:comp-filter></C:comp-filter></C:filter>
</C:calendar-query>"""
FRESH: Final = 300.0
"""Seconds that a feed is used before it is fetched again."""


class CalDavCalendar:
    """One calendar collection; the server selects what overlaps, repetitions are expanded here."""

    def __init__(self, source: HttpSource, zone: str) -> None:
        self._source, self._zone = source, ZoneInfo(zone)

    async def busy(self, within: Period) -> tuple[Period, ...]:
        """Ask for the entries that overlap. Raises `SourceDown`."""
        query = QUERY.format(start=_stamp(within.start), end=_stamp(within.end))
        headers = {"Depth": "1", "Content-Type": "application/xml; charset=utf-8"}
        _, body, _ = await self._source.ask("REPORT", body=query, headers=headers)
        return await asyncio.to_thread(
            _busy,
            self._source.name,
            tuple(texts_in(self._source.name, body, f"{NAMESPACE}calendar-data")),
            within,
            self._zone,
        )


class IcsFeed:
    """One address that answers with a whole calendar, such as a secret address of Google or Outlook."""

    def __init__(self, source: HttpSource, zone: str) -> None:
        self._source, self._zone = source, ZoneInfo(zone)
        self._fresh: TTLCache[str, bytes] = TTLCache(maxsize=1, ttl=FRESH)
        self._kept, self._etag = b"", ""

    async def busy(self, within: Period) -> tuple[Period, ...]:
        """Read the feed, again after five minutes if it has changed. Raises `SourceDown`."""
        return await asyncio.to_thread(_busy, self._source.name, (await self._text(),), within, self._zone)

    async def _text(self) -> bytes:
        if (fresh := self._fresh.get("")) is not None:
            return fresh
        headers = {"If-None-Match": self._etag} if self._etag else None
        status, body, etag = await self._source.ask("GET", headers=headers)
        if status is not HTTPStatus.NOT_MODIFIED:
            self._kept, self._etag = body, etag
        self._fresh[""] = self._kept
        return self._kept


class Calendars:
    """Several calendars as one: a time is busy where any of them says so."""

    def __init__(self, calendars: Sequence[Calendar]) -> None:
        self._calendars = tuple(calendars)

    async def busy(self, within: Period) -> tuple[Period, ...]:
        """Ask all at once. Raises `SourceDown` where one cannot be read, since its times would look free."""
        found = await asyncio.gather(*(calendar.busy(within) for calendar in self._calendars))
        return tuple(sorted(period for periods in found for period in periods))


def _busy(name: str, texts: Sequence[bytes], within: Period, zone: ZoneInfo) -> tuple[Period, ...]:
    """Parsed in a thread: a large calendar takes a while."""
    try:
        return tuple(sorted(period for text in texts for period in busy_in(text, within, zone)))
    except (ValueError, KeyError, AttributeError, TypeError, OverflowError) as e:  # the library's, for broken entries
        raise SourceDown(name, f"holds an entry that cannot be read: {e}") from e


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"
