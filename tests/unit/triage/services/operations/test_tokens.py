"""The service of tokens over a real store."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from integrations.sql.store import SqlStore, open_store
from tests.contract.store.store_samples import HeldClock
from tests.database import migrated
from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.errors import TokenInvalid, TokenNotFound
from triage.domain.operations.tokens import AccessScope
from triage.services.operations.tokens import TokenService


@pytest.fixture
def tokens(store: SqlStore, clock: HeldClock) -> TokenService:
    """The service."""
    return TokenService(store=store.tokens, deeds=store.deeds, clock=clock)


async def test_a_token_is_known_again(tokens: TokenService, clock: HeldClock) -> None:
    """Whoever shows it is its holder; its use is recorded to the hour."""
    assert not await tokens.usable()
    text, made = await tokens.create("board", AccessScope.VIEWER, 30, by="ada", person="ada@example.com")
    first = await tokens.holder(text)
    await clock.sleep(600)
    await tokens.holder(text)

    assert await tokens.usable()
    assert first == made
    assert [one.used_at for one in await tokens.tokens()] == [clock.now() - timedelta(seconds=600)]
    assert text.startswith(made.hint)


async def test_the_text_is_kept_nowhere(tokens: TokenService, store: SqlStore, tmp_path: Path) -> None:
    """The database holds a hash: who reads it cannot use the API."""
    text, _ = await tokens.create("board", AccessScope.ADMIN, 30, by="ada")
    await store.close()
    with sqlite3.connect(tmp_path / "triage.db") as connection:
        dumped = "\n".join(connection.iterdump())
    connection.close()

    assert "board" in dumped
    assert text not in dumped
    assert text[12:] not in dumped


async def test_what_is_no_valid_token(tokens: TokenService, store: SqlStore, clock: HeldClock) -> None:
    """Unknown, revoked and expired ones are told apart for their holder, and open nothing; who revokes one again changes nothing."""
    other = "triage_" + "a" * 40
    revoked, made = await tokens.create("a", AccessScope.VIEWER, 30, by="ada")
    expired, _ = await tokens.create("b", AccessScope.VIEWER, 1, by="ada")
    await tokens.revoke(made.id, by="ada")
    await clock.sleep(86_400)
    again = await tokens.revoke(made.id, by="bob")

    for text, why in ((other, "no token"), (revoked, "revoked"), (expired, "expired")):
        with pytest.raises(TokenInvalid, match=why):
            await tokens.holder(text)
    assert again.revoked_at == clock.now() - timedelta(days=1)
    told = await store.deeds.deeds(AuditFilter(), 9)
    assert [(one.by, one.at) for one in told if one.kind == "token_revoked"] == [("ada", again.revoked_at)]
    assert not await tokens.usable()
    with pytest.raises(TokenNotFound):
        await tokens.revoke(99, by="ada")


async def test_one_that_nobody_knows(tokens: TokenService, store: SqlStore, clock: HeldClock, tmp_path: Path) -> None:
    """A token of another installation is well formed and opens nothing here."""
    elsewhere = await open_store(f"sqlite:///{migrated(tmp_path / 'other.db')}", clock)
    text, _ = await TokenService(store=elsewhere.tokens, deeds=elsewhere.deeds, clock=clock).create(
        "a", AccessScope.ADMIN, 1, by="ada"
    )
    await elsewhere.close()

    with pytest.raises(TokenInvalid, match="nobody knows it"):
        await tokens.holder(text)
