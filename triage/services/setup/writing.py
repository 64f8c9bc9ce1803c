"""Shows what will be written, with secrets hidden, and writes it after a confirmation."""

import difflib
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Final

import yaml
from dotenv.parser import parse_stream

from triage.config.dotenv import merged, values_in
from triage.config.setting_sources import is_secret
from triage.config.variables import variables
from triage.domain.errors import SettingsInvalid
from triage.domain.operations.errors import FileNotWritten
from triage.services.setup.asking import Asker, Back, Skip
from triage.services.setup.draft import Draft
from triage.services.setup.files import PRIVATE, FileChange, text_of, write

HIDDEN: Final = "********"


def changes_of(draft: Draft, env: Path) -> tuple[FileChange, ...]:
    """Return the files as they are and as they shall be. Raises `FileNotWritten`, `SettingsInvalid`."""
    was = text_of(env)
    try:
        becomes = merged(was, draft.changes)
    except ValueError as e:
        raise SettingsInvalid((f"a value cannot stand in {env}: {e}; put it into a file and set its NAME_FILE",)) from e
    change = FileChange(path=env, was=was, becomes=becomes, mode=PRIVATE)
    return (change, *_of_config(draft)) if draft.fields else (change,)


def _of_config(draft: Draft) -> Iterator[FileChange]:
    """Add the values of demanded fields to triage.yaml."""
    path = draft.settings().triage_config
    was = text_of(path)
    lines = yaml.safe_dump({"jira": {"fields": dict(draft.fields)}}, allow_unicode=True, sort_keys=False)
    yield FileChange(path=path, was=was, becomes=(f"{was.rstrip()}\n\n" if was.strip() else "") + lines)


def takes_fields(config: Path) -> bool:
    """Tell whether fields can be added to triage.yaml: it has no section `jira` yet, in which a person wrote."""
    return "jira" not in (yaml.safe_load(text_of(config)) or {})


async def written(ask: Asker, changes: Sequence[FileChange]) -> bool:
    """Show the differences, ask, and write; where the disk refuses, ask again: the answers are kept. False: nothing is written."""
    names = ", ".join(str(one.path) for one in changes if one.changes)
    while True:
        try:
            if not await ask.yes(f"Write {names}?", default=True):
                return False
        except (Back, Skip):
            ask.say("All parts are answered: yes writes them, no leaves everything as it was.")
            continue
        try:
            for path in write(changes):
                ask.say(f"✓ {path}")
        except FileNotWritten as e:
            ask.say(f"✗ {e}. Mend that and answer yes again.")
        else:
            return True


def differences(changes: Sequence[FileChange]) -> tuple[str, ...]:
    return tuple(line for change in changes for line in difference(change))


def difference(change: "FileChange") -> Iterator[str]:
    """Yield the changed lines as a unified diff, the values of secrets hidden."""
    was, becomes = _hidden(change.was), _hidden(change.becomes, change.was)
    name = str(change.path)
    yield from difflib.unified_diff(was, becomes, name, name, "as it is", "as it will be", n=0, lineterm="")


def _hidden(text: str, before: str | None = None) -> list[str]:
    """Return the lines with stars for the values of secrets; a secret that was not so `before` is marked as new."""
    secrets = {name for name, field in variables().items() if is_secret(field)}
    known = values_in(before) if before is not None else None
    lines: list[str] = []
    for line in parse_stream(StringIO(text)):
        if line.key and line.value and line.key.upper() in secrets:
            mark = " (new)" if known is not None and known.get(line.key) != line.value else ""
            lines.append(f"{line.key}={HIDDEN}{mark}")
        else:
            lines += [_comment(one, secrets) for one in line.original.string.splitlines()]
    return lines


def _comment(line: str, secrets: set[str]) -> str:
    """Hide a secret's value that is commented out."""
    name, equal, value = line.partition("=")
    return f"{name}={HIDDEN}" if equal and value.strip() and name.strip("# ").upper() in secrets else line
