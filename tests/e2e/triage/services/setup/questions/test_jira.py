"""The questions about Jira, asked of real sandboxes: what goes wrong is told with its cure, and asked again."""

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from cli.setup import trials
from tests.servers import free_port
from tests.servers.sandbox import RunningJira
from tests.unit.triage.services.setup.asker import asker, said
from triage.services.setup.draft import Draft
from triage.services.setup.questions.jira import JiraQuestions
from triage.services.setup.walk import SetupPart, walk
from triage_sandbox.server import Served

jira = JiraQuestions(trials)
PART = SetupPart("jira", (jira.address, jira.account, jira.token, jira.project))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder."""
    monkeypatch.chdir(tmp_path)


async def test_wrong_addresses_are_told_and_asked_again(cloud_jira: RunningJira) -> None:
    """No address, nobody there, another program: each has its words; the right one may have a path."""
    page = FastAPI()
    page.get("/{path:path}")(lambda path: HTMLResponse("<html>hello</html>"))
    with Served(page) as served:
        ask = asker("two words", f"http://127.0.0.1:{free_port()}", served.url, f"{cloud_jira.url}/browse/HARB-7")
        draft = await jira.address(ask, Draft())

    words = " ".join(said(ask).split())
    assert "That is no address" in words
    assert "Jira does not answer" in words
    assert words.count("check the address (JIRA_BASE_URL), the network") == 1
    assert "with its context path" in words
    assert (draft["JIRA_BASE_URL"], draft.cloud, draft.hinted) == (cloud_jira.url, True, "HARB")


async def test_a_token_is_asked_for_until_jira_lets_us_in(cloud_jira: RunningJira) -> None:
    """Blanks in it, then a dead one: the account is asked again, too, since Cloud refuses a wrong one in the same words."""
    ask = asker("nobody", "other@acme.example", "two words", cloud_jira.token, cloud_jira.email, cloud_jira.token)
    draft = Draft().having(JIRA_BASE_URL=cloud_jira.url)
    draft = await jira.token(ask, await jira.account(ask, draft))

    words = " ".join(said(ask).split())
    assert "Cloud knows accounts by their mail address" in words
    assert "A token has no blanks in it" in words
    assert "Jira refuses it" in words
    assert (set(draft.projects) >= {"HARB", "HELP"}, draft["JIRA_EMAIL"]) == (True, cloud_jira.email)
    assert "two words" not in words


async def test_data_center_takes_a_password_where_it_has_no_tokens(server_jira: RunningJira) -> None:
    """The word `password` leads to user name and password, which stand where Triage looks for them."""
    ask = asker(server_jira.url, "password", server_jira.user, server_jira.token, "nope", "other", "HARB")
    draft = await walk(ask, Draft(kept={"JIRA_TOKEN": "old"}), (PART,))

    assert draft.changes == {
        "JIRA_BASE_URL": server_jira.url,
        "JIRA_EMAIL": server_jira.user,
        "JIRA_API_TOKEN": server_jira.token,
        "JIRA_TOKEN": None,
        "JIRA_PROJECT_KEY": "HARB",
    }
    assert "there is none for our account" in " ".join(said(ask).split())


async def test_a_missing_right_is_told_with_the_page_to_open(any_jira: RunningJira) -> None:
    """Its cost, who grants it and where to click; after that one may look again, take another project or go on."""
    any_jira.deny("CREATE_ISSUES")
    draft = Draft(projects={"HARB": "Harbourline"}, cloud=any_jira.cloud)
    login = {k: v for k, v in any_jira.settings.items() if k != "JIRA_PROJECT_KEY"}
    ask = asker("1", "again", "on")
    draft = await jira.project(ask, draft.having(**login))
    words = "".join(said(ask).split())

    assert "CREATE_ISSUESismissing:noticketcanbemade" in words
    assert f"{any_jira.url}/plugins/servlet/project-config/HARB/permissions" in words
    assert draft["JIRA_PROJECT_KEY"] == "HARB"


async def test_a_demanded_field_is_asked_for(large_cloud_jira: RunningJira) -> None:
    """What Jira demands of each ticket becomes a question with its values; a section of one's own is left alone."""
    draft = Draft(projects={"COMP": "Compliance"}).having(**large_cloud_jira.settings)

    assert (await jira.project(asker("COMP", "2"), draft)).fields == {"Severity class": "B - audit finding"}
    Path("triage.yaml").write_text("jira: {fields: {Team: Ops}}\n", encoding="utf-8")
    ask = asker("COMP", "on")
    assert (await jira.project(ask, draft)).fields == {}
    assert "Severity class" in said(ask)
