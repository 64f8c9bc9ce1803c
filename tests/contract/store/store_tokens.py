"""What every store must do with tokens, with mails it does not take, and with more mails than it can."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from integrations.sql import inbox as sql_intake
from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import mail
from triage.domain.errors import Replayed, StoreDown

UNTELLABLE = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
"""A moment that cannot be told in UTC, as a lying mail server may send."""


class TokensContract:
    """Accepting what should not be accepted."""

    async def test_token_brings_one_mail(self, store: SqlStore, second_store: SqlStore) -> None:
        """A token that has brought a mail brings it again, and never another one, whichever process is asked."""
        first = replace(mail(1), token="t")

        case = await store.inbox.accept(first)

        assert case == await second_store.inbox.accept(first)
        with pytest.raises(Replayed):
            await second_store.inbox.accept(replace(mail(2), token="t"))
        assert await store.inbox.accept(replace(mail(3), token="u")) != case

    async def test_tokens_in_one_commit(self, store: SqlStore) -> None:
        """Mails that share a commit share no token; one that is refused keeps no other out."""
        received = [replace(mail(number), token="t" if number < 3 else "") for number in range(10)]

        said = await asyncio.gather(*map(store.inbox.accept, received), return_exceptions=True)

        assert [isinstance(one, Replayed) for one in said] == [number in {1, 2} for number in range(10)]
        assert len({one for one in said if isinstance(one, str)}) == 8
        assert await store.archive.counts() == {"ready": 8}

    async def test_one_that_is_not_taken(self, store: SqlStore) -> None:
        """A mail that the database refuses keeps those of the same commit out of nothing."""
        received = [mail(number) for number in range(20)]
        received[7] = replace(received[7], at=UNTELLABLE)

        said = await asyncio.gather(*map(store.inbox.accept, received), return_exceptions=True)

        assert [number for number, one in enumerate(said) if not isinstance(one, str)] == [7]
        assert await store.archive.counts() == {"ready": 19}

    async def test_more_than_it_can(self, store: SqlStore) -> None:
        """More mails than may wait are refused at once, with a time to come again; those that wait are kept."""
        many = sql_intake.MOST + 100

        said = await asyncio.gather(
            *(store.inbox.accept(mail(number)) for number in range(many)), return_exceptions=True
        )

        refused = [one for one in said if isinstance(one, StoreDown)]
        assert len(refused) == 100
        assert {one.retry_after for one in refused} == {sql_intake.PATIENCE}
        assert await store.archive.counts() == {"ready": sql_intake.MOST}
        assert await store.inbox.accept(mail("later"))

    async def test_more_bytes_than_it_can(self, store: SqlStore) -> None:
        """The bytes that wait are bounded, too."""
        raw = bytes(8_000_000)

        said = await asyncio.gather(*(store.inbox.accept(mail(n, raw=raw)) for n in range(12)), return_exceptions=True)

        kept = [one for one in said if isinstance(one, str)]
        assert len(kept) == sql_intake.MOST_BYTES // len(raw)
        assert await store.archive.counts() == {"ready": len(kept)}
