"""The settings of the console and of its sign-in, as a whole."""

import pytest

from triage.config.environment.web import role_rules
from triage.config.settings import Isolated, load
from triage.domain.errors import SettingsInvalid
from triage.domain.operations.accounts import RoleMatch, RoleRule
from triage.domain.operations.tokens import AccessScope

PROVIDER = {
    "OIDC_ISSUER": "https://login.example.com",
    "OIDC_CLIENT_ID": "triage",
    "PUBLIC_URL": "https://triage.example.com",
}


def test_on_by_default() -> None:
    """The console is on, a session lasts half a day, and nobody signs in from elsewhere."""
    settings = load(Isolated)

    assert (settings.console, settings.console_session_hours, settings.oidc_issuer) == (True, 12, "")
    assert load(Isolated, **PROVIDER).oidc_issuer == "https://login.example.com"
    assert load(Isolated, **PROVIDER | {"OIDC_ISSUER": "http://127.0.0.1:9000"}).oidc_issuer


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (PROVIDER | {"OIDC_ISSUER": "http://login.example.com"}, "OIDC_ISSUER: must be https"),
        (PROVIDER | {"OIDC_ISSUER": ""}, "OIDC_ISSUER: missing"),
        ({"OIDC_CLIENT_SECRET": "x"}, "OIDC_ISSUER: missing"),
        (PROVIDER | {"OIDC_CLIENT_ID": ""}, "OIDC_CLIENT_ID: missing"),
        (PROVIDER | {"PUBLIC_URL": ""}, "PUBLIC_URL: missing"),
        (PROVIDER | {"OIDC_ROLES": "admin=everybody"}, "OIDC_ROLES: `admin=everybody` names nobody"),
    ],
)
def test_half_a_provider(given: dict[str, str], hint: str) -> None:
    """What is missing is told with its cure before anybody stands at a closed door."""
    with pytest.raises(SettingsInvalid) as told:
        load(Isolated, **given)

    assert [problem for problem in told.value.settings if str(problem).startswith(hint)]


def test_rules() -> None:
    """Groups as they are spelt, addresses and domains in lower case, in the order of the text."""
    rules = role_rules("admin=group:Ops 'viewer=group:All Staff' approver=@Example.com reader=Ada@example.org")

    assert rules == (
        RoleRule(scope=AccessScope.ADMIN, whom=RoleMatch.GROUP, value="Ops"),
        RoleRule(scope=AccessScope.VIEWER, whom=RoleMatch.GROUP, value="All Staff"),
        RoleRule(scope=AccessScope.APPROVER, whom=RoleMatch.DOMAIN, value="example.com"),
        RoleRule(scope=AccessScope.READER, whom=RoleMatch.ADDRESS, value="ada@example.org"),
    )
    assert role_rules("") == ()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("root=@example.com", "no role"),
        ("admin", "names nobody"),
        ("admin=", "names nobody"),
        ("admin=group:", "names nobody"),
        ("admin=ops", "names nobody"),
        ("admin=@com", "names nobody"),
        ("admin=a@b@example.com", "names nobody"),
        ("admin='@example.com", "quotation"),
    ],
)
def test_what_is_no_rule(text: str, hint: str) -> None:
    """A rule that names everybody or nobody by mistake is refused at start."""
    with pytest.raises(ValueError, match=hint):
        role_rules(text)
