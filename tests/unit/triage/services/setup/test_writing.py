"""The difference that is shown, and what goes into triage.yaml."""

from pathlib import Path

import pytest

from triage.config.triage_yaml import load_config
from triage.domain.errors import SettingsInvalid
from triage.services.setup.draft import Draft
from triage.services.setup.files import write
from triage.services.setup.writing import changes_of, difference, takes_fields


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder."""
    monkeypatch.chdir(tmp_path)


def test_no_secret_is_shown() -> None:
    """Old and new secrets are stars, also over several lines and in comments; neighbours that stay are not shown at all."""
    was = (
        "AWS_SECRET=not-ours\nJIRA_API_TOKEN='old-one'\n# JIRA_TOKEN=older\nPORT=80\nNOTIFY_URLS='json://a\nb-secret'\n"
    )
    Path(".env").write_text(was, encoding="utf-8")
    draft = Draft().having(JIRA_API_TOKEN="new-one", PORT="81", NOTIFY_URLS="", JIRA_TOKEN="newest")
    [change] = changes_of(draft, Path(".env"))
    shown = "\n".join(difference(change))

    assert not [word for word in ("old-one", "older", "new-one", "newest", "b-secret", "not-ours") if word in shown]
    assert "+JIRA_API_TOKEN=******** (new)" in shown
    assert {"-PORT=80", "+PORT=81", "-NOTIFY_URLS=********"} <= set(shown.splitlines())


def test_a_demanded_field_goes_to_triage_yaml() -> None:
    """It is added below what stands there, and loads."""
    Path("triage.yaml").write_text("# mine\nlabels:\n  common: mail\n", encoding="utf-8")
    draft = Draft(fields={"Customer: tier": ["Gold"]}).having(PORT="81")

    assert takes_fields(Path("triage.yaml"))
    write(changes_of(draft, Path(".env")))
    assert Path("triage.yaml").read_text(encoding="utf-8").startswith("# mine\nlabels:\n  common: mail\n\njira:\n")
    assert load_config(Path("triage.yaml")).jira_fields == {"Customer: tier": ["Gold"]}
    assert not takes_fields(Path("triage.yaml"))


def test_a_value_that_no_line_can_hold() -> None:
    """It is refused with the way out, and without the value."""
    with pytest.raises(SettingsInvalid, match="NAME_FILE") as told:
        changes_of(Draft().having(IMAP_PASSWORD="sec$ret\\\\"), Path(".env"))

    assert "sec$ret" not in str(told.value)
