"""Which process of a test run gets which tests."""

from dataclasses import dataclass

from tests.dealing import dealt


@dataclass(frozen=True)
class Test:
    """A test by its number, and the fixture that it needs."""

    __test__ = False

    number: int
    needs: str

    @property
    def fixturenames(self) -> tuple[str, ...]:
        """As pytest says it."""
        return ("tmp_path", self.needs)


NEEDED = {0: "chrome", 3: "postgres", 5: "dovecot", 6: "site"}
TESTS = [Test(number, NEEDED.get(number % 20, "")) for number in range(800)]


def test_tests_of_one_server_are_the_first_of_one_hand() -> None:
    """Each test is dealt once, and whoever needs a browser or a database shares it with all who need it."""
    order = dealt(TESTS, 4)
    hands = [order[at : at + 200] for at in range(0, 800, 200)]

    assert sorted(test.number for test in order) == list(range(800))
    needed = [[test.needs for test in hand] for hand in hands]
    assert [set(hand[:40]) for hand in needed] == [{"chrome", "site"}, {"postgres"}, {"dovecot"}, {""}]
    assert [hand.count("") for hand in needed] == [120, 160, 160, 200]


def test_what_is_not_bound_keeps_its_order() -> None:
    """The random order of all other tests stays, and one process alone has all."""
    order = dealt(TESTS, 2)

    assert [test for test in order if not test.needs] == [test for test in TESTS if not test.needs]
    assert len(dealt(TESTS, 1)) == len(TESTS)
    assert dealt([], 4) == []
