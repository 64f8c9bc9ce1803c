"""The checks of the doctor, run for pages."""

import asyncio
from collections.abc import AsyncIterator

from tests.contract.store.store_samples import HeldClock
from triage.domain.operations.checks import Finding
from triage.domain.operations.errors import ChecksFailed
from triage.services.installation.self_check import CheckScope, SelfCheck

LOGIN = Finding("login", "ok", "we are Triage")
SEARCH = Finding("search", "fail", "shows no ticket", "rebuild the index")


async def test_findings_come_as_they_are_made() -> None:
    """The run shows what is found so far; a second one who begins gets the run that goes on; then a new one may begin."""
    more = asyncio.Event()

    async def run(_: CheckScope) -> AsyncIterator[Finding]:
        yield LOGIN
        await more.wait()
        yield SEARCH

    check = SelfCheck(run=run, clock=HeldClock())
    begun = check.begin(CheckScope.JIRA, "ada")
    await asyncio.sleep(0)
    half, joined = check.last, check.begin(CheckScope.ALL, "bo")
    more.set()
    await check.ended()
    whole, again = check.last, check.begin(CheckScope.ALL, "bo")
    await check.ended()

    assert (begun.findings, half.findings if half else None, joined.by) == ((), (LOGIN,), "ada")
    assert whole
    assert (whole.findings, whole.ended_at, whole.looks) == ((LOGIN, SEARCH), check.clock.now(), CheckScope.JIRA)
    assert (again.by, again.looks, again.findings) == ("bo", CheckScope.ALL, ())


async def test_checks_that_break_off() -> None:
    """What was found is kept, and why there is no more."""

    async def run(_: CheckScope) -> AsyncIterator[Finding]:
        yield LOGIN
        raise ChecksFailed("killed")

    check = SelfCheck(run=run, clock=HeldClock())
    check.begin(CheckScope.ALL, "ada")
    await check.ended()

    assert check.last
    assert (check.last.findings, "killed" in check.last.trouble, check.last.ended_at is None) == ((LOGIN,), True, False)
