"""Senders who look like somebody else are seen through, and honest names are left alone."""
# ruff: noqa: RUF001 - letters that deceive the eye are what this is about

import pytest

from triage.domain.mail import Address
from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.policy.sender.lookalike import imitations, lookalike, person_of

PEOPLE = tuple(
    Person(id=name, name=Untrusted(name), email=email)
    for name, email in (
        ("Ada Byron", ""),
        ("Jörg Müller", ""),
        ("Иван Сорокин", ""),
        ("Support", ""),
        ("Grace Hopper", "grace@navy.example"),
    )
)
OURS = ("harbourline.example",)


def signs(name: str, address: str = "x@a.example") -> tuple[str, ...]:
    """What is found about a sender."""
    return lookalike(Address(address=address, name=Untrusted(name)), PEOPLE, OURS)


@pytest.mark.parametrize(
    ("name", "address", "sign"),
    [
        ("Аda Byron", "x@a.example", "name mixes scripts"),
        ("Аdа Вуrоn", "x@a.example", "looks like Ada Byron"),
        ("Ada Byr0n", "x@a.example", "looks like Ada Byron"),
        ("", "x@harbour1ine.example", "domain looks like harbourline.example"),
        ("", "x@hаrbourline.example", "domain mixes scripts"),
        ("", "x@xn--hrbourline-4fi.example", "domain"),
        ("Support support@harbourline.example", "x@evil.example", "name is an address of harbourline.example"),
        ("dora@corner-shop.example", "x@evil.example", "name is an address of corner-shop.example"),
        ("Ada Byron", "ada@gmail.example", "name is that of Ada Byron"),
        ("BYRON, Ada", "ada@gmail.example", "name is that of Ada Byron"),
        ("Ada  byron (Harbourline)", "ada@gmail.example", "name is that of Ada Byron"),
        ("Ada Byron", "ada@harbourline.example.evil.example", "name is that of Ada Byron"),
        ("Grace Hopper", "grace@army.example", "name is that of Grace Hopper"),
    ],
)
def test_deceptions(name: str, address: str, sign: str) -> None:
    """Mixed scripts, swapped letters and addresses in names are told."""
    assert any(sign in one for one in signs(name, address)), signs(name, address)


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("ada  byron", "ada@harbourline.example"),
        ("Ada Byron", "ada@mail.harbourline.example"),
        ("Grace Hopper", "grace@navy.example"),
        ("Grace Hopper", "hopper@harbourline.example"),
        ("Ada", "ada@gmail.example"),
        ("Support", "help@corner-shop.example"),
        ("Jorg Muller", "jorg@a.example"),
        ("Ivan Sorokin", "ivan@a.example"),
        ("Ivan Иванов", "ivan@a.example"),
        ("山田 Taro", "taro@a.example"),
        ("", "x@xn--bcher-kva.example"),
        ("", "x@xn--\N{SNOWMAN}.example"),
        ("support@harbourline.example", "support@harbourline.example"),
        ("", "root"),
    ],
)
def test_honest(name: str, address: str) -> None:
    """Our own people, other scripts, missing accents and names of one word are no deceit."""
    assert signs(name, address) == ()


def test_who_imitates_one_of_us() -> None:
    """A namesake in a firm that he is proven to write from is one by chance; from a free mailbox or unproven he may be nobody."""
    firm, free = (
        Address(address=f"ada@{domain}", name=Untrusted("Ada Byron")) for domain in ("a.example", "gmail.com")
    )
    house = Address(address="x@harbour1ine.example", name=Untrusted("Ada"))

    assert not [*imitations(firm, PEOPLE, OURS, proven=True)]
    assert [*imitations(firm, PEOPLE, OURS, proven=False)] == ["name is that of Ada Byron, the address is not"]
    assert [*imitations(free, PEOPLE, OURS, proven=True)] == ["name is that of Ada Byron, the address is not"]
    assert any("domain looks like harbourline.example" in one for one in imitations(house, PEOPLE, OURS, proven=True))


def test_which_of_us_a_proven_sender_is() -> None:
    """The address tells, or the name of a person whose address Jira hides; a name beside another address tells nothing."""
    senders = (("Grace", "grace@navy.example"), ("Byron, Ada", "ada@a.example"), ("Grace Hopper", "g@a.example"))
    found = [person_of(Address(address=address, name=Untrusted(name)), PEOPLE) for name, address in senders]

    assert found == ["Grace Hopper", "Ada Byron", ""]


def test_nothing_is_foreign_to_those_who_do_not_know_their_own() -> None:
    """Where we know neither our domain nor the person's address a name alone proves nothing."""
    assert lookalike(Address(address="ada@gmail.example", name=Untrusted("Ada Byron")), PEOPLE[:1], ()) == ()
