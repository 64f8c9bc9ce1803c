"""What every object store must do."""

import pytest

from triage.domain.operations.errors import ArchivedMailLost
from triage.domain.ports import ObjectStore

KEY = "2026-11/case-1-0a.eml"
ALL_BYTES = bytes(range(256)) * 300


class ObjectStoreContract:
    """Each adapter gives a fixture `objects` and passes all of it."""

    async def test_what_was_put_comes_back(self, objects: ObjectStore) -> None:
        """All bytes, large or none at all, each under its own key."""
        await objects.put(KEY, ALL_BYTES)
        await objects.put("2026-12/case-2-0b.eml", b"")

        assert (await objects.get(KEY), await objects.get("2026-12/case-2-0b.eml")) == (ALL_BYTES, b"")

    async def test_the_same_key_again(self, objects: ObjectStore) -> None:
        """A put that is repeated takes the place of the first."""
        await objects.put(KEY, b"half")
        await objects.put(KEY, ALL_BYTES)

        assert await objects.get(KEY) == ALL_BYTES

    async def test_what_is_not_there(self, objects: ObjectStore) -> None:
        """It is told by its key, and may be deleted all the same."""
        await objects.delete(KEY)
        with pytest.raises(ArchivedMailLost, match=KEY):
            await objects.get(KEY)

    async def test_what_was_deleted(self, objects: ObjectStore) -> None:
        """It is gone, and nothing else is."""
        await objects.put(KEY, b"one")
        await objects.put("2026-11/case-2-0b.eml", b"two")
        await objects.delete(KEY)

        assert await objects.get("2026-11/case-2-0b.eml") == b"two"
        with pytest.raises(ArchivedMailLost):
            await objects.get(KEY)
