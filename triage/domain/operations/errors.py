"""What goes wrong with access tokens and with webhooks out."""

from dataclasses import dataclass

from triage.domain.errors import Refused, Transient


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
class MailGone(Refused):
    """The mail of this case is not kept any more, so nothing can be decided by it: its person is forgotten, or RETENTION_DAYS is over."""

    case: str


@dataclass(eq=False)
class FileNotWritten(Refused):
    """A settings file cannot be written, and nothing was changed."""

    file: str
    why: str

    def __str__(self) -> str:
        """Return file and reason, which says the cure."""
        return f"{self.file}: {self.why}; nothing was written"
