"""Chooses the calendars and the directories of people that triage.yaml names."""

from pathlib import Path
from typing import TYPE_CHECKING

from triage.config.calendar.sources import ContactSources, DavSource
from triage.config.triage_yaml import Config
from triage.domain.ports import Calendar, Contacts

if TYPE_CHECKING:
    from integrations.dav.http_source import HttpSource


def sources_of(config: Config) -> tuple[Calendar | None, Contacts | None]:
    """Return calendars and directories. Raises `SettingsInvalid`."""
    return calendar_of(config), contacts_of(config)


def calendar_of(config: Config) -> Calendar | None:
    """Return all calendars as one; None if there is none. Raises `SettingsInvalid`."""
    if not config.calendars:
        return None
    from integrations.calendar.calendars import CalDavCalendar, Calendars, IcsFeed

    zone = config.hours.zone
    return Calendars(
        [IcsFeed(_http(one), zone) if one.feed else CalDavCalendar(_http(one), zone) for one in config.calendars]
    )


def contacts_of(config: Config) -> Contacts | None:
    """Return the directories, asked in order; None if there is none. Raises `SettingsInvalid`."""
    sources, found = config.contacts, list[Contacts]()
    if sources == ContactSources():
        return None
    from integrations.contacts.carddav_contacts import CardDavContacts
    from integrations.contacts.csv_contacts import CsvContacts
    from integrations.contacts.directories import Directories

    if sources.csv:
        found.append(CsvContacts(Path(sources.csv)))
    if sources.carddav:
        found.append(CardDavContacts(_http(sources.carddav)))
    return Directories(found)


def _http(source: DavSource) -> "HttpSource":
    from integrations.dav.http_source import HttpSource

    return HttpSource(name=source.name, url=source.url, user=source.user, password=source.password())
