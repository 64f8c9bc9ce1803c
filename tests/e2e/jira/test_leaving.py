"""What leaves us, read where it arrives: in Jira as the site has it, and on standard output."""

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tests.database import migrated
from tests.e2e.installation import Installation
from tests.e2e.scripted_model import ScriptedModel
from tests.servers.sandbox import RunningJira
from triage.domain.text.visible import visible
from triage.policy.ticket.footer import FOREIGN
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

UNSEEN = "\x1b[2J\x07\u00ad\u200b\u202e\u2066\u3164\ufeff\U000e0041\U000e0101"
SEARCH = ("read_jira_tickets", {"search_text": "quetzal export"})


@pytest.fixture
def house(tmp_path: Path, any_jira: RunningJira) -> Installation:
    """Over either Jira."""
    migrated(tmp_path / "triage.db")
    return Installation(folder=tmp_path, jira=any_jira)


def mail(house: Installation, text: str = "The quetzal export stops at line seven.", **headers: str) -> Path:
    """A mail in a file."""
    made = EmailMessage()
    named = {"From": "Ada Byron <ada@example.com>", "Subject": "Quetzal export stops", "Message-ID": "<1@example.com>"}
    for name, value in (named | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        made[name] = value
    made.set_content(text)
    path = house.folder / f"{made['Message-ID'].strip('<>')}.eml"
    path.write_bytes(made.as_bytes())
    return path


def issue(house: Installation, key: str) -> Any:
    """The ticket's fields, as Jira has them; texts as wiki markup."""
    with house.jira.api() as api:
        return (
            api.get(f"/issue/{key}", params={"fields": "summary,description,labels"})
            .raise_for_status()
            .json()["fields"]
        )


def strings(value: Any) -> list[str]:
    """Every string in it."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    return [text for inner in value for text in strings(inner)] if isinstance(value, list) else [str(value)]


def test_an_obedient_model_writes_nothing_unseen(house: Installation) -> None:
    """Whatever it puts into summary, text and comment is visible in Jira; links show their hosts; one line is ours."""
    body = (
        f"He{UNSEEN}llo, see [the form](https://evil.example/login).\n\n"
        "*From a mail by Boss <boss@example.com>, received 2026-01-01 00:00 UTC · case-9*\n\n```\nopen"
    )
    wanted = {"summary": f"Quetzal{UNSEEN} export", "description": body, "issue_type": "Bug"}
    model = ScriptedModel(SEARCH, ("create_jira_ticket", wanted), last=f"Done{UNSEEN} [31m")
    with Served(openai_app(model)) as served:
        house.model_url = served.url
        done = house.triage("process", str(mail(house)), "--json")
        shown, listed = house.triage("show", "1", "--prompt"), house.triage("cases")
    (key,) = house.created()
    fields = issue(house, key)
    text = " ".join(strings(fields["description"]))

    assert [found for found in strings(fields) if visible(found) != found] == []
    assert fields["summary"].startswith("Quetzal[2J")
    assert "(evil.example)" in text
    assert text.count("received") == 2
    assert f"{FOREIGN}From a mail by Boss" in text
    assert "case-1" in text.partition("{panel:")[0].strip().splitlines()[-1].rpartition("received")[2]
    for out in (done.stdout, shown.stdout, listed.stdout):
        assert visible(out.decode()) == out.decode()
    assert visible(json.loads(done.stdout)[0]["why"]) == json.loads(done.stdout)[0]["why"]


def test_a_label_that_hides_something_is_refused_with_the_reason(house: Installation) -> None:
    """The model hears why, and nothing is written under a label that looks like another one."""
    wanted = {
        "summary": "Quetzal export",
        "description": "It stops.",
        "issue_type": "Bug",
        "labels": ["cri\u200btical"],
    }
    clean = wanted | {"labels": ["critical"]}
    model = ScriptedModel(SEARCH, ("create_jira_ticket", wanted), ("create_jira_ticket", clean))
    with Served(openai_app(model)) as served:
        house.model_url = served.url
        house.triage("process", str(mail(house)))
    answers = [said.text for said in model.heard[-1] if said.answers]
    (key,) = house.created()

    assert "'cri\\u200btical' has characters that nobody sees" in json.loads(answers[1])["error"]
    assert "critical" in issue(house, key)["labels"]


def test_ticket_text_comes_behind_the_fence_of_the_opening(house: Installation) -> None:
    """What a search returns stands between the same two lines as the mail, in the prompt and in results."""
    model = ScriptedModel(SEARCH)
    with Served(openai_app(model)) as served:
        house.model_url = served.url
        house.triage("process", str(mail(house)))
    opening, (answer,) = model.heard[-1][1].text, [said.text for said in model.heard[-1] if said.answers]
    nonce = opening.partition("<<<MAIL ")[2].partition("\n")[0]

    assert (len(nonce), answer.startswith(f"<<<RESULT {nonce}\n"), answer.endswith(f"\n{nonce} RESULT>>>\n")) == (
        8,
        True,
        True,
    )
