"""The set-up from the first question to the written files, asked in the shell or on the page."""

from collections.abc import Sequence
from pathlib import Path

from triage.services.setup.asking import Asker, Quit
from triage.services.setup.draft import Draft
from triage.services.setup.walk import SetupPart, walk
from triage.services.setup.writing import changes_of, differences, written


async def set_up(ask: Asker, draft: Draft, env: Path, through: Sequence[SetupPart], *, check: bool) -> Draft | None:
    """Ask all questions, show the differences and write the files; with `check`, write nothing.

    None: somebody has left, and nothing is written. Raises `FileNotWritten`, `SettingsInvalid`.
    """
    try:
        draft = await walk(ask, draft, through)
        changes = changes_of(draft, env)
        ask.heading("What will be written")
        ask.screen.difference(differences(changes))
        new = any(one.changes for one in changes)
        if not new:
            ask.say("Nothing: the file says so already.")
        return draft if check or not new or await written(ask, changes) else None
    except Quit:
        return None
