"""A link in a chat message shows what would be done, and its button does it once: over real HTTP, with real processes."""

import re
import socket

import httpx2
import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from tests.servers.ntfy import ntfy

FIXED = MAILS / "09-queue-alarm-fixed.eml"
NADIA = "nadia.ferreira@harbourline.example"


@pytest.fixture
def port() -> int:
    """A port that is free."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def given(installation: Installation, port: int, push: str) -> dict[str, str]:
    """Settings of a service whose chat messages carry links."""
    config = installation.folder / "triage.yaml"
    config.write_text(f"approvals: {{approvers: {{people: [{NADIA}]}}}}\n")
    return {
        "PORT": str(port),
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        "NOTIFY_URLS": push,
        "NOTIFY_APPROVER": NADIA,
        "TRIAGE_CONFIG": str(config),
    }


def test_from_a_chat_message_to_jira(installation: Installation, port: int) -> None:
    """Following the link decides nothing, the button does; a second time, changed or of another key it is refused."""
    installation.triage("process", str(FIXED))
    with ntfy() as push:
        settings = given(installation, port, push.url)
        with running(installation, "serve", **settings) as serve:
            until(lambda: push.taken, serve)
            yes, no = re.findall(r"(?:yes|no): (http://\S+)", push.taken[0]["message"])
            page = re.findall(r"open: (http://\S+)", push.taken[0]["message"])
            looks = [httpx2.get(yes), httpx2.head(yes), httpx2.get(yes)]
            waiting = installation.json("approve")
            decided = httpx2.post(yes)
            until(lambda: status(installation) == "Done", serve)
            again, other = httpx2.post(yes), httpx2.post(no)
            forged = httpx2.post(f"{yes[:-2]}AA")
            until(lambda: "link refused" in str(push.titles), serve)

    assert page == [f"http://127.0.0.1:{port}/approvals/1"]
    assert [look.status_code for look in looks] == [200, 200, 200]
    assert "HARB-45 status" in looks[0].text
    assert "Yes, do exactly this" in looks[0].text
    assert "script" not in looks[0].text
    assert looks[0].headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in looks[0].headers["content-security-policy"]
    assert len(waiting) == 1
    assert (decided.status_code, "Accepted" in decided.text) == (200, True)
    assert (again.status_code, "used before" in again.text) == (410, True)
    assert (other.status_code, "somebody has decided already" in other.text) == (410, True)
    assert (forged.status_code, "was not made by Triage" in forged.text) == (404, True)
    assert len(installation.jira.requests("POST", "/issue/HARB-45/transitions")) == 1


def test_without_public_url_there_is_no_room(installation: Installation) -> None:
    """The page does not exist until it is switched on; other methods are refused."""
    with running(installation, "serve", PORT="0") as serve:
        assert httpx2.get(f"{serve.url}/approve/x").status_code == 404
    with running(installation, "serve", PORT="0", PUBLIC_URL="https://triage.example.com") as serve:
        assert httpx2.put(f"{serve.url}/approve/x").status_code == 405
        assert httpx2.get(f"{serve.url}/approve/").status_code == 404


def status(installation: Installation) -> str:
    """The ticket's status, by Jira."""
    with installation.jira.api("2") as api:
        return str(api.get("/issue/HARB-45").json()["fields"]["status"]["name"])
