"""Which application asks for tokens of mailboxes, by the settings, and what is missing there."""

import pytest

from triage.config.mail_oauth import MICROSOFT_SCOPES, not_granted, oauth_client
from triage.config.mailboxes import specs_of
from triage.config.settings import Isolated, Settings, load
from triage.domain.errors import SettingsInvalid

MAILBOX = {"IMAP_HOST": "imap.example.com", "IMAP_USER": "bot@example.com"}
APPLICATION = {"MAIL_OAUTH_CLIENT_ID": "id-1"}


def settings(**given: str) -> Settings:
    """Settings of a mailbox without a password."""
    return load(Isolated, **{**MAILBOX, **APPLICATION, **given})


def test_microsoft() -> None:
    """Any organization's accounts, or one tenant's, on a port of `localhost`; an application by itself asks for all it was given."""
    common = oauth_client(settings(MAIL_OAUTH="microsoft"))
    own = oauth_client(
        settings(
            MAIL_OAUTH="microsoft",
            MAIL_OAUTH_TENANT="t-1",
            MAIL_OAUTH_APP_ONLY="true",
            MAIL_OAUTH_CLIENT_SECRET="canary",
        )
    )

    assert common
    assert own
    assert (common.issuer, common.scopes, common.landing) == (
        "https://login.microsoftonline.com/organizations/v2.0",
        MICROSOFT_SCOPES,
        "localhost",
    )
    assert (own.issuer, own.scopes) == (
        "https://login.microsoftonline.com/t-1/v2.0",
        "https://outlook.office365.com/.default",
    )
    assert "canary" not in repr(own)


def test_google_and_others() -> None:
    """Google wants consent in a browser for a refresh token; others are named by address and scopes."""
    google = oauth_client(settings(MAIL_OAUTH="google", MAIL_OAUTH_CLIENT_SECRET="s"))
    other = oauth_client(settings(MAIL_OAUTH="https://login.example.com", MAIL_OAUTH_SCOPES="imap smtp"))

    assert google
    assert other
    assert (google.scopes, google.browser_only) == ("https://mail.google.com/", True)
    assert google.extra == {"access_type": "offline", "prompt": "consent"}
    assert (other.issuer, other.scopes, other.browser_only) == ("https://login.example.com", "imap smtp", False)
    assert oauth_client(load(Isolated)) is None


def test_a_mailbox_without_a_password_is_opened_with_tokens() -> None:
    """One that has a password keeps it."""
    [by_token] = specs_of(settings(MAIL_OAUTH="microsoft"), ())
    [by_password] = specs_of(settings(MAIL_OAUTH="microsoft", IMAP_PASSWORD="x"), ())

    assert (by_token.oauth, by_password.oauth) == (True, False)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "MAIL_OAUTH: missing"),
        ({"MAIL_OAUTH": "yahoo"}, "MAIL_OAUTH: must be"),
        ({"MAIL_OAUTH": "http://login.example.com"}, "MAIL_OAUTH: must be"),
        ({"MAIL_OAUTH": "https://login.example.com"}, "MAIL_OAUTH_SCOPES: missing"),
        ({"MAIL_OAUTH": "microsoft", "MAIL_OAUTH_CLIENT_ID": ""}, "MAIL_OAUTH_CLIENT_ID: missing"),
        ({"MAIL_OAUTH": "google"}, "MAIL_OAUTH_CLIENT_SECRET: missing"),
        ({"MAIL_OAUTH": "google", "MAIL_OAUTH_APP_ONLY": "true"}, "MAIL_OAUTH_APP_ONLY: Google"),
        ({"MAIL_OAUTH": "microsoft", "MAIL_OAUTH_APP_ONLY": "true"}, "MAIL_OAUTH_TENANT: missing"),
        ({"MAIL_OAUTH": "microsoft", "MAIL_OAUTH_APP_ONLY": "true"}, "MAIL_OAUTH_CLIENT_SECRET: missing"),
        ({"MAIL_OAUTH": "microsoft", "MAIL_OAUTH_TENANT": "a/b"}, "MAIL_OAUTH_TENANT"),
    ],
)
def test_what_is_missing(given: dict[str, str], problem: str) -> None:
    """Each error says what to set."""
    with pytest.raises(SettingsInvalid, match=problem):
        settings(**given)


def test_what_was_not_granted() -> None:
    """By the last part of a scope, since providers name the resource in their own way; silence means all."""
    granted = "https://outlook.office365.com/IMAP.AccessAsUser.All openid"

    assert not_granted(MICROSOFT_SCOPES, granted) == ("https://outlook.office.com/SMTP.Send",)
    assert not_granted("https://mail.google.com/", "https://mail.google.com/ email") == ()
    assert not_granted(MICROSOFT_SCOPES, "") == ()
