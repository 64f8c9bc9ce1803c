"""Who may set Triage up on the page."""

import pytest

from tests.contract.store.store_samples import HeldClock
from triage.domain.operations.errors import SignInRefused, TokenInvalid, TooManyTries
from triage.services.setup.page_access import SetupAccess


async def ada_alone(address: str, password: str) -> None:
    """Let only Ada in."""
    if (address, password) != ("ada", "river"):
        raise SignInRefused


async def test_a_token_opens_once() -> None:
    """Whoever brings it gets a session that nobody else holds; an empty one holds nothing."""
    access = SetupAccess(clock=HeldClock())
    token = access.offer()
    session = await access.enter(f" {token} ", "", "", "127.0.0.1")

    assert (access.holds(session), access.holds(token), access.holds(""), access.is_open) == (True, False, False, False)
    with pytest.raises(TokenInvalid):
        await access.enter(token, "", "", "127.0.0.1")


async def test_an_admin_besides() -> None:
    """A wrong password leaves the token as it was; tries are counted."""
    access = SetupAccess(clock=HeldClock(), admin=ada_alone)
    token = access.offer()
    with pytest.raises(SignInRefused):
        await access.enter(token, "eve", "river", "127.0.0.1")
    session = await access.enter(token, "ada", "river", "127.0.0.1")

    assert access.holds(session)
    assert access.opened.is_set()
    for _ in range(3):
        with pytest.raises(TokenInvalid):
            await access.enter("x", "", "", "127.0.0.1")
    with pytest.raises(TooManyTries):
        await access.enter("x", "", "", "127.0.0.1")
