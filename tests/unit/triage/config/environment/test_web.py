"""The settings of the console and of its sign-in, as a whole."""

import pytest

from triage.config.settings import Isolated, load
from triage.domain.errors import SettingsInvalid

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
