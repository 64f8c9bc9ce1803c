"""Mail domains that stand for one organisation."""

from triage.policy.sender.mail_hosts import single_organisation


def test_of_one_house() -> None:
    """Whoever has an address at a public mail host is nobody's colleague by that."""
    assert single_organisation(["Harbourline.example", "gmail.com", "GMX.de", ""]) == {"harbourline.example"}
