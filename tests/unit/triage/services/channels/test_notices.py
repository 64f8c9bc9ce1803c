"""People are told once, at most once an hour and kind, and of the end of what they were told of."""

from dataclasses import dataclass, field

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock
from triage.domain.channels.errors import ChannelDown
from triage.domain.channels.notices import Bulletin, Notice, NoticeKind
from triage.services.channels.notices import Notices


@dataclass
class Channel:
    """A channel that keeps what it is given."""

    name: str = "chat"
    down: bool = False
    taken: list[Bulletin] = field(default_factory=list)

    async def send(self, bulletin: Bulletin) -> None:
        """As the port says."""
        if self.down:
            raise ChannelDown(self.name, "away")
        self.taken.append(bulletin)


def about(key: str, kind: NoticeKind = NoticeKind.DEAD_CASE) -> Notice:
    """Something to tell."""
    return Notice(kind=kind, text=f"About {key}", key=key)


async def test_a_digest_instead_of_a_flood(store: SqlStore, clock: HeldClock) -> None:
    """The first is told at once, what follows within the hour in one message; a restart repeats nothing."""
    channel = Channel()
    notices = Notices(store=store.notices, clock=clock, channels=(channel,))
    for number in range(30):
        await notices.tell(about(str(number)))
        await notices.send_due()
    await clock.sleep(3601)
    again = Notices(store=store.notices, clock=clock, channels=(channel,))
    await again.tell(*(about(str(number)) for number in range(30)))

    assert await again.send_due() == 1
    assert await again.send_due() == 0
    assert [one.title for one in channel.taken] == [
        "Triage: mail needs a person",
        "Triage: mail needs a person (29)",
    ]


async def test_one_channel_is_enough(store: SqlStore, clock: HeldClock) -> None:
    """A channel that is down keeps nobody from hearing it elsewhere, and nobody hears it twice."""
    chat, push = Channel(), Channel("push", down=True)
    notices = Notices(store=store.notices, clock=clock, channels=(push, chat))
    await notices.tell(about("a"))

    assert await notices.send_due() == 1
    await clock.sleep(7200)
    assert await notices.send_due() == 0
    assert len(chat.taken) == 1


async def test_no_channel_takes_it(store: SqlStore, clock: HeldClock) -> None:
    """It waits, and is told when one works again."""
    chat = Channel(down=True)
    notices = Notices(store=store.notices, clock=clock, channels=(chat,))
    await notices.tell(about("a"))

    assert await notices.send_due() == 0
    chat.down = False
    assert await notices.send_due() == 0
    await clock.sleep(121)
    assert await notices.send_due() == 1


async def test_a_state_that_ends(store: SqlStore, clock: HeldClock) -> None:
    """A state is told once while it stands, and its end once; one that ended before it was told is not told at all."""
    chat = Channel()
    notices = Notices(store=store.notices, clock=clock, channels=(chat,))
    stalled, other = about("support", NoticeKind.MAILBOX), about("sales", NoticeKind.MAILBOX)
    for states in ((stalled,), (stalled,), (stalled, other), (), ()):
        await notices.now_standing(states)
        await notices.send_due()
    await clock.sleep(7200)
    await notices.send_due()

    assert [one.title for one in chat.taken] == ["Triage: mailbox stalled", "Triage: recovered"]


async def test_without_channels(store: SqlStore, clock: HeldClock) -> None:
    """Nothing is stored or sent."""
    notices = Notices(store=store.notices, clock=clock)
    await notices.tell(about("a", NoticeKind.MAILBOX))

    assert await store.notices.standing() == ()


async def test_after_an_upgrade(store: SqlStore, clock: HeldClock) -> None:
    """Each version is new once; what the first one finds is known, what a later one finds beside that is told."""
    chat = Channel()
    notices = Notices(store=store.notices, clock=clock, channels=(chat,))
    old, new = about("doctor redis", NoticeKind.UPGRADE), about("doctor people", NoticeKind.UPGRADE)

    assert [await notices.is_new(version) for version in ("1", "1", "2")] == [True, False, True]
    await notices.tell_new([old])
    assert await notices.send_due() == 0
    await notices.tell_new([old, new])
    assert await notices.send_due() == 1
    assert chat.taken[0].body == "About doctor people"
    assert not await Notices(store=store.notices, clock=clock).is_new("3")


async def test_testing(store: SqlStore, clock: HeldClock) -> None:
    """A test goes to each channel and says which one does not work."""
    chat, push = Channel(), Channel("push", down=True)
    troubles = await Notices(store=store.notices, clock=clock, channels=(chat, push)).test()

    assert troubles["chat"] == ""
    assert "away" in troubles["push"]
    assert chat.taken[0].title == "Triage: test"
