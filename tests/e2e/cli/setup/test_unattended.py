"""`triage init --answers`: the wizard for machines, and its refusals, as a real process."""

import json
import os
import stat
from pathlib import Path
from typing import Any

from tests.e2e.launcher import run
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.sandbox import RunningJira


def init(folder: Path, *words: str, **more: str) -> Any:
    """The command in an empty environment, without a terminal."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "COLUMNS": "300", **more}
    return run(["init", "--no-lookup", *words], env, folder)


def answers(folder: Path, jira: RunningJira, person: Person, **more: Any) -> Path:
    """A file with everything that this Jira and this mailbox need."""
    login = {"email": jira.email} if jira.cloud else {}
    given = {
        "jira": {"url": jira.url, **login, "token": {"env": "SOME_TOKEN"}, "project": "HARB"},
        "mailbox": {
            "address": f"{person.name}@harbour.example",
            "password": {"file": str(folder / "password")},
            "host": "127.0.0.1",
            "port": person.server.imap,
        },
        **more,
    }
    (folder / "password").write_text(f"{PASSWORD}\n", encoding="utf-8")
    file = folder / "answers.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    return file


def test_the_answers_of_a_file_are_tested_and_written(tmp_path: Path, server_jira: RunningJira, person: Person) -> None:
    """`--check` writes nothing; then the settings are written for their owner alone, and the result has no secret."""
    file = answers(tmp_path, server_jira, person)
    tried = init(tmp_path, "--answers", str(file), "--check", "--json", SOME_TOKEN=server_jira.token)
    before = (tmp_path / ".env").exists()
    done = init(tmp_path, "--answers", str(file), "--json", SOME_TOKEN=server_jira.token)
    told, written = json.loads(done.stdout), (tmp_path / ".env").read_text(encoding="utf-8")

    assert (tried.returncode, json.loads(tried.stdout)["written"], before) == (0, [], False)
    assert (done.returncode, told["well"], told["written"]) == (0, True, [str(tmp_path / ".env")])
    assert not [one for one in told["findings"] if one["state"] == "fail"]
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert f"IMAP_PASSWORD='{PASSWORD}'" in written
    assert not [secret for secret in (server_jira.token, PASSWORD) if secret.encode() in done.stdout + done.stderr]


def test_an_environment_that_wins_is_told(tmp_path: Path, cloud_jira: RunningJira, person: Person) -> None:
    """A variable of the environment with another value makes what was written count for nothing: a warning names it."""
    file = answers(tmp_path, cloud_jira, person)
    done = init(tmp_path, "--answers", str(file), SOME_TOKEN=cloud_jira.token, IMAP_PORT="1", IMAP_FOLDER="INBOX")

    assert done.returncode == 0
    assert "the environment sets IMAP_PORT, too" in done.stdout.decode()


def test_an_answer_that_does_not_work_writes_nothing(tmp_path: Path, cloud_jira: RunningJira, person: Person) -> None:
    """All parts are tested, each failure has its cure, the exit code is 1."""
    file = answers(tmp_path, cloud_jira, person, letters={"host": "127.0.0.1", "port": 9})
    (tmp_path / "password").write_text("wrong", encoding="utf-8")
    done = init(tmp_path, "--answers", str(file), SOME_TOKEN="dead")

    assert done.returncode == 1
    assert "Jira refuses it" in done.stdout.decode()
    assert "mailbox" in done.stdout.decode()
    assert "Nothing was written" in done.stdout.decode()
    assert not (tmp_path / ".env").exists()


def test_every_mistake_of_the_file_at_once(tmp_path: Path) -> None:
    """Missing, misspelt and impossible values, secrets in the file and variables that are not set; exit code 2."""
    (tmp_path / "answers.yaml").write_text(
        "jira:\n  url: https://acme.atlassian.net\n  token: {env: NOT_SET}\n  project: 1-ops\n"
        "mailbox:\n  adress: a@b.example\n  password: hunter2\n  port: 99999\nmodel: {}\n",
        encoding="utf-8",
    )
    done = init(tmp_path, "--answers", "answers.yaml")
    told = done.stderr.decode()

    assert done.returncode == 2
    for words in ("jira.token", "nothing is in NOT_SET", "jira.project", "did you mean address?", "mailbox.password"):
        assert words in told
    assert "does not stand in this file" in told
    assert "model: give `key`" in told
    assert "hunter2" not in told


def test_without_a_terminal_the_way_for_machines_is_named(tmp_path: Path) -> None:
    """Questions that nobody can answer are not asked."""
    done = init(tmp_path)

    assert done.returncode == 2
    assert "--answers" in done.stderr.decode()
    assert "--json" in init(tmp_path, "--json").stderr.decode()


def test_the_form_of_the_file_can_be_printed(tmp_path: Path) -> None:
    """Editors and programs get a JSON Schema."""
    schema = json.loads(init(tmp_path, "--schema").stdout)

    assert set(schema["properties"]) == {"jira", "mailbox", "model", "letters"}
