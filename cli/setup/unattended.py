"""`triage init --answers`: the same tests as the wizard's, without questions; nothing is written unless all pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding
from cli.setup import trials
from triage.domain.errors import MailboxDenied, MailboxDown, SettingsInvalid
from triage.domain.mailboxes import MailServer, MailServers
from triage.services.setup.draft import Draft
from triage.services.setup.mail_servers import IMAP, INSECURE, SMTP, MailServerSearch, Reach, server_at

if TYPE_CHECKING:
    from triage.services.setup.answers import (
        JiraAnswers,
        LettersAnswers,
        MailboxAnswers,
        ModelAnswers,
        OAuthAnswers,
        SetupAnswers,
    )

NO_SERVER = Finding("mailbox", "fail", "its server could not be found out", "give `host` under `mailbox`")


@dataclass
class SetupTrial:
    """The set-up so far: the draft of the settings, and the findings of the tests that have run."""

    draft: Draft
    findings: tuple[Finding, ...] = ()

    def add(self, *findings: Finding) -> bool:
        """Keep findings; return whether none of them failed."""
        self.findings += findings
        return not any(one.state == "fail" for one in findings)


async def tested(answers: "SetupAnswers", draft: Draft, search: MailServerSearch) -> SetupTrial:
    """Test all parts, each whatever came of the others; `letters` only with a mailbox that works."""
    at = SetupTrial(draft)
    await _jira(at, answers.jira)
    opened = not answers.mailbox or await _mailbox(at, answers.mailbox, search)
    if answers.model:
        await _model(at, answers.model)
    if answers.letters and opened:
        await _letters(at, answers.letters)
    return at


async def _jira(at: SetupTrial, given: "JiraAnswers") -> bool:
    from triage.policy.setup.jira_sites import sites_of
    from triage.services.setup.questions.jira import site_among

    site, seen = await site_among(trials, at.draft, sites_of(given.url))
    if not seen.found:
        return at.add(*seen.findings[-1:])
    token = given.token.text()
    basic = {"JIRA_EMAIL": given.email or given.user or "", "JIRA_API_TOKEN": token, "JIRA_TOKEN": ""}
    personal = {"JIRA_EMAIL": "", "JIRA_API_TOKEN": "", "JIRA_TOKEN": token}
    login = personal if not seen.cloud and not (given.email or given.user) else basic
    if seen.cloud and not given.email:
        return at.add(Finding("login", "fail", "this is Cloud", "give `email`, the address of the token's account"))
    at.draft = at.draft.having(JIRA_BASE_URL=site, JIRA_PROJECT_KEY=given.project, **login)
    return at.add(*await trials.project(at.draft))


async def _mailbox(at: SetupTrial, given: "MailboxAnswers", search: MailServerSearch) -> bool:
    found = MailServers() if given.host else await search.of(given.address) or MailServers()
    server = await _reachable(at, "mailbox", search.reach, _named_server(given, found.imap), IMAP)
    if server is None:
        return at.add(NO_SERVER) if not (given.host or found.imap) else False
    at.draft = at.draft.having(
        IMAP_HOST=server.host,
        IMAP_PORT=str(server.port),
        IMAP_TLS=server.tls,
        IMAP_USER=given.user or found.user or given.address,
        IMAP_PASSWORD=given.password.text() if given.password else "",
        IMAP_TOKEN_COMMAND=given.token_command or "",
        IMAP_FOLDER=given.folder,
        IMAP_AFTER=given.after if given.after != "none" else "",
        **_application(given.oauth),
    )
    if given.oauth and not given.oauth.app_only and not await _has_tokens(at):
        return False
    findings, at.draft = await trials.mailbox(at.draft)
    return at.add(*findings)


def _application(given: "OAuthAnswers | None") -> dict[str, str]:
    """Return the variables of MAIL_OAUTH, empty where the mailbox has another login."""
    secret = given.client_secret.text() if given and given.client_secret else ""
    return {
        "MAIL_OAUTH": given.provider if given else "",
        "MAIL_OAUTH_CLIENT_ID": given.client_id if given else "",
        "MAIL_OAUTH_CLIENT_SECRET": secret,
        "MAIL_OAUTH_TENANT": (given and given.tenant) or "",
        "MAIL_OAUTH_SCOPES": (given and given.scopes) or "",
        "MAIL_OAUTH_APP_ONLY": "true" if given and given.app_only else "",
    }


async def _has_tokens(at: SetupTrial) -> bool:
    """Tell whether somebody has signed in; if nobody has, this is no failure, since it needs the settings first."""
    from cli.wiring.mail_oauth.sign_in import has_tokens
    from triage.services.mail_oauth.tokens import cure

    account = at.draft["IMAP_USER"]
    try:
        if await has_tokens(trials.mailbox_settings(at.draft), account):
            return True
    except SettingsInvalid as e:
        at.add(Finding("mailbox", "fail", str(e), "correct `oauth` under `mailbox`"))
        return False
    at.add(Finding("mailbox", "warn", f"nobody has signed in for {account} yet", f"then: {cure(account)}"))
    return False


async def _model(at: SetupTrial, given: "ModelAnswers") -> bool:
    key = given.key.text() if given.key else ""
    at.draft = at.draft.having(OPENAI_API_KEY=key, OPENAI_BASE_URL=given.url or "", OPENAI_MODEL=given.name or "")
    return at.add(*await trials.model(at.draft))


async def _letters(at: SetupTrial, given: "LettersAnswers") -> bool:
    from cli.wiring.setup import reach_smtp

    server = await _reachable(at, "letters", reach_smtp, _named_server(given, None), SMTP)
    if server is None:
        return False
    user = given.user or at.draft["IMAP_USER"]
    at.draft = at.draft.having(
        SMTP_HOST=server.host,
        SMTP_PORT=str(server.port),
        SMTP_TLS=server.tls,
        SMTP_USER=user,
        SMTP_PASSWORD=given.password.text() if given.password else at.draft["IMAP_PASSWORD"],
        SMTP_TOKEN_COMMAND="" if given.password else at.draft["IMAP_TOKEN_COMMAND"],
        MAIL_FROM=given.sender or user,
    )
    return at.add(*await trials.letters(at.draft))


def _named_server(given: "MailboxAnswers | LettersAnswers", found: MailServer | None) -> MailServer | None:
    """Return the server that the file names, with port 0 and no TLS where it leaves them out; else the one found."""
    return MailServer(host=given.host, port=given.port or 0, tls=given.tls or "") if given.host else found


async def _reachable(
    at: SetupTrial, what: str, reach: Reach, server: MailServer | None, ports: Mapping[str, int]
) -> MailServer | None:
    """Return a server with everything known; None, and a finding, where it cannot be reached or has no TLS unasked."""
    if server is None or server.tls:
        port = ports.get(server.tls, ports["none"]) if server else 0
        return server and MailServer(host=server.host, port=server.port or port, tls=server.tls)
    try:
        way = await server_at(reach, server.host, server.port, ports)
    except (MailboxDown, MailboxDenied) as e:
        at.add(Finding(what, "fail", f"{server.host}: {e.detail}", "check `host` and `port`"))
        return None
    if way.tls == INSECURE:
        cure = "give `tls: insecure` if passwords may travel in clear"
        at.add(Finding(what, "fail", f"{server.host} offers no TLS", cure))
        return None
    return way
