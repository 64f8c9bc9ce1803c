"""`triage user`: makes, lists and changes accounts of the console; passwords come from a prompt or standard input."""

import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, Service
from triage.domain.operations.tokens import AccessScope

if TYPE_CHECKING:
    from triage.domain.operations.accounts import Account
    from triage.services.accounts.accounts import AccountService

Who = Annotated[str, typer.Argument(metavar="ADDRESS", help="Address or number of the account.")]
user = typer.Typer(add_completion=False, no_args_is_help=True, help="Accounts of people who sign in to the console.")


@user.command()
def add(
    address: Annotated[str, typer.Argument(help="E-mail address to sign in with, and to decide in the name of.")],
    name: Annotated[str, typer.Option(help="Name that pages show.")] = "",
    role: Annotated[
        AccessScope,
        typer.Option(
            help="viewer: reads no words of mails; reader: reads all; approver: also decides; admin: also changes."
        ),
    ] = AccessScope.VIEWER,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Sign-in through the identity provider alone.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make an account. The password is asked for, or read from standard input (one line)."""
    password = None if no_password else _password()
    _tell("made", lambda accounts: accounts.add(address, name, role, password, by=getpass.getuser()), as_json=as_json)


@user.command("list")
def list_users(as_json: AsJson = False) -> None:
    """List all accounts."""
    from cli.wiring.people.accounts import open_accounts

    found = Service(open_accounts).ask(lambda accounts: accounts.all())
    if as_json:
        print_json(found)
        return
    columns = ("no.", "address", "name", "role", "made by", "signed in", "disabled")
    rows = [
        (
            *(str(one.id), one.address, one.name, one.scope.value, one.made_by),
            *(f"{at:%Y-%m-%d}" if at else "" for at in (one.signed_in_at, one.disabled_at)),
        )
        for one in found
    ]
    screen().print(table(columns, rows) if rows else "no account: `triage user add`, or the token of `triage serve`")


@user.command()
def role(account: Who, to: Annotated[AccessScope, typer.Argument(metavar="ROLE")], as_json: AsJson = False) -> None:
    """Give another role: viewer, reader, approver or admin."""
    _tell("changed", lambda accounts: accounts.set_role(account, to, by=getpass.getuser()), as_json=as_json)


@user.command()
def password(account: Who, as_json: AsJson = False) -> None:
    """Set another password and end all sessions."""
    text = _password()
    _tell("changed", lambda accounts: accounts.set_password(account, text, by=getpass.getuser()), as_json=as_json)


@user.command()
def disable(
    account: Who,
    undo: Annotated[bool, typer.Option("--undo", help="Allow sign-in again.")] = False,
    as_json: AsJson = False,
) -> None:
    """End all sessions and allow no sign-in any more."""

    def change(accounts: "AccountService") -> "Awaitable[Account]":
        return (accounts.enable if undo else accounts.disable)(account, by=getpass.getuser())

    _tell("enabled" if undo else "disabled", change, as_json=as_json)


@user.command()
def erase(account: Who, as_json: AsJson = False) -> None:
    """Remove a disabled account: its name, password and sessions. What the person decided keeps the address."""
    _tell("erased", lambda accounts: accounts.erase(account, by=getpass.getuser()), as_json=as_json)


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))


def _tell(done: str, change: "Callable[[AccountService], Awaitable[Account]]", *, as_json: bool) -> None:
    from cli.wiring.people.accounts import open_accounts

    one = Service(open_accounts).ask(change)
    if as_json:
        print_json(one)
        return
    screen().print(f"account {one.id} is {done}: {one.address}, {one.scope}", soft_wrap=True)
