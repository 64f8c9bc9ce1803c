"""Calendars and directories are named in triage.yaml; their secrets stand in files."""

from pathlib import Path

import pytest

from triage.config.calendar.sources import ContactSources, DavSource
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


def test_sources_are_read(tmp_path: Path) -> None:
    """A calendar is a collection or a feed; the password comes from its file."""
    (tmp_path / "secret").write_text("pass\n", encoding="utf-8")
    config = config_of(
        f"""
calendars:
  - {{name: work, caldav: "https://dav.example/work/", user: ada, password_file: {tmp_path}/secret}}
  - {{name: holidays, ics: "http://127.0.0.1/h.ics"}}
contacts: {{csv: customers.csv, carddav: "https://dav.example/people/"}}
""".encode()
    )

    work, holidays = config.calendars
    assert (work.url, work.user, work.password(), work.feed) == ("https://dav.example/work/", "ada", "pass", False)
    assert (holidays.name, holidays.feed, holidays.password()) == ("calendar holidays", True, "")
    card = DavSource(name="contacts.carddav", url="https://dav.example/people/")
    assert config.contacts == ContactSources(csv="customers.csv", carddav=card)


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("calendars: [{name: a}]", "give `caldav`, or `ics`"),
        ("calendars: [{name: a, ics: 'https://a.example', caldav: 'https://a.example'}]", "not both"),
        ("calendars: [{name: a, ics: 'http://a.example'}]", "no https:// address"),
        ("contacts: {carddav: 'ftp://a.example'}", "no https:// address"),
        ("contacts: {cvs: a}", "did you mean csv?"),
    ],
)
def test_mistakes_name_their_cure(text: str, cure: str) -> None:
    """Passwords and appointments never go over a network in clear, and misspelt keys are told."""
    with pytest.raises(SettingsInvalid) as told:
        config_of(text.encode())

    assert cure in str(told.value)


def test_a_missing_secret_is_told() -> None:
    """The cure names the file."""
    with pytest.raises(SettingsInvalid, match="cannot read password_file gone"):
        DavSource(name="calendar work", url="https://dav.example", password_file="gone").password()
