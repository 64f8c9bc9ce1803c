"""MODEL_REDACTION over real HTTP: the provider gets placeholders, ticket and journal have the values."""

import json

import pytest

from tests.e2e.installation import Installation

ADDRESS = "gate.seven@corner-shop.example"
MAIL = (
    "From: Wilhelmina Quackenbush <wilhelmina@corner-shop.example>\r\nTo: desk@harbourline.example\r\n"
    "Subject: Labels are not printed\r\nMessage-ID: <1@corner-shop.example>\r\n\r\n"
    f"Hello,\r\n\r\nsince Monday the account {ADDRESS} prints no labels: the page stays blank. Quackenbush needs them; "
    "call +49 30 12345678.\r\n\r\nKind regards\r\n\r\nWilhelmina Quackenbush\r\n"
)


def filed(house: Installation, level: str) -> tuple[str, str]:
    """What the model got, and the description of the ticket."""
    (house.folder / "1.eml").write_bytes(MAIL.encode())
    house.asked.clear()
    done = house.triage("process", "1.eml", MODEL_REDACTION=level)
    [key] = house.created()
    issue = house._get(f"/rest/api/2/issue/{key}", {"fields": "description"})

    assert done.returncode == 0, done.stderr.decode()
    return json.dumps([one.body for one in house.asked]), str(issue["fields"]["description"])


@pytest.mark.parametrize(
    ("level", "hidden", "there"),
    [
        ("personal", (ADDRESS, "Quackenbush", "12345678"), ("[EMAIL_", "[PERSON_", "[PHONE_")),
        ("none", ("[EMAIL_", "[PERSON_"), (ADDRESS, "Quackenbush", "12345678")),
    ],
)
def test_the_provider_sees_placeholders_and_the_ticket_has_the_values(
    with_model: Installation, level: str, hidden: tuple[str, ...], there: tuple[str, ...]
) -> None:
    """Over all rounds of the run; what the model wrote is resolved before guard and journal see it."""
    asked, description = filed(with_model, level)
    report = json.dumps(with_model.json("show", "1"))

    assert not [one for one in hidden if one in asked]
    assert not [one for one in there if one not in asked]
    assert ADDRESS in description
    assert "EMAIL_" not in description + report
