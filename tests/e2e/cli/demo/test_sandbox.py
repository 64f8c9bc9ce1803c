"""`triage sandbox jira` as a real process: every trait from the command line, and all mistakes at once."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from jira import JIRA

from tests.conftest import PATIENCE, ROOT
from tests.e2e.launcher import launcher, run


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}


@contextmanager
def started(folder: Path, *words: str) -> Iterator[str]:
    """The process, gone afterwards in any case; what it has printed when it is up."""
    log = folder / "said.log"
    with log.open("wb") as out, Path(os.devnull).open("rb") as nothing:
        files = (nothing.fileno(), out.fileno(), out.fileno())
        process = launcher().start(["sandbox", "jira", "--port", "0", *words], _environment(), folder, *files)
    try:
        deadline = time.monotonic() + PATIENCE
        while "JIRA_API_TOKEN" not in (said := log.read_text()) and "JIRA_TOKEN" not in said:
            assert process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)
        yield said
    finally:
        process.kill()
        process.wait()


def board(said: str) -> str:
    """The address that it tells first."""
    found = re.search(r"Board: (\S+)", said)
    assert found is not None
    return found[1]


def refused(*words: str) -> tuple[int, str]:
    """Exit code and what was said, on one line of single blanks."""
    done = run(["sandbox", "jira", *words], _environment(), ROOT)
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said, said
    return done.returncode, " ".join(re.sub("[│╭╮╰╯─]", " ", said).split())


def test_a_data_center_under_a_path_over_tls(tmp_path: Path, certificate: Path) -> None:
    """Its own version, users and projects; the package works with it as with any other."""
    words = [
        *("--deployment", "server", "--version", "9.12.4", "--context-path", "jira", "--tls-cert", str(certificate)),
        *("--user", "admin:pass:word:admin", "--user", "ann:secret", "--seed", "none"),
        *("--project", "AUTOTEST:scrum", "--project", "DESK:service_desk"),
    ]
    with started(tmp_path, *words) as said:
        url = board(said)
        options: dict[str, Any] = {"verify": str(certificate)}
        chief: Any = JIRA(server=url, options=options, basic_auth=("admin", "pass:word"), max_retries=0)
        ann: Any = JIRA(server=url, options=options, basic_auth=("ann", "secret"), max_retries=0)

        assert re.fullmatch(r"https://127\.0\.0\.1:\d+/jira", url)
        assert "export JIRA_EMAIL=admin JIRA_API_TOKEN=pass:word" in said
        assert (chief._is_cloud, chief._version) == (False, (9, 12, 4))
        assert {"AUTOTEST", "DESK", "HARB"} <= {project.key for project in chief.projects()}
        made = ann.create_issue(project="AUTOTEST", summary="one", issuetype={"name": "Task"})
        assert made.permalink() == f"{url}/browse/AUTOTEST-1"
        assert chief.search_issues("project = HARB") == []
        assert chief.my_permissions(permissions="ADMINISTER")["permissions"]["ADMINISTER"]["havePermission"]
        assert not ann.my_permissions(permissions="ADMINISTER")["permissions"]["ADMINISTER"]["havePermission"]
        chief.close()
        ann.close()


def test_a_cloud_for_anybody_that_keeps_what_it_is_told(tmp_path: Path) -> None:
    """Open doors, an address behind a proxy, and a file that the next one goes on with."""
    words = ("--auth", "open", "--base-url", "https://jira.example.com", "--database", str(tmp_path / "jira.db"))
    ticket = {"fields": {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "kept"}}
    keys = []
    for _ in range(2):
        with started(tmp_path, *words) as said:
            made = httpx2.post(f"{board(said)}/rest/api/3/issue", json=ticket).json()
            keys.append(made["key"])
            assert made["self"].startswith("https://jira.example.com/rest/api/3/issue/")
            assert "JIRA_BASE_URL=https://jira.example.com " in said

    assert keys == ["HARB-71", "HARB-72"]


def test_trouble_from_the_beginning(tmp_path: Path) -> None:
    """Rules of the command line are in force with the first request, and end by their own count."""
    rule = '{"do": "answer", "method": "GET", "path": "/project/HARB$", "status": 503, "count": 2}'
    with started(tmp_path, "--auth", "open", "--fault", rule) as said:
        codes = [httpx2.get(f"{board(said)}/rest/api/3/project/HARB").status_code for _ in range(3)]

    assert codes == [503, 503, 200]


def test_all_mistakes_at_once() -> None:
    """Each is named with its cure, and nothing is started."""
    wrong = [
        *("--seed", "many", "--user", "ann", "--user", "ben:x", "--user", "Ben:y"),
        *("--project", "lower:scrum", "--project", "DEMO:wish", "--project", "HARB:scrum"),
        *("--fault", '{"do": "explode"}', "--fault", '{"do": "reset", "path": "("}'),
        *("--version", "new", "--base-url", "ftp://x", "--context-path", "a b", "--tls-key", "/absent"),
    ]
    code, said = refused(*wrong)

    assert code == 2
    for cure in (
        "--seed many: write a whole number, or none",
        "--user ann: write NAME:PASSWORD, or NAME:PASSWORD:admin",
        "--user Ben:y: Ben is there already",
        "--project lower:scrum: a key is two to ten capitals and digits",
        "--project DEMO:wish: the template is one of scrum, kanban",
        "--project HARB:scrum: there is a HARB already",
        '--fault {"do": "explode"}: do: Input should be',
        '--fault {"do": "reset", "path": "("}: path is no regular expression',
        "--version new: write numbers like 9.12.0",
        "--base-url ftp://x: write the whole address",
        "--context-path /a b: write one like /jira",
        "--tls-key /absent: needs a certificate, add --tls-cert",
    ):
        assert cure in said


def test_a_certificate_that_is_none(tmp_path: Path) -> None:
    """It is told how to make a pair."""
    file = tmp_path / "cert.pem"
    file.write_bytes(b"no certificate")
    code, said = refused("--tls-cert", str(file))

    assert (code, "a new pair: openssl req -x509" in said) == (2, True)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """Another one is asked for."""
    with started(tmp_path) as said:
        code, refusal = refused("--port", board(said).rpartition(":")[2])

    assert (code, "choose another one, or 0" in refusal) == (2, True)
