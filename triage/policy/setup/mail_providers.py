"""Mail servers of well-known providers, and what each asks of a program that logs in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from triage.domain.mailboxes import MailServer, MailServers

GOOGLE: Final = (
    "Google takes an app password, not the account's own: https://myaccount.google.com/apppasswords (2-step "
    "verification must be on; in Workspace an administrator may have to allow IMAP). Where none is allowed: the client ID of "
    "a desktop application of yours with the scope https://mail.google.com/, then somebody signs in"
)
MICROSOFT: Final = (
    "Microsoft takes no password over IMAP, only OAuth tokens: register an application that allows public client flows, with "
    "the delegated rights IMAP.AccessAsUser.All and SMTP.Send; then somebody signs in"
)
APP_PASSWORD: Final = "it takes an app password, not the account's own: make one in the account's security settings"  # noqa: S105 - a hint
ALLOW: Final = "switch IMAP on in the account's settings first (POP3 and IMAP)"


@dataclass(frozen=True, slots=True)
class KnownMailProvider:
    """A provider: domains of addresses, endings of its MX hosts, servers, and a note."""

    imap: str
    smtp: str
    domains: frozenset[str]
    exchangers: tuple[str, ...] = ()
    note: str = ""
    smtp_port: int = 465

    def servers(self) -> MailServers:
        tls = "ssl" if self.smtp_port == 465 else "starttls"  # noqa: PLR2004 - submission over TLS
        return MailServers(
            imap=MailServer(host=self.imap, port=993, tls="ssl"),
            smtp=MailServer(host=self.smtp, port=self.smtp_port, tls=tls),
            note=self.note,
            tokens_only=self.note == MICROSOFT,
            oauth={MICROSOFT: "microsoft", GOOGLE: "google"}.get(self.note, ""),
        )


PROVIDERS: Final = (
    KnownMailProvider(
        "imap.gmail.com",
        "smtp.gmail.com",
        frozenset({"gmail.com", "googlemail.com"}),
        (".google.com", ".googlemail.com"),
        GOOGLE,
    ),
    KnownMailProvider(
        "outlook.office365.com",
        "smtp.office365.com",
        frozenset({"outlook.com", "hotmail.com", "live.com", "msn.com"}),
        (".mail.protection.outlook.com", ".mx.microsoft"),
        MICROSOFT,
        587,
    ),
    KnownMailProvider(
        "imap.mail.yahoo.com",
        "smtp.mail.yahoo.com",
        frozenset({"yahoo.com", "yahoo.de", "yahoo.fr", "yahoo.co.uk", "ymail.com"}),
        (".yahoodns.net",),
        APP_PASSWORD,
    ),
    KnownMailProvider(
        "imap.mail.me.com",
        "smtp.mail.me.com",
        frozenset({"icloud.com", "me.com", "mac.com"}),
        (".mail.icloud.com",),
        APP_PASSWORD,
        587,
    ),
    KnownMailProvider(
        "imap.fastmail.com",
        "smtp.fastmail.com",
        frozenset({"fastmail.com", "fastmail.fm"}),
        (".messagingengine.com",),
        APP_PASSWORD,
    ),
    KnownMailProvider("imap.gmx.net", "mail.gmx.net", frozenset({"gmx.net", "gmx.de", "gmx.at", "gmx.ch"}), note=ALLOW),
    KnownMailProvider("imap.gmx.com", "mail.gmx.com", frozenset({"gmx.com", "gmx.us", "gmx.co.uk"}), note=ALLOW),
    KnownMailProvider("imap.web.de", "smtp.web.de", frozenset({"web.de"}), note=ALLOW),
    KnownMailProvider("posteo.de", "posteo.de", frozenset({"posteo.de", "posteo.net", "posteo.eu"}), (".posteo.de",)),
    KnownMailProvider("imap.mailbox.org", "smtp.mailbox.org", frozenset({"mailbox.org"}), (".mailbox.org",)),
    KnownMailProvider(
        "imap.zoho.com", "smtp.zoho.com", frozenset({"zoho.com", "zohomail.com"}), (".zoho.com",), APP_PASSWORD
    ),
    KnownMailProvider("imap.zoho.eu", "smtp.zoho.eu", frozenset({"zohomail.eu"}), (".zoho.eu",), APP_PASSWORD),
    KnownMailProvider("imap.seznam.cz", "smtp.seznam.cz", frozenset({"seznam.cz", "email.cz"}), (".seznam.cz",), ALLOW),
)


def by_domain(domain: str) -> MailServers | None:
    return next((one.servers() for one in PROVIDERS if domain.lower() in one.domains), None)


def by_exchangers(hosts: Iterable[str]) -> MailServers | None:
    """Return the servers of the provider to whom these MX hosts belong."""
    names = tuple(f".{host.lower().rstrip('.')}" for host in hosts)
    return next(
        (one.servers() for one in PROVIDERS if any(name.endswith(end) for name in names for end in one.exchangers)),
        None,
    )


def guesses(domain: str) -> tuple[MailServer, ...]:
    """Return IMAP servers by the names that most domains give theirs, over TLS alone."""
    return tuple(MailServer(host=f"{name}.{domain}", port=993, tls="ssl") for name in ("imap", "mail"))
