"""`triage serve` and `triage work` as real processes: mail by HTTP becomes a ticket, and a stop is a clean one."""

import json
import signal
from datetime import UTC, datetime

import httpx2

from tests.e2e.cli.service.conftest import LOGIN, SECRET
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from triage_sandbox.jira import Fault
from webhooks.signatures import SigningKeys

NEW = (MAILS / "01-barcode-cut-off.eml").read_bytes()
OTHER = (MAILS / "23-negative-carbon.eml").read_bytes()


def bring(url: str, raw: bytes, name: str = "msg_1") -> httpx2.Response:
    """A mail by the signed webhook."""
    signed = SigningKeys.read([SECRET], "WEBHOOK_SECRET").sign(name, datetime.now(UTC), raw)
    return httpx2.post(f"{url}/webhooks/mime", content=raw, headers=signed)


def test_mail_by_http_becomes_tickets(open_app: Installation) -> None:
    """Raw and Postmark mail is acknowledged with its case and becomes a ticket; the same delivery again is no second
    one; strangers are refused; health says so; SIGTERM ends it with exit code 0 and says no traceback.
    """
    with running(open_app, "serve") as serve:
        url = serve.url
        live, ready = httpx2.get(f"{url}/health/live"), httpx2.get(f"{url}/health/ready")
        first, again = bring(url, NEW), bring(url, NEW)
        fields = {"MessageID": "pm-1", "RawEmail": OTHER.decode()}
        postmark = httpx2.post(f"{url}/webhooks/postmark", json=fields, auth=LOGIN)
        stranger = httpx2.post(f"{url}/webhooks/mime", content=NEW)
        until(lambda: len(open_app.created()) == 2, serve)
        code = serve.ended()
    listed = open_app.json("cases")

    assert (live.status_code, ready.status_code, ready.json()["ready"]) == (200, 200, True)
    assert [(first.status_code, first.json()["cases"]), again.json()["cases"]] == [(200, ["case-1"]), ["case-1"]]
    assert (postmark.status_code, len(postmark.json()["cases"]), stranger.status_code) == (200, 1, 401)
    assert (listed["counts"], open_app.created()) == ({"ticketed": 2}, ["HARB-71", "HARB-72"])
    assert (code, "Traceback" in serve.said) == (0, False), serve.said
    assert open_app.triage("show", postmark.json()["cases"][0], "--raw").stdout == OTHER


def test_two_jiras_on_one_database(open_app: Installation) -> None:
    """A second process whose settings name another project is not ready and says why; the first one is not disturbed."""
    with running(open_app, "serve") as first:
        until(lambda: httpx2.get(f"{first.url}/health/ready").json()["ready"], first)
        open_app.extra["JIRA_PROJECT_KEY"] = "HELP"
        with running(open_app, "serve") as second:
            until(lambda: httpx2.get(f"{second.url}/health/ready").status_code == 503, second)
            answer = httpx2.get(f"{second.url}/health/ready").json()
            well = httpx2.get(f"{first.url}/health/ready")
            second.ended()

    assert (answer["parts"]["jira_settings"], well.status_code) == (False, 200)
    assert ("HARB at" in answer["jira"], "HELP at" in answer["jira"]) == (True, True)
    assert second.said.count("tracker.settings_differ") == 1


def test_a_stop_finishes_what_is_begun(open_app: Installation) -> None:
    """SIGTERM in the middle of a case: it is brought to its end first, then the process goes."""
    open_app.jira.fault(Fault(do="delay", method="POST", path="/issue$", seconds=1.0))
    with running(open_app, "serve") as serve:
        bring(serve.url, NEW)
        until(lambda: open_app.jira.requests("POST", "/issue$"), serve)
        code = serve.ended()

    assert (code, open_app.created()) == (0, ["HARB-71"]), serve.said
    assert open_app.json("cases")["counts"] == {"ticketed": 1}


def test_a_door_and_a_worker_apart(open_app: Installation) -> None:
    """`serve --no-work` only takes mail in, even while Jira is down; `work` beside it makes the tickets."""
    open_app.jira.fault(Fault(do="answer", status=503, count=0))
    with running(open_app, "serve", "--no-work") as serve, running(open_app, "work") as work:
        taken = bring(serve.url, NEW)
        waiting = until(lambda: open_app.json("cases", "--state", "retrying")["cases"], serve, work)
        open_app.jira.app.faults.clear()
        until(open_app.created, serve, work)
        until(lambda: open_app.json("cases")["counts"] == {"ticketed": 1}, serve, work)
        codes = serve.ended(), work.ended(signal.SIGINT)

    assert (taken.status_code, waiting[0]["id"], codes) == (200, "case-1", (0, 0)), work.said
    assert "Traceback" not in serve.said + work.said


def test_logs_are_one_word_and_fields(open_app: Installation) -> None:
    """With LOG_JSON each line is one JSON object with the case; what was in the mail stands in none."""
    with running(open_app, "serve", LOG_JSON="true") as serve:
        bring(serve.url, NEW)
        until(open_app.created, serve)
        serve.ended()
    lines = [json.loads(line) for line in serve.said.splitlines() if line.startswith("{")]

    assert [line["cases"] for line in lines if "webhook.accepted" in line.values()] == [["case-1"]]
    assert "barcode" not in "".join(map(json.dumps, lines)).casefold()
