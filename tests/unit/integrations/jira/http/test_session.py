"""A file on its way over the wire: a form that Jira takes, and whatever its name holds."""

from email import message_from_bytes, policy

import pytest

from integrations.jira.http.session import JiraSession
from integrations.jira.http.wire import JiraWire, Login
from tests.servers.scripted_jira import Reply, ScriptedJira, Slept
from triage.domain.ports import no_failpoint
from triage.domain.tickets import Upload


@pytest.mark.parametrize("name", ["log.txt", "Übersicht 世界.pdf", 'a"b;c=d.txt'])
async def test_a_file_goes_as_a_form(jira: ScriptedJira, slept: Slept, name: str) -> None:
    """One part called `file`, its bytes as they are, and the header without which Jira suspects a browser."""
    content = bytes(range(256)) * 3
    jira.on("POST issue/OPS-1/attachments", Reply(body=[{"id": "7"}]))
    session = JiraSession(JiraWire(jira.url, Login(token="x"), 5), sleep=slept, failpoint=no_failpoint)
    await session.write(
        "POST", "issue/OPS-1/attachments", Upload(name=name, content_type="text/x-log", content=content)
    )
    await session.close()
    asked = jira.last("POST issue/OPS-1/attachments")
    head = b"Content-Type: " + asked.headers["content-type"].encode() + b"\r\n\r\n"
    form = message_from_bytes(head + asked.body, policy=policy.HTTP)
    (part,) = form.iter_parts()

    assert asked.headers["x-atlassian-token"] == "no-check"
    assert part.get_payload(decode=True) == content
    assert part["content-type"] == "text/x-log"
    assert f'name="file"; filename="{name.replace(chr(34), "%22")}"'.encode() in asked.body


async def test_a_path_of_another_interface_is_left_alone(jira: ScriptedJira, slept: Slept) -> None:
    """Boards and requests have versions of their own."""
    jira.on("GET agile/1.0/board", Reply(body={"values": []}))
    session = JiraSession(JiraWire(jira.url, Login(token="x"), 5), sleep=slept, failpoint=no_failpoint)
    answer = await session.read("GET", "/agile/1.0/board")
    await session.close()

    assert answer == {"values": []}
