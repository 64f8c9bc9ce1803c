"""Every request that the product sends to a sandbox Jira in any test, and every answer, held against Atlassian's documents.

A violation fails the test during which it happened, whichever test that is, and is listed again at the end of the run.
Requests are ours by their User-Agent; processes that a test starts talk to the same sandboxes. Where the documents are
absent nothing is held against anything, and the end of the run says so.
"""

import time
from collections.abc import Generator
from functools import cache
from typing import Any, Final

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.conftest import SHARED
from tests.servers.official.documents import Exchange, Official
from triage_sandbox.jira import JiraSandbox

DOCUMENTS: Final = SHARED / "data" / "jira-openapi"
_OURS: Final = (b"user-agent", b"triage")
_JSON: Final = b"application/json"


class Ledger:
    """What has happened since the last look."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.exchanges = 0
        self.seconds = 0.0

    def take(self) -> list[str]:
        """The violations, each once; they are taken off the list."""
        found, self.violations = self.violations, []
        return list(dict.fromkeys(found))


LEDGER: Final = Ledger()


@cache
def official(*, cloud: bool) -> Official:
    """The documents of one kind, read when the first request comes."""
    return Official.read(DOCUMENTS, cloud=cloud)


def watched(sandbox: JiraSandbox) -> ASGIApp:
    """The sandbox under the eyes of the documents."""
    return Watch(sandbox) if DOCUMENTS.is_dir() else sandbox


class Watch:
    """Stands before a sandbox and passes everything on as it came."""

    tells_time = True
    """As the sandbox does, which dates its answers by a clock of its own."""

    def __init__(self, sandbox: JiraSandbox) -> None:
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        where = scope["path"].find("/rest/") if scope["type"] == "http" and _OURS in scope["headers"] else -1
        if where < 0:
            await self._sandbox(scope, receive, send)
            return
        body = await _whole(receive)
        seen = Exchange(scope["method"], scope["path"][where:], scope["query_string"].decode("latin-1"), body)
        self._judge(seen, answered=False)
        await self._sandbox(scope, _replayed(body, receive), self._listening(seen, send))

    def _listening(self, seen: Exchange, send: Send) -> Send:
        """Judges the answer before its last byte leaves, so that no test can have ended by then."""
        head: Message = {}
        said = bytearray()

        async def listen(message: Message) -> None:
            if message["type"] == "http.response.start":
                head.update(message)
            elif message["type"] == "http.response.body":
                said.extend(message.get("body", b""))
                if not message.get("more_body") and self._is_jiras_own(head):
                    told = Exchange(seen.method, seen.path, seen.query, seen.body, head["status"], bytes(said))
                    self._judge(told, answered=True)
            await send(message)

        return listen

    def _is_jiras_own(self, head: Message) -> bool:
        """An answer that no fault of a test has made, in JSON or empty."""
        kinds = [value for name, value in head.get("headers", ()) if name.lower() == b"content-type"]
        return not self._sandbox.faults.listed and all(kind.startswith(_JSON) for kind in kinds)

    def _judge(self, seen: Exchange, *, answered: bool) -> None:
        began = time.thread_time()
        book = official(cloud=self._sandbox.site.cloud)
        LEDGER.violations += book.answer(seen) if answered else book.request(seen)
        LEDGER.exchanges += answered
        LEDGER.seconds += time.thread_time() - began


async def _whole(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body again, and then whatever else the client does."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


# --- how a test run hears of it -------------------------------------------------------------------

_NAME: Final = "official documents"


def _told(item: pytest.Item) -> list[str]:
    """What has happened during this test; noted in its report, which also finds its way out of a worker process."""
    found = LEDGER.take()
    item.user_properties += [(_NAME, each) for each in found]
    return found


def _fail(found: list[str]) -> None:
    if found:
        pytest.fail("not as Atlassian's documents have it:\n" + "\n".join(f"  {each}" for each in found), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that has passed fails where it made the product say something that Jira does not know."""
    try:
        result = yield
    finally:
        found = _told(item)
    _fail(found)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """The same for what was said before and after the test itself."""
    try:
        result = yield
    finally:
        found = _told(item)
    _fail(found)
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nor does a run pass in which something was said after the last test."""
    if LEDGER.violations:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The list, and what it cost."""
    if not DOCUMENTS.is_dir():
        terminalreporter.write_line(f"{_NAME}: absent at ../shared/data, requests to Jira were not held against them")
        return
    reports = (
        report for kind in terminalreporter.stats.values() for report in kind if hasattr(report, "user_properties")
    )
    told = {str(told) for report in reports for name, told in report.user_properties if name == _NAME}
    found = sorted(told | set(LEDGER.violations))
    if found:
        terminalreporter.section(_NAME, sep="=", red=True)
    for each in found:
        terminalreporter.write_line(each)
    if LEDGER.exchanges:
        cost = f"{LEDGER.exchanges} exchanges with Jira for {LEDGER.seconds:.1f} s of processor time"
        terminalreporter.write_line(f"{_NAME}: {cost}, {len(found)} violations")
