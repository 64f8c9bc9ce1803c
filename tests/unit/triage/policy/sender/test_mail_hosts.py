"""Mail domains that stand for one organisation, and texts that name it."""

import pytest

from triage.policy.sender.mail_hosts import names_organisation, single_organisation


def test_of_one_house() -> None:
    """Whoever has an address at a public mail host is nobody's colleague by that."""
    assert single_organisation(["Harbourline.example", "gmail.com", "GMX.de", ""]) == {"harbourline.example"}


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        ("larkhill.example", "Larkhill Joinery changed its mail domain."),
        ("mail.larkhill.co.uk", "Reported by LARKHILL (partner)."),
        ("kreisklinik-hollerau.example", "Asked Kreisklinik Hollerau."),
        ("maison-orfevre.example", "La maison Orfèvre attend."),
        ("flandersbiotech.example", "Seen at Flanders Biotech, too."),
        ("bmw.example", "Reporter: max@bmw.example"),
        ("comune.montelago.example", "Gates at Biblioteca Civica di Montelago raise alarms."),
    ],
)
def test_named(domain: str, text: str) -> None:
    """Case, accents, hyphens and the country below which the domain stands make no difference."""
    assert names_organisation(text, domain)


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        ("larkhill.example", "The hill of the larks."),
        ("kreisklinik-hollerau.example", "Asked the Kreisklinik of another town."),
        ("gmail.com", "Sign-in by Gmail fails for anna@gmail.com."),
        ("bmw.example", "BMW has it, too."),
        ("co.uk", "A company."),
        ("", "Nobody."),
    ],
)
def test_not_named(domain: str, text: str) -> None:
    """A part of the name, a short name and a public mail domain name nobody."""
    assert not names_organisation(text, domain)
