"""What every leadership must do."""

from collections.abc import AsyncIterator, Callable

import pytest

from triage.domain.ports import Leadership

Open = Callable[[], Leadership]


class LeadershipContract:
    """Duties among processes; a subclass says how a process opens its side."""

    @pytest.fixture
    def open_one(self) -> Open:
        """Return the leadership of one more process."""
        pytest.fail("the subclass opens it")

    @pytest.fixture
    async def one(self, open_one: Open) -> AsyncIterator[Leadership]:
        """A process."""
        opened = open_one()
        yield opened
        await opened.close()

    @pytest.fixture
    async def other(self, open_one: Open) -> AsyncIterator[Leadership]:
        """Another process."""
        opened = open_one()
        yield opened
        await opened.close()

    async def test_one_has_it(self, one: Leadership, other: Leadership) -> None:
        """Who comes first has the duty and keeps it when he asks again; other duties are free."""
        assert [await one.hold("sweep"), await other.hold("sweep")] == [True, False]
        assert [await one.hold("sweep"), await other.hold("sweep")] == [True, False]
        assert await other.hold("mailbox support") is True

    async def test_given_up(self, one: Leadership, other: Leadership) -> None:
        """What is given up, however often it was held, is anybody's; to give up what one does not have is nothing."""
        await one.hold("sweep")
        await one.hold("sweep")
        await other.release("sweep")
        assert await other.hold("sweep") is False
        await one.release("sweep")

        assert [await other.hold("sweep"), await one.hold("sweep")] == [True, False]

    async def test_an_ended_process_has_none(self, one: Leadership, other: Leadership) -> None:
        """A process that closes gives up everything."""
        for duty in ("sweep", "tickets"):
            await one.hold(duty)
        await one.close()

        assert [await other.hold(duty) for duty in ("sweep", "tickets")] == [True, True]
