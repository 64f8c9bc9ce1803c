"""`triage mailbox`: signs accounts in at Microsoft, Google or another provider, lists them, and forgets them."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen, table
from cli.doctor.findings import Finding, show
from cli.verb import AsJson, load
from triage.domain.errors import MailboxDenied, MailboxDown

if TYPE_CHECKING:
    from triage.config.mailboxes import MailboxSpec
    from triage.config.settings import Settings
    from triage.domain.mailboxes import DeviceCode, OAuthGrant
    from triage.services.mail_oauth.sign_in import MailSignIn

mailbox = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Sign in to mailboxes that need tokens (MAIL_OAUTH)."
)


class SignInMethod(StrEnum):
    """How somebody signs in."""

    DEVICE = "device"
    BROWSER = "browser"


@mailbox.command()
def login(
    name: Annotated[str, typer.Argument(help="The mailbox or its account; may be left out if there is one.")] = "",
    way: Annotated[
        SignInMethod | None,
        typer.Option(help="device: type a code in anywhere; browser: on this machine. Unset: what fits."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where the browser comes back to; 0: any.")] = 0,
) -> None:
    """Sign in once; from then on tokens are renewed by themselves. Tells at the end whether the mailbox opens."""
    settings = load()
    grant = asyncio.run(signed_in(settings, _account(settings, name), way, port=port))
    findings = asyncio.run(_opened(settings, grant))
    if show(findings, as_json=False, out=screen()):
        raise typer.Exit(1)


@mailbox.command("list")
def list_accounts(as_json: AsJson = False) -> None:
    """List the accounts and what is known of their tokens, without the tokens themselves."""
    from cli.wiring.mail_oauth.sign_in import accounts_of, stored_grants
    from cli.wiring.mailboxes import configured_mailboxes

    settings = load()
    wanted = dict.fromkeys(accounts_of(settings, configured_mailboxes(settings)).values())
    stored = {one.account: one for one in asyncio.run(stored_grants(settings))}
    rows = [_row(account, stored.get(account)) for account in {**wanted, **stored}]
    if as_json:
        print_json(rows)
        return
    columns = ("account", "signed in", "renewed", "token until", "scope", "trouble")
    cells = [tuple(_cell(row[name.replace(" ", "_")]) for name in columns) for row in rows]
    screen().print(table(columns, cells) if cells else "no account is opened with tokens: set MAIL_OAUTH")


@mailbox.command()
def logout(name: Annotated[str, typer.Argument(help="The mailbox or its account.")], as_json: AsJson = False) -> None:
    """Remove an account's tokens from here; what was granted is taken back at the provider."""
    settings = load()
    account = _accounts(settings).get(name, name.lower())
    gone = asyncio.run(_forgotten(settings, account))
    if as_json:
        print_json({"account": account, "removed": gone})
        return
    line = f"the tokens of {account} are removed" if gone else f"there are no tokens of {account}"
    screen().print(line, soft_wrap=True)


async def signed_in(
    settings: "Settings",
    account: str,
    way: SignInMethod | None = None,
    *,
    port: int = 0,
    say: "Callable[[str], None] | None" = None,
    link: "Callable[[str], None] | None" = None,
) -> "OAuthGrant":
    """Let somebody sign in, by a device code where the provider has one; `link` shows an address in one piece.

    Raises as `MailSignIn`, and `GrantRefused`.
    """
    from cli.wiring.mail_oauth.sign_in import open_sign_in
    from triage.domain.operations.errors import GrantRefused

    say = say or _say

    def show(code: "DeviceCode") -> None:
        say(f"Open {code.address} in any browser, sign in as {account}, and type in: {code.user_code}")

    async with open_sign_in(settings) as sign_in:
        ways = await sign_in.ways()
        if not (ways.device or ways.browser):
            raise GrantRefused("this provider lets nobody sign in: it names neither a page nor a device endpoint")
        if way is SignInMethod.DEVICE and not ways.device:
            raise GrantRefused("this provider has no device code for mail: leave --way out")
        if way is not SignInMethod.BROWSER and ways.device:
            return await sign_in.by_device(account, show)
        return await _in_browser(settings, sign_in, account, (say, link or _say), port)


def _say(text: str) -> None:
    screen().print(text, soft_wrap=True)


async def _in_browser(
    settings: "Settings", sign_in: "MailSignIn", account: str, report: "tuple[Callable[[str], None], ...]", port: int
) -> "OAuthGrant":
    from cli.wiring.mail_oauth.sign_in import landing_of

    say, link = report

    def show(page: str) -> None:
        say(f"Open this page in a browser and sign in as {account}:")
        link(page)
        say("With a browser on another machine the last page does not load: paste its address here.")

    async with landing_of(settings, port) as landing:
        return await sign_in.by_browser(account, landing, show)


def _accounts(settings: "Settings") -> "Mapping[str, str]":
    from cli.wiring.mail_oauth.sign_in import accounts_of
    from cli.wiring.mailboxes import configured_mailboxes

    return accounts_of(settings, configured_mailboxes(settings))


def _account(settings: "Settings", name: str) -> str:
    """Return the account that is meant. Raises `GrantRefused`."""
    from triage.domain.operations.errors import GrantRefused

    accounts = _accounts(settings)
    known = sorted(set(accounts.values()))
    if settings.mail_oauth_app_only:
        raise GrantRefused(
            "the application opens mailboxes itself (MAIL_OAUTH_APP_ONLY): nobody signs in; triage doctor"
        )
    if not known:
        raise GrantRefused("no mailbox is opened with tokens: set MAIL_OAUTH and leave its password out")
    found = accounts.get(name) or accounts.get(name.lower()) or (known[0] if not name and len(known) == 1 else "")
    if not found:
        raise GrantRefused(f"which one? There are: {', '.join(known)}")
    return found


async def _opened(settings: "Settings", grant: "OAuthGrant") -> "tuple[Finding, ...]":
    from cli.doctor.mail import finding_of
    from cli.wiring.mail_oauth.sign_in import sends_by_token
    from cli.wiring.mailboxes import configured_mailboxes

    found = [finding_of(settings, grant)]
    spec = next((one for one in configured_mailboxes(settings) if one.user.lower() == grant.account), None)
    if spec:
        found.append(await _mailbox_opened(settings, spec))
    if settings.smtp_host and sends_by_token(settings) and settings.smtp_user.lower() == grant.account:
        found.append(await _outbox_opened(settings))
    return tuple(found)


async def _mailbox_opened(settings: "Settings", spec: "MailboxSpec") -> "Finding":
    from cli.wiring.setup import folders_in

    try:
        return Finding(f"mailbox {spec.name}", "ok", f"opens; folders: {len(await folders_in(settings, spec))}")
    except MailboxDenied as e:
        cure = "sign in as the person whose mailbox it is, or who may open it; and let IMAP be switched on there"
        return Finding("mailbox", "fail", str(e), cure)
    except MailboxDown as e:
        return Finding("mailbox", "fail", str(e), "check IMAP_HOST and IMAP_PORT; the sign-in is kept")


async def _outbox_opened(settings: "Settings") -> "Finding":
    from cli.wiring.letters import outbox_of
    from triage.domain.letters.errors import OutboxDenied, OutboxDown

    outbox = outbox_of(settings)
    try:
        await outbox.check()
        return Finding("letters", "ok", f"{settings.smtp_host} lets us in")
    except (OutboxDown, OutboxDenied) as e:
        return Finding("letters", "fail", str(e), "let authenticated SMTP be switched on for this mailbox")
    finally:
        await outbox.close()


async def _forgotten(settings: "Settings", account: str) -> bool:
    from cli.wiring.mail_oauth.sign_in import open_sign_in

    async with open_sign_in(settings) as sign_in:
        return await sign_in.forget(account)


def _row(account: str, grant: "OAuthGrant | None") -> dict[str, object]:
    return {
        "account": account,
        "signed_in": grant and grant.granted_at,
        "renewed": grant and grant.renewed_at,
        "token_until": grant and grant.expires_at,
        "scope": grant.scope if grant else "",
        "trouble": grant.trouble if grant else f"nobody has signed in: triage mailbox login {account}",
        "client": grant.client if grant else "",
    }


def _cell(value: object) -> str:
    return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value or "")
