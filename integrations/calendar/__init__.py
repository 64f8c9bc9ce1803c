"""Calendars over HTTP: CalDAV collections and iCalendar feeds."""
