"""Errors of what people correct, of access tokens, accounts, sign-ins, mailbox grants, outgoing webhooks and the archive of raw mails."""

from triage.domain.errors import Denied, Permanent, Refused, Transient


class CopyFailed(Transient):
    """The copy cannot be written: make its folder, or name a file in one that is yours, on a disk with room."""

    file: str
    detail: str


class TokenInvalid(Refused):
    """The access token is not valid: `triage token create` makes one."""

    why: str


class TokenNotFound(Refused):
    """There is no access token with this number: `triage token list` lists them."""

    token: int


class WebhookUnfit(Refused):
    """This address gets no webhooks: give an https:// URL of the public internet, or name its host in WEBHOOK_HOSTS."""

    why: str


class WebhookNotFound(Refused):
    """There is no webhook with this number."""

    webhook: int


class WebhookFailed(Transient):
    """A webhook could not be delivered."""

    detail: str


class TraceLost(Transient):
    """The collector did not take a trace: look at OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS."""

    detail: str


class LessonNotFound(Refused):
    """No correction of this number counts for later mails: `triage lessons` lists those that do."""

    lesson: int


class MailGone(Refused):
    """The mail of this case is not kept any more, so nothing can be decided by it: its person is forgotten, or RETENTION_DAYS is over."""

    case: str


class NothingToUndo(Refused):
    """This case has written nothing that could be taken back, and no letter of it waits."""

    case: str


class NothingToAmend(Refused):
    """This case has no ticket whose fields could be corrected, or is still being decided: say with `triage correct` what the mail is."""

    case: str


class NothingToSplit(Refused):
    """This mail has the ticket that it made, and nobody has merged that one: there is nothing to take apart."""

    case: str


class ArchiveDown(Transient):
    """The archive of raw mails does not answer: look at ARCHIVE_TO."""

    detail: str


class ArchiveDenied(Denied):
    """The archive of raw mails refuses us: check ARCHIVE_TO, S3_KEY_ID and S3_SECRET_KEY, and what they may do in the bucket."""

    detail: str


class ArchivedMailLost(Permanent):
    """The archive of raw mails has not got this one, or not as it came: restore the file, or the folder that ARCHIVE_TO names."""

    key: str


class FileNotWritten(Refused):
    """A settings file cannot be written, and nothing was changed."""

    file: str
    why: str

    def __str__(self) -> str:
        """Return file and reason, which says the cure."""
        return f"{self.file}: {self.why}; nothing was written"


class NotSignedIn(Refused):
    """Sign in first."""

    why: str = ""


class SignInRefused(Refused):
    """Address and password do not fit, or the account is disabled."""


class TooManyTries(Refused):
    """Too many sign-ins have failed: wait a little and try again."""

    seconds: int


class PasswordWeak(Refused):
    """This password is not taken."""

    why: str


class AddressUnfit(Refused):
    """This is no e-mail address."""


class AddressTaken(Refused):
    """There is an account with this address."""


class AccountNotFound(Refused):
    """There is no such account: `triage user list` lists them."""

    account: str


class LastAdmin(Refused):
    """This is the last admin: make another one first."""


class AccountEnabled(Refused):
    """Only a disabled account is erased: disable it first."""


class RoleManaged(Refused):
    """The identity provider brought this account: its role follows OIDC_ROLES at each sign-in."""


class IdentityRefused(Refused):
    """The identity provider's answer does not let you in."""

    why: str


class IdentityProviderDown(Transient):
    """The identity provider does not answer as it should."""

    detail: str


class GrantRefused(Refused):
    """The provider of the mailbox's tokens refuses."""

    why: str
    lasting: bool = False
    """Its consent is gone: nothing but a new sign-in helps."""

    def __str__(self) -> str:
        """Return the reason, which says the cure."""
        return self.why


class GrantPending(Transient):
    """Nobody has typed the code in yet."""

    slower: bool = False
    """Ask less often."""


class ChecksFailed(Transient):
    """The checks of `triage doctor` ended before their end."""

    detail: str


class McpMissing(Refused):
    """MCP needs a package more."""

    detail: str


class McpUnavailable(Refused):
    """This MCP server is not available here."""

    server: str
    cure: str
