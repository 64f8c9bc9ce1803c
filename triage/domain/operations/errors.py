"""Errors of what people correct, of access tokens, accounts, sign-ins, mailbox grants, outgoing webhooks and the archive of raw mails."""

from dataclasses import dataclass

from triage.domain.errors import Denied, Permanent, Refused, Transient


@dataclass(eq=False)
class CopyFailed(Transient):
    """The copy cannot be written: make its folder, or name a file in one that is yours, on a disk with room."""

    file: str
    detail: str


@dataclass(eq=False)
class TokenInvalid(Refused):
    """The access token is not valid: `triage token create` makes one."""

    why: str


@dataclass(eq=False)
class TokenNotFound(Refused):
    """There is no access token with this number: `triage token list` lists them."""

    token: int


@dataclass(eq=False)
class WebhookUnfit(Refused):
    """This address gets no webhooks: give an https:// URL of the public internet, or name its host in WEBHOOK_HOSTS."""

    why: str


@dataclass(eq=False)
class WebhookNotFound(Refused):
    """There is no webhook with this number."""

    webhook: int


@dataclass(eq=False)
class WebhookFailed(Transient):
    """A webhook could not be delivered."""

    detail: str


@dataclass(eq=False)
class TraceLost(Transient):
    """The collector did not take a trace: look at OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS."""

    detail: str


@dataclass(eq=False)
class LessonNotFound(Refused):
    """No correction of this number counts for later mails: `triage lessons` lists those that do."""

    lesson: int


@dataclass(eq=False)
class MailGone(Refused):
    """The mail of this case is not kept any more, so nothing can be decided by it: its person is forgotten, or RETENTION_DAYS is over."""

    case: str


@dataclass(eq=False)
class NothingToUndo(Refused):
    """This case has written nothing that could be taken back, and no letter of it waits."""

    case: str


@dataclass(eq=False)
class NothingToAmend(Refused):
    """This case has no ticket whose fields could be corrected, or is still being decided: say with `triage correct` what the mail is."""

    case: str


@dataclass(eq=False)
class NothingToSplit(Refused):
    """This mail has the ticket that it made, and nobody has merged that one: there is nothing to take apart."""

    case: str


@dataclass(eq=False)
class ArchiveDown(Transient):
    """The archive of raw mails does not answer: look at ARCHIVE_TO."""

    detail: str


@dataclass(eq=False)
class ArchiveDenied(Denied):
    """The archive of raw mails refuses us: check ARCHIVE_TO, S3_KEY_ID and S3_SECRET_KEY, and what they may do in the bucket."""

    detail: str


@dataclass(eq=False)
class ArchivedMailLost(Permanent):
    """The archive of raw mails has not got this one, or not as it came: restore the file, or the folder that ARCHIVE_TO names."""

    key: str


@dataclass(eq=False)
class FileNotWritten(Refused):
    """A settings file cannot be written, and nothing was changed."""

    file: str
    why: str

    def __str__(self) -> str:
        """Return file and reason, which says the cure."""
        return f"{self.file}: {self.why}; nothing was written"


@dataclass(eq=False)
class NotSignedIn(Refused):
    """Sign in first."""

    why: str = ""


@dataclass(eq=False)
class SignInRefused(Refused):
    """Address and password do not fit, or the account is disabled."""


@dataclass(eq=False)
class TooManyTries(Refused):
    """Too many sign-ins have failed: wait a little and try again."""

    seconds: int


@dataclass(eq=False)
class PasswordWeak(Refused):
    """This password is not taken."""

    why: str


@dataclass(eq=False)
class AddressUnfit(Refused):
    """This is no e-mail address."""


@dataclass(eq=False)
class AddressTaken(Refused):
    """There is an account with this address."""


@dataclass(eq=False)
class AccountNotFound(Refused):
    """There is no such account: `triage user list` lists them."""

    account: str


@dataclass(eq=False)
class LastAdmin(Refused):
    """This is the last admin: make another one first."""


@dataclass(eq=False)
class AccountEnabled(Refused):
    """Only a disabled account is erased: disable it first."""


@dataclass(eq=False)
class RoleManaged(Refused):
    """The identity provider brought this account: its role follows OIDC_ROLES at each sign-in."""


@dataclass(eq=False)
class IdentityRefused(Refused):
    """The identity provider's answer does not let you in."""

    why: str


@dataclass(eq=False)
class IdentityProviderDown(Transient):
    """The identity provider does not answer as it should."""

    detail: str


@dataclass(eq=False)
class GrantRefused(Refused):
    """The provider of the mailbox's tokens refuses."""

    why: str
    lasting: bool = False
    """Its consent is gone: nothing but a new sign-in helps."""

    def __str__(self) -> str:
        """Return the reason, which says the cure."""
        return self.why


@dataclass(eq=False)
class GrantPending(Transient):
    """Nobody has typed the code in yet."""

    slower: bool = False
    """Ask less often."""


@dataclass(eq=False)
class ChecksFailed(Transient):
    """The checks of `triage doctor` ended before their end."""

    detail: str


@dataclass(eq=False)
class McpMissing(Refused):
    """MCP needs a package more."""

    detail: str


@dataclass(eq=False)
class McpUnavailable(Refused):
    """This MCP server is not available here."""

    server: str
    cure: str
