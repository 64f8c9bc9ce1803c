"""Mail servers by the address alone."""

from triage.domain.mailboxes import MailServer
from triage.policy.setup.mail_providers import PROVIDERS, by_domain, by_exchangers, guesses


def test_a_provider_is_known_by_the_domain() -> None:
    """Addresses of a provider lead to its servers, with a note where a usual password does not do."""
    found = by_domain("GMail.com")

    assert found
    assert found.imap == MailServer(host="imap.gmail.com", port=993, tls="ssl")
    assert "app password" in found.note
    assert by_domain("harbourline.example") is None


def test_a_provider_is_known_by_the_mail_exchangers() -> None:
    """A domain of one's own belongs to the provider that takes its mail; a name that merely contains his does not."""
    microsoft = by_exchangers(["acme-example.mail.protection.outlook.com."])

    assert microsoft
    assert microsoft.smtp == MailServer(host="smtp.office365.com", port=587, tls="starttls")
    assert by_exchangers(["aspmx.l.google.com", "alt1.aspmx.l.google.com"]) == by_domain("gmail.com")
    assert by_exchangers(["mx.notgoogle.com"]) is None
    assert by_exchangers([]) is None


def test_no_password_leaves_in_clear() -> None:
    """Every known server and every guess is reached over TLS."""
    servers = [server for one in PROVIDERS for server in (one.servers().imap, one.servers().smtp)]

    assert {server.tls for server in servers if server} == {"ssl", "starttls"}
    assert guesses("acme.example") == (
        MailServer(host="imap.acme.example", port=993, tls="ssl"),
        MailServer(host="mail.acme.example", port=993, tls="ssl"),
    )
