"""The port `Calendar`, by a real CalDAV server and by feeds over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from integrations.calendar.calendars import CalDavCalendar, Calendars, IcsFeed
from integrations.dav.http_source import HttpSource
from tests.servers.radicale import PASSWORD, radicale
from triage.domain.calendar.periods import Period
from triage.domain.errors import SourceDown

WEEK = Period(datetime(2026, 10, 24, tzinfo=UTC), datetime(2026, 10, 31, tzinfo=UTC))
EVENT = """BEGIN:VEVENT
UID:{uid}
DTSTAMP:20260101T000000Z
{lines}
END:VEVENT
"""
MEETINGS = {
    "daily": "SUMMARY:Stand-up\nDTSTART;TZID=Europe/Prague:20261019T090000\nDTEND;TZID=Europe/Prague:20261019T091500\n"
    "RRULE:FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20261027T000000Z",
    "one": "SUMMARY:Review\nDTSTART:20261028T100000Z\nDURATION:PT2H",
    "free": "SUMMARY:Office empty\nDTSTART;VALUE=DATE:20261029\nTRANSP:TRANSPARENT",
    "gone": "SUMMARY:Off\nDTSTART:20261029T100000Z\nDURATION:PT2H\nSTATUS:CANCELLED",
    "day": "SUMMARY:Holiday\nDTSTART;VALUE=DATE:20261030\nDTEND;VALUE=DATE:20261031",
    "later": "SUMMARY:Far\nDTSTART:20261201T100000Z\nDURATION:PT2H",
}
BUSY = (
    Period(datetime(2026, 10, 26, 8, tzinfo=UTC), datetime(2026, 10, 26, 8, 15, tzinfo=UTC)),
    Period(datetime(2026, 10, 28, 10, tzinfo=UTC), datetime(2026, 10, 28, 12, tzinfo=UTC)),
    Period(datetime(2026, 10, 29, 23, tzinfo=UTC), datetime(2026, 10, 30, 23, tzinfo=UTC)),
)
"""The stand-up of Friday lies before the week; that of Monday is at nine in winter."""


def _calendar(*events: str) -> str:
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n{''.join(events)}END:VCALENDAR\n"


def _event(uid: str) -> str:
    return EVENT.format(uid=uid, lines=MEETINGS[uid])


@contextmanager
def _feed(answers: list[tuple[int, bytes, dict[str, str]]]) -> Iterator[tuple[str, list[str]]]:
    """Serve these answers in turn, the last one again and again; yield the address and what was asked."""
    asked: list[str] = []

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, headers = answers[min(len(asked), len(answers) - 1)]
            asked.append(str(self.headers.get("if-none-match")))
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/feed.ics", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def test_a_caldav_server_tells_what_is_busy(tmp_path: Path) -> None:
    """Repetitions keep their local hour over the change of clocks; free, cancelled and far entries are left out."""
    with radicale(tmp_path) as server:
        url = server.collection("work")
        for uid in MEETINGS:
            server.put(url, f"{uid}.ics", _calendar(_event(uid)))
        source = HttpSource(name="calendar work", url=url, user="ada", password=PASSWORD)

        assert await CalDavCalendar(source, "Europe/Prague").busy(WEEK) == BUSY


async def test_a_wrong_password_is_told(tmp_path: Path) -> None:
    """A calendar that cannot be read raises; its times never look free."""
    with radicale(tmp_path) as server:
        source = HttpSource(name="calendar work", url=server.collection("work"), user="ada", password="wrong")

        with pytest.raises(SourceDown, match="calendar work, answers 401"):
            await CalDavCalendar(source, "UTC").busy(WEEK)


async def test_a_feed_tells_the_same() -> None:
    """A whole calendar gives the same periods, is fetched once in five minutes, and others add to it."""
    whole = _calendar(*map(_event, MEETINGS)).replace("\n", "\r\n").encode()
    lunch = _calendar(EVENT.format(uid="x", lines="DTSTART:20261027T110000Z\nDTEND:20261027T120000Z")).encode()
    with _feed([(200, whole, {"etag": '"1"'})]) as (url, asked), _feed([(200, lunch, {})]) as (other, _):
        feed = IcsFeed(HttpSource(name="feed", url=url), "Europe/Prague")
        both = Calendars([feed, IcsFeed(HttpSource(name="other", url=other), "UTC")])

        assert await feed.busy(WEEK) == BUSY
        assert len(await both.busy(WEEK)) == len(BUSY) + 1
        assert asked == ["None"]


MOVED = """BEGIN:VEVENT
UID:m
DTSTART;TZID=Europe/Prague:20261026T090000
DTEND;TZID=Europe/Prague:20261026T100000
RRULE:FREQ=DAILY;COUNT=3
EXDATE;TZID=Europe/Prague:20261027T090000
END:VEVENT
BEGIN:VEVENT
UID:m
RECURRENCE-ID;TZID=Europe/Prague:20261028T090000
DTSTART;TZID=Europe/Prague:20261028T150000
DTEND;TZID=Europe/Prague:20261028T160000
END:VEVENT
BEGIN:VFREEBUSY
FREEBUSY;FBTYPE=BUSY:20261029T100000Z/PT1H
FREEBUSY;FBTYPE=FREE:20261029T120000Z/PT1H
END:VFREEBUSY
"""


async def test_moved_and_dropped_occurrences() -> None:
    """An occurrence that was moved is busy at its new time alone, a dropped one not at all."""
    with _feed([(200, _calendar(MOVED).encode(), {})]) as (url, _):
        found = await IcsFeed(HttpSource(name="feed", url=url), "UTC").busy(WEEK)

    assert [f"{one.start:%d %H:%M}" for one in found] == ["26 08:00", "28 14:00", "29 10:00"]


@pytest.mark.parametrize(
    ("status", "body", "headers", "told"),
    [
        (500, b"", {}, "answers 500"),
        (200, b"<html>sign in</html>", {}, "cannot be read"),
        (200, _calendar(EVENT.format(uid="a", lines="DTSTART:soon")).encode(), {}, "cannot be read"),
        (302, b"", {"location": "http://192.0.2.1/"}, "redirects to 192.0.2.1"),
        (302, b"", {"location": "/again"}, "redirects more than 3 times"),
    ],
)
async def test_what_is_no_calendar_is_told(status: int, body: bytes, headers: dict[str, str], told: str) -> None:
    """Trouble of any kind raises `SourceDown` with the reason, and no password goes to another host."""
    with _feed([(status, body, headers)]) as (url, _), pytest.raises(SourceDown, match=told):
        await IcsFeed(HttpSource(name="feed", url=url, user="ada", password="secret"), "UTC").busy(WEEK)


async def test_an_endless_rule_is_cut() -> None:
    """A rule that repeats every second for ever costs a bounded amount of work."""
    lines = "DTSTART:20200101T000000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY"
    with _feed([(200, _calendar(EVENT.format(uid="a", lines=lines)).encode(), {})]) as (url, _):
        found = await IcsFeed(HttpSource(name="feed", url=url), "UTC").busy(
            Period(WEEK.start, WEEK.start + timedelta(days=1))
        )

    assert found == ()
