"""Nobody is named in a test case: the same people, domains and numbers become the same others everywhere."""

from triage.services.casework.anonymous import SANDBOX, MailAnonymiser


def test_people_and_domains_are_replaced_everywhere_alike() -> None:
    """Names of the envelope go with their spelling, addresses with their domains, links lose what follows the host."""
    names = MailAnonymiser("OPS", frozenset({"acme.test"}))
    names.know("Marek Dvo\u0159\u00e1k", "marek.dvorak@kuryr.test")
    names.know("Support Team", "support@acme.test")
    told = names.text(
        "Marek, MAREK and marek wrote to support@acme.test: https://kuryr.test/a?token=1, kuryr.test, OPS-12. Dvo\u0159\u00e1k"
    )

    assert told == (
        f"Alex, ALEX and alex wrote to support@{SANDBOX}: https://site1.example/, site1.example, HARB-12. Bela"
    )
    assert names.address("MAREK.dvorak@kuryr.test") == "person1@site1.example"
    assert names.message_id("x@y") == names.message_id("x@y") == "mail1@site.example"


def test_numbers_that_name_somebody_are_replaced() -> None:
    """Phones, accounts and long numbers; dates, times, versions and short numbers stay."""
    told = MailAnonymiser().text(
        "Call +49 30 5550 118, IBAN DE89 3704 0044 0532 0130 00, no. 4711234. On 2026-11-22 at 08:13, app 4.12, 413."
    )

    assert not {"5550", "3704", "4711234"} & set(told.replace(",", " ").replace(".", " ").split())
    assert "On 2026-11-22 at 08:13, app 4.12, 413." in told


def test_many_people_get_names_of_their_own() -> None:
    """A long list of recipients repeats no name."""
    names = MailAnonymiser()
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    people = [f"{one}{two}qqq" for one in alphabet[:6] for two in alphabet[:9]]
    for person in people:
        names.know(person, "")

    assert len({names.text(person) for person in people}) == len(people)
