"""The fair order, played through: what a storm costs the others, whom it starves, and who goes first."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from triage.domain.queueing.fair_order import ABREAST, LATER, Backlog, Place, place_of

Mail = tuple[str, str, bool]
"""Mailbox, sender, and whether a program wrote it."""


@dataclass
class Queue:
    """A queue as the store keeps it: the open jobs and nothing else."""

    open: list[tuple[float, int, Mail, bool]] = field(default_factory=list)
    came: int = 0

    def put(self, mail: Mail) -> None:
        """A mail comes."""
        place = self._place(mail)
        heapq.heappush(self.open, (place.turn, self.came, mail, place.first))
        self.came += 1

    def take(self) -> Mail:
        """The next one is done."""
        return heapq.heappop(self.open)[2]

    def drained(self) -> list[Mail]:
        """All that wait, in their order."""
        return [self.take() for _ in range(len(self.open))]

    def _place(self, mail: Mail) -> Place:
        box, sender, automated = mail
        floor = self.open[0][0] - (LATER if self.open[0][2][2] else 0.0) if self.open else 0.0
        near = [one for one in self.open if (one[2][0], one[2][2]) == (box, automated)]
        backlog = Backlog(
            floor,
            max((turn for turn, _, (_, by, _), _ in near if by == sender), default=None),
            max((turn for turn, _, _, first in near if first), default=None),
        )
        return place_of(backlog, automated=automated)


def queue_of(mails: Iterable[Mail]) -> Queue:
    """A queue in which these wait."""
    queue = Queue()
    for mail in mails:
        queue.put(mail)
    return queue


STORM: list[Mail] = [("m0", "storm", False)] * 500


def test_without_a_storm_it_is_the_order_of_arrival() -> None:
    """Mails of many senders in one mailbox are taken as they came."""
    mails: list[Mail] = [("m", f"s{n}", False) for n in range(50)]

    assert queue_of(mails).drained() == mails


def test_one_senders_mails_keep_their_order() -> None:
    """However many others wait between them."""
    queue = queue_of(("m", f"s{n % 3}", False) for n in range(60))

    order = [mail[1] for mail in queue.drained()]

    assert order == [f"s{n % 3}" for n in range(60)]


def test_a_storm_of_one_sender() -> None:
    """Whoever comes after five hundred mails of one sender, in fifty mailboxes or in the same one, is before nearly all of them."""
    others: list[Mail] = [(f"m{n % 50}", f"person{n}", False) for n in range(100)]
    order = queue_of([*STORM, *others]).drained()

    assert max(order.index(mail) for mail in others) < len(others) + 3


def test_a_storm_of_many_senders_in_one_mailbox() -> None:
    """Another mailbox waits for one round of it: the senders that go abreast."""
    storm: list[Mail] = [("m0", f"forged{n}", False) for n in range(500)]
    queue = queue_of(storm)
    for number in range(5):
        queue.put(("m1", "person", False))
        place = next(n for n, mail in enumerate(queue.drained()) if mail[0] == "m1")
        assert place <= ABREAST
        queue = queue_of(storm[number:])


def test_those_who_come_while_it_is_worked_off() -> None:
    """At each moment of a storm a person's mail waits for the mails that are about to be taken, and for no more."""
    queue = queue_of(STORM)
    for number in range(100):
        queue.take()
        queue.put((f"m{number % 7}", f"person{number}", False))
        waited = 0
        while queue.take()[1] == "storm":
            waited += 1
        assert waited <= 2


def test_the_storm_goes_on() -> None:
    """A sender of whom one mail waits does not starve under others who write all the time."""
    queue = queue_of([("m0", "storm", False)] * 3)
    taken = []
    for number in range(60):
        queue.put(("m1", f"person{number % 4}", False))
        taken.append(queue.take()[1])

    assert taken.count("storm") == 3


def test_people_before_alerts() -> None:
    """What people write after a storm of alerts goes before all of it, for some rounds; then an alert has its turn."""
    queue = queue_of([("m", "monitor", True)] * 50)
    people: list[Mail] = [("m", f"person{n}", False) for n in range(20)]
    for mail in people:
        queue.put(mail)
    assert queue.drained()[: len(people)] == people

    queue, taken = queue_of([("m", "monitor", True)]), []
    for number in range(ABREAST * int(LATER) + ABREAST):
        queue.put(("m", f"person{number}", False))
        queue.put(("m", f"another{number}", False))
        taken.append(queue.take()[1])
    assert "monitor" in taken


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.booleans()), max_size=60), st.data())
def test_nothing_is_lost(mails: list[Mail], data: st.DataObject) -> None:
    """Whatever comes and goes in whatever order, each mail is taken once, and those of one sender in theirs."""
    queue, taken = Queue(), []
    for mail in mails:
        queue.put(mail)
        if data.draw(st.booleans()):
            taken.append(queue.take())
    taken += queue.drained()

    assert sorted(taken) == sorted(mails)
