"""`triage lessons`: lists what corrections taught about later mails, and takes it back."""

import getpass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, Service

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.domain.approvals import Correction

COLUMNS: Final = ("no.", "mails like those of", "are", "because of", "said by", "at (UTC)")

Drop = Annotated[int, typer.Option(metavar="NO", min=0, help="Judge later mails without this one.")]
Limit = Annotated[int, typer.Option(min=1, help="How many, the latest first.")]


def lessons(drop: Drop = 0, limit: Limit = 50, as_json: AsJson = False) -> None:
    """List what corrections taught about later mails; take it back.

    What was decided by it stands, and its own case keeps the correction. To teach again, correct the case again.
    """
    from cli.wiring.app import open_app

    async def asked(app: "App") -> "tuple[Correction, ...]":
        return (await app.cases.unlearn(drop, getpass.getuser()),) if drop else await app.cases.lessons(limit)

    found = Service(open_app).ask(asked)
    if as_json:
        print_json([_plain(one) for one in found])
    elif drop:
        screen().print(f"later mails are judged without what {found[0].by} said of {found[0].case}", soft_wrap=True)
    else:
        screen().print(table(COLUMNS, map(_row, found)) if found else "no correction has taught anything")


def _row(one: "Correction") -> tuple[str, ...]:
    sender = f"{one.sender} ({one.trust})" if one.sender else "nobody in particular: these words"
    what = ", ".join(filter(None, (one.disposition.replace("_", " "), one.ticket)))
    return str(one.id), sender, what, one.case, one.by, f"{one.at:%Y-%m-%d %H:%M}" if one.at else ""


def _plain(one: "Correction") -> dict[str, object]:
    fields = ("id", "case", "disposition", "ticket", "by", "at", "was", "sender", "trust")
    return {name: getattr(one, name) for name in fields}
