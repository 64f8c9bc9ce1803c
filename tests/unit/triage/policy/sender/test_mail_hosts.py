"""Mail domains that stand for one organisation."""

from triage.policy.sender.mail_hosts import of_one_house


def test_of_one_house() -> None:
    """Whoever has an address at a public mail host is nobody's colleague by that."""
    assert of_one_house(["Harbourline.example", "gmail.com", "GMX.de", ""]) == {"harbourline.example"}
