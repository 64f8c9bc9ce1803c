"""Ends the set-up: after the files are written the doctor checks everything, and the first mail becomes a ticket."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.services.setup.asking import Asker
    from triage.services.setup.draft import Draft


async def run_doctor(ask: "Asker", draft: "Draft") -> "Settings":
    """Let the doctor look at what was written; return the settings that count now."""
    from cli.doctor.command import examined
    from triage.config.settings import read

    ask.heading("triage doctor")
    settings = read()
    ask.show(await examined(settings))
    ask.show(tuple(overruled(draft)))
    return settings


async def waits(ask: "Asker", settings: "Settings", *, watch: bool | None) -> bool:
    """Say how to go on; return whether somebody wants to wait for the first mail."""
    from cli.setup.first_mail import mailbox_address

    ask.heading("Your first mail")
    address = mailbox_address(settings)
    needed = {"Jira": settings.jira_ready, "a way in for mail": bool(settings.imap_user)}
    if missing := " and ".join(name for name, there in needed.items() if not there):
        ask.say(f"Triage still needs {missing}: run `triage init` again.")
        return False
    ask.say("`triage serve` watches the mailbox and works.")
    wanted = await _wants_to_wait(ask, address) if watch is None else watch
    if not wanted:
        ask.say(f"Then send a mail to {address}, from another address: `triage cases` shows what became of it.")
    return wanted


async def _wants_to_wait(ask: "Asker", address: str) -> bool:
    from triage.services.setup.asking import Back, Quit, Skip

    try:
        return await ask.yes(f"Wait here for a mail to {address} and show its ticket?", default=True)
    except (Back, Skip, Quit):
        return False


async def first_ticket(ask: "Asker", settings: "Settings") -> None:
    """Wait for the first mail and show what became of it."""
    from cli.setup.first_mail import first_mail, show

    show(await first_mail(settings, ask), settings, ask)


def overruled(draft: "Draft") -> "Iterator[Finding]":
    """Warn of variables for which the environment overrides the value just written to the file."""
    from triage.config.settings import Isolated, read
    from triage.config.variables import variables

    written = {name: value for name, value in draft.changes.items() if value and name in variables()}
    ours, counts = read(Isolated, **written), read()
    fields = {str(field.validation_alias.choices[0]): name for name, field in type(ours).model_fields.items()}  # type: ignore[union-attr]  # each has AliasChoices
    names = [name for name in written if getattr(ours, fields[name]) != getattr(counts, fields[name])]
    if names:
        line = f"the environment sets {', '.join(names)}, too, and wins over the file"
        yield Finding("environment", "warn", line, "unset it there, or write it there")
