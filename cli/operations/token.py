"""`triage token`: makes, lists and revokes access tokens of the HTTP API."""

import getpass
from dataclasses import asdict
from typing import Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, Service
from triage.domain.operations.tokens import AccessScope, ApiToken

LONGEST: Final = 3_650
"""Days."""
token = typer.Typer(add_completion=False, no_args_is_help=True, help="Access tokens of the HTTP API under /api/v1.")

Scope = Annotated[
    AccessScope,
    typer.Option(
        help="viewer: reads no words of mails; reader: reads all; approver: also decides; admin: also connects."
    ),
]
Days = Annotated[int, typer.Option(min=1, max=LONGEST, help="How long it is valid.")]
Person = Annotated[str, typer.Option(metavar="ADDRESS", help="Who decides with it.")]


@token.command()
def create(
    name: Annotated[str, typer.Argument(help="What it is for.")],
    scope: Scope = AccessScope.VIEWER,
    days: Days = 90,
    person: Person = "",
    as_json: AsJson = False,
) -> None:
    """Make a token; it is shown this once. The API answers as soon as there is one."""
    from cli.wiring.operations import open_tokens

    by = getpass.getuser()
    text, made = Service(open_tokens).ask(lambda tokens: tokens.create(name, scope, days, by=by, person=person))
    if as_json:
        print_json({"token": text, **_row(made)})
        return
    screen().print(text, soft_wrap=True)
    screen(error=True).print(f"token {made.id}, {made.scope}, until {made.expires_at:%Y-%m-%d}; it is not shown again")


@token.command("list")
def list_tokens(as_json: AsJson = False) -> None:
    """List all tokens, without the tokens themselves."""
    from cli.wiring.operations import open_tokens

    found = Service(open_tokens).ask(lambda tokens: tokens.tokens())
    if as_json:
        print_json([_row(one) for one in found])
        return
    columns = ("no.", "begins", "scope", "for", "person", "made by", "until", "used", "revoked")
    rows = [
        (
            *(str(one.id), one.hint, one.scope.value, one.name, one.person, one.made_by),
            *(f"{at:%Y-%m-%d}" if at else "" for at in (one.expires_at, one.used_at, one.revoked_at)),
        )
        for one in found
    ]
    screen().print(table(columns, rows) if rows else "no token; the API is off")


@token.command()
def revoke(
    number: Annotated[int, typer.Argument(help="Its number in `triage token list`.")], as_json: AsJson = False
) -> None:
    """Revoke a token: the next request with it is refused."""
    from cli.wiring.operations import open_tokens

    revoked = Service(open_tokens).ask(lambda tokens: tokens.revoke(number, by=getpass.getuser()))
    if as_json:
        print_json(_row(revoked))
    else:
        screen().print(f"token {revoked.id} ({revoked.name}) is revoked", soft_wrap=True)


def _row(one: ApiToken) -> dict[str, object]:
    return asdict(one)
