"""The answers so far."""

import pytest

from triage.domain.errors import SettingsInvalid
from triage.services.setup.draft import Draft


def test_a_change_wins_over_the_file() -> None:
    """An empty value takes the line out; a secret takes out the file that would win over it."""
    draft = Draft(kept={"JIRA_TOKEN": "old", "JIRA_API_TOKEN_FILE": "/run/secrets/x"})
    changed = draft.having(JIRA_TOKEN="", JIRA_API_TOKEN="new")

    assert (draft["JIRA_TOKEN"], changed["JIRA_TOKEN"], changed["JIRA_API_TOKEN"]) == ("old", "", "new")
    assert changed.changes == {"JIRA_TOKEN": None, "JIRA_API_TOKEN": "new", "JIRA_API_TOKEN_FILE": None}


def test_what_is_wrong_elsewhere_stops_no_test() -> None:
    """Settings are made of the variables of one part; within it mistakes are told."""
    draft = Draft(kept={"PORT": "many", "JIRA_BASE_URL": "https://acme.example"}).having(IMAP_HOST="mail.example")

    with pytest.raises(SettingsInvalid, match="JIRA_PROJECT_KEY"):
        draft.settings("JIRA_")
    with pytest.raises(SettingsInvalid, match="IMAP_USER"):
        draft.settings("IMAP_")
    assert draft.settings("OPENAI_").port == 8080
