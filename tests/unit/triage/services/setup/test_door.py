"""Who may set Triage up on the page."""

import pytest

from tests.contract.store.store_samples import HeldClock
from triage.domain.operations.errors import SignInRefused, TokenInvalid, TooManyTries
from triage.services.setup.door import Door


async def ada_alone(address: str, password: str) -> None:
    """Let only Ada in."""
    if (address, password) != ("ada", "river"):
        raise SignInRefused


async def test_a_token_opens_once() -> None:
    """Whoever brings it gets a session that nobody else holds; an empty one holds nothing."""
    door = Door(clock=HeldClock())
    token = door.offer()
    session = await door.enter(f" {token} ", "", "", "127.0.0.1")

    assert (door.holds(session), door.holds(token), door.holds(""), door.is_open) == (True, False, False, False)
    with pytest.raises(TokenInvalid):
        await door.enter(token, "", "", "127.0.0.1")


async def test_an_admin_besides() -> None:
    """A wrong password leaves the token as it was; tries are counted."""
    door = Door(clock=HeldClock(), admin=ada_alone)
    token = door.offer()
    with pytest.raises(SignInRefused):
        await door.enter(token, "eve", "river", "127.0.0.1")
    session = await door.enter(token, "ada", "river", "127.0.0.1")

    assert door.holds(session)
    assert door.opened.is_set()
    for _ in range(3):
        with pytest.raises(TokenInvalid):
            await door.enter("x", "", "", "127.0.0.1")
    with pytest.raises(TooManyTries):
        await door.enter("x", "", "", "127.0.0.1")
