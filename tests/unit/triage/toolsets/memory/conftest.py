"""A vault for the tests of the memory."""

from pathlib import Path

import pytest

from tests.unit.triage.services.memory.vault import notes_in
from triage.services.memory.notes import NoteService


@pytest.fixture
def notes(tmp_path: Path) -> NoteService:
    """A service over an empty vault."""
    return notes_in(tmp_path)
