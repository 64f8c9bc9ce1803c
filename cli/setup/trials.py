"""Tries answers out, with the checks of `triage doctor`; this module is what `Trials` asks for."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding
from triage.config.settings import Settings
from triage.domain.errors import TriageError
from triage.domain.mailboxes import MailServer
from triage.services.setup.draft import JIRA, LETTERS, MAILBOX, MODEL, Draft
from triage.services.setup.trials import Demand, Entrance

if TYPE_CHECKING:
    from cli.doctor.forms import Visit
    from triage.services.checks import MailboxCheck
    from triage.services.setup.asking import Asker

TOKENS: Final = ("TRIAGE_SECRET", "DATABASE_URL")
"""Where tokens of mailboxes are kept."""
SHOWN: Final = frozenset({"permissions", "search", "required fields"})
"""Findings about a project that are shown although all is well."""
QUIET: Final = frozenset({"webhook", "attachments", "watchers", "people list", "letter folders"})
"""Warnings that nobody needs to read while he sets up; `triage doctor --jira` has them all."""
NOWHERE: Final = "UNCHOSEN"
ARRIVES: Final = 60.0
"""Seconds in which a letter to ourselves has to arrive."""


async def entrance(draft: Draft, site: str) -> Entrance:
    """Look at one Jira with the login of the draft, if it has one."""
    from cli.doctor.jira import entrance_of

    trial = draft.having(JIRA_BASE_URL=site, JIRA_PROJECT_KEY=NOWHERE, JIRA_TIMEOUT="15", JIRA_REQUEST_TYPE="")
    return await entrance_of(trial.settings(*JIRA))


async def project(draft: Draft) -> tuple[Finding, ...]:
    """Return what is worth knowing about the chosen project. Raises `SettingsInvalid` for a broken triage.yaml."""
    return _worth_knowing(await _visit(draft))


async def demands(draft: Draft) -> "tuple[tuple[Finding, ...], tuple[Demand, ...]]":
    """Return remarks about the project, and separately the fields that Jira requires and no setting fills.

    If triage.yaml has a section `jira` already, those fields are among the remarks, with what to write there.
    """
    from cli.doctor.forms import choices_of, unfilled_in
    from triage.services.setup.writing import takes_fields

    visit = await _visit(draft)
    if not takes_fields(visit.settings.triage_config):
        return _worth_knowing(visit), ()
    open_ones = tuple(
        Demand(field.name, choices_of(field), number=field.type == "number", many=field.type == "array")
        for field, _ in unfilled_in(visit)
    )
    names = {f"field {one.name}" for one in open_ones}
    return tuple(one for one in _worth_knowing(visit) if one.what not in names or one.state != "fail"), open_ones


async def _visit(draft: Draft) -> "Visit":
    """Look at the project, as if the answers for triage.yaml stood there already."""
    from cli.doctor.jira import visited
    from triage.config.triage_yaml import load_config

    settings = draft.settings(*JIRA)
    config = load_config(settings.triage_config)
    fields = {**config.jira_fields, **draft.fields}
    _, visit = await visited(settings, replace(config, jira_fields=fields))
    return visit


def _worth_knowing(visit: "Visit") -> tuple[Finding, ...]:
    from cli.doctor.jira import findings

    shown = {*SHOWN, f"project {visit.settings.jira_project_key}"}
    found = tuple(findings(visit))
    return tuple(
        one
        for one in found
        if one.state == "fail" or (one.state == "warn" and one.what not in QUIET) or one.what in shown
    )


def mailbox_settings(draft: Draft, *more: str) -> Settings:
    """Return the settings of the mailbox; where tokens open it, also those of their place. Raises `SettingsInvalid`."""
    return draft.settings(*MAILBOX, *more, *(TOKENS if draft["MAIL_OAUTH"] else ()))


async def mailbox(draft: Draft) -> "tuple[tuple[Finding, ...], Draft]":
    """Open the folder, and learn from its newest mails which server's checks prove senders."""
    from cli.doctor.mail import WHOLE, inspect_mailbox, learnt, senders
    from cli.wiring.mail import isolated_reader
    from cli.wiring.mailboxes import imap_of
    from triage.config.mailboxes import specs_of
    from triage.policy.sender.authserv import advice_of
    from triage.services.checks import MailboxCheck

    settings, reader = mailbox_settings(draft), isolated_reader()
    [spec] = specs_of(settings, ())
    try:
        opened, mails = await inspect_mailbox(spec.name, MailboxCheck(imap_of(settings, spec, WHOLE), reader))
    finally:
        await reader.close()
    if opened.state == "fail":
        return (opened,), draft
    finding, _ = senders(spec.name, mails, settings)
    if finding.state == "ok":
        return (opened, finding), draft
    advice = advice_of(mails)
    if not advice.found:
        return (opened, finding), draft
    values = learnt(advice, settings)
    line = f"{advice.server or 'Microsoft 365'} has stamped {advice.stamped} of the newest {len(mails)} mails: its results count"
    named = ", ".join(f"{name}={value}" for name, value in values.items())
    return (opened, replace(finding, state="ok", text=f"{line} ({named})", cure="")), draft.having(**values)


async def model(draft: Draft) -> tuple[Finding, ...]:
    from cli.doctor.model import model as asked

    try:
        return tuple([one async for one in asked(draft.settings(*MODEL))])
    except TriageError as e:
        return (Finding("model", "fail", str(e), "check the key, the address and the model's name"),)


async def letters(draft: Draft) -> tuple[Finding, ...]:
    """Log in at the mail server; where that works, send a letter to ourselves and see it arrive in the mailbox."""
    from cli.doctor.letters import letters as looked

    settings = mailbox_settings(draft, *LETTERS)
    found = tuple([one async for one in looked(settings) if one.what not in QUIET])
    if any(one.what == "letters" and one.state == "fail" for one in found):
        return found
    return (*found, await _round(settings))


async def _round(settings: Settings) -> Finding:
    """Send a letter to ourselves and wait for it."""
    from cli.wiring.letters import outbox_of, sender_address
    from triage.services.letters.service import send_to_ourselves

    sender, outbox = sender_address(settings), outbox_of(settings)
    async with AsyncExitStack() as later:
        later.push_async_callback(outbox.close)
        mailbox = _mailbox_at(settings, sender.address, later)
        send = partial(send_to_ourselves, outbox, sender)
        try:
            return await _test_letter(sender.address, send, mailbox)
        except TriageError as e:
            return Finding(
                "test letter", "fail", str(e), "check MAIL_FROM: the server must let us send as this address"
            )


def _mailbox_at(settings: Settings, address: str, later: AsyncExitStack) -> "MailboxCheck | None":
    """Return the watched mailbox of an address, if it is one of ours; `later` closes it."""
    from cli.doctor.mail import WHOLE
    from cli.wiring.mail import isolated_reader
    from cli.wiring.mailboxes import configured_mailboxes, imap_of
    from triage.services.checks import MailboxCheck

    spec = next((one for one in configured_mailboxes(settings) if one.user.lower() == address), None)
    if spec is None:
        return None
    reader = isolated_reader()
    later.push_async_callback(reader.close)
    mailbox = MailboxCheck(imap_of(settings, spec, WHOLE), reader)
    later.push_async_callback(mailbox.close)
    return mailbox


async def _test_letter(
    address: str, send: "Callable[[datetime], Awaitable[str]]", mailbox: "MailboxCheck | None"
) -> Finding:
    """Send the letter; where the mailbox is watched, say whether it arrives. Raises what outbox and mailbox do."""
    above = await mailbox.open() - 1 if mailbox else 0
    name = await send(datetime.now(UTC))
    if mailbox is None:
        return Finding("test letter", "ok", f"sent to {address}: look into that mailbox")
    if await mailbox.arrived(name, above, ARRIVES):
        return Finding("test letter", "ok", f"sent to {address}, and it has arrived there")
    problem = f"sent to {address}, and not there after {ARRIVES:.0f} s"
    return Finding("test letter", "warn", problem, "look into its spam folder; greylisting takes some minutes")


async def folders(draft: Draft, ask: "Asker") -> tuple[str, ...]:
    """Log in, after somebody has signed in where only tokens open the mailbox, and return its folders.

    Raises `SettingsInvalid`, `GrantRefused`, `IdentityProviderDown`, `StoreDown`, `MailboxDown`, `MailboxDenied`.
    """
    from cli.wiring.setup import folders_in
    from triage.config.mailboxes import specs_of

    settings = mailbox_settings(draft)
    [spec] = specs_of(settings, ())
    if spec.oauth:
        await _signed_in(ask, settings, spec.user)
    return await folders_in(settings, spec)


async def _signed_in(ask: "Asker", settings: Settings, account: str) -> None:
    """Let somebody sign in, unless tokens are there already. Raises `GrantRefused`, `IdentityProviderDown`."""
    from cli.mail.mailbox import signed_in
    from cli.wiring.mail_oauth.sign_in import has_tokens

    if settings.mail_oauth_app_only or await has_tokens(settings, account):
        return
    grant = await signed_in(settings, account, say=ask.say, link=ask.screen.link)
    ask.say(f"✓ signed in; the tokens of {grant.account} are kept encrypted from now on")


async def model_names(url: str, key: str, seconds: float = 0.0) -> tuple[str, ...]:
    """Return the models that a server offers, none if it does not tell them in time; 0: the usual time."""
    from cli.wiring.setup import PATIENCE
    from cli.wiring.setup import model_names as offered

    return await offered(url, key, seconds or PATIENCE)


async def reach_smtp(server: MailServer) -> None:
    """Connect to a mail server without login. Raises `MailboxDown`, `MailboxDenied`."""
    from cli.wiring.setup import reach_smtp as reached

    await reached(server)
