"""Calendars and directories follow triage.yaml without a restart."""

from pathlib import Path

from cli.wiring.agents.live_config import Rebuilt
from cli.wiring.people.calendar import sources_of
from triage.config.triage_yaml import load_config

CALENDAR = "calendars:\n  - {name: gates, ics: https://cloud.example/gates.ics, password_file: %s}\n"


def test_sources_of_now(tmp_path: Path) -> None:
    """Added, kept while the file is the same, kept while the new ones cannot be opened, and taken away."""
    file, secret = tmp_path / "triage.yaml", tmp_path / "secret"
    secret.write_text("x")
    file.write_text("")
    none = load_config(file)
    sources = Rebuilt(sources_of, none)
    first = sources.of(none)
    file.write_text(CALENDAR % secret)
    there = load_config(file)
    added, same = sources.of(there), sources.of(there)
    secret.unlink()
    file.write_text(CALENDAR.replace("gates", "doors") % secret)
    kept = sources.of(load_config(file))

    assert first == (None, None)
    assert added[0] is not None
    assert same == added == kept
    assert sources.of(none) == (None, None)
