"""Which webhooks are open: only those whose secrets are set, and set well."""

from typing import Any

import pytest

from triage.config.settings import load
from triage.config.variables import variables
from triage.domain.errors import SettingsInvalid
from webhooks.providers.table import NEEDS, PROVIDERS, providers_of

SECRET = "whsec_" + "A" * 43 + "="
PASSWORD = "correct-horse-battery-staple"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.chdir(str(tmp_path))
    for name in variables():
        monkeypatch.delenv(name, raising=False)


def test_none_by_accident() -> None:
    """Without any secret no door is open."""
    assert providers_of(load()) == ()


def test_each_one_alone_and_all() -> None:
    """A secret opens its own door."""
    mime: dict[str, Any] = {"WEBHOOK_SECRET": SECRET}
    postmark: dict[str, Any] = {"POSTMARK_USER": "p", "POSTMARK_PASSWORD": PASSWORD}

    assert [p.name for p in providers_of(load(**mime))] == ["mime"]
    assert [p.name for p in providers_of(load(**postmark))] == ["postmark"]
    assert [p.name for p in providers_of(load(**mime, **postmark))] == ["mime", "postmark"]
    assert [p.name for p in providers_of(load(WEBHOOK_SECRET=f"{SECRET} {SECRET}"))] == ["mime"]


def test_all_problems_at_once() -> None:
    """Weak secrets are refused at the start, all in one message, each with its cure."""
    settings = load(WEBHOOK_SECRET="short", POSTMARK_USER="p", POSTMARK_PASSWORD="short")

    with pytest.raises(SettingsInvalid) as caught:
        providers_of(settings)
    assert [problem.partition(":")[0] for problem in caught.value.problems] == ["WEBHOOK_SECRET", "POSTMARK_PASSWORD"]


def test_table() -> None:
    """Each provider has a name of its own, and names variables that exist."""
    assert len(NEEDS) == len(PROVIDERS)
    assert {name for needs in NEEDS.values() for name in needs} <= set(variables())
