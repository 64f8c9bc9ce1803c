"""Which evidence a routing rule takes: told in the report, by `triage doctor`, and at the start of a service."""

from tests.e2e.household import Household
from tests.e2e.mail.test_identity import HOP, letter

RULES = """routing:
  rules:
    - name: helpdesk
      match: {forwarded_from: "info@pharmacy.example"}
      route: pipeline
    - name: partner
      match: {sender_domain: "corner-shop.example"}
      route: pipeline
"""
BLOCK = "See below.\n\n---------- Forwarded message ---------\nFrom: Info <info@pharmacy.example>\n\nThe till is stuck."


def test_rejected_evidence_is_told(household: Household) -> None:
    """A forward block of nobody in particular takes no rule for forwards; report and doctor say what to write."""
    (household.folder / "triage.yaml").write_text(RULES)
    (household.folder / "block.eml").write_bytes(
        letter(BLOCK, subject="Fwd: till", sender="Kim <kim@c.example>", top=HOP)
    )
    (household.folder / "shop.eml").write_bytes(letter(top=HOP))
    rules = str(household.folder / "triage.yaml")
    household.triage("process", "block.eml", "shop.eml", TRIAGE_CONFIG=rules)
    block, shop = (
        " ".join(step["note"] for step in household.json("show", name)["steps"]) for name in ("case-1", "case-2")
    )
    told = " ".join(household.triage("doctor", TRIAGE_CONFIG=rules).stdout.decode().split())

    for text in (block, told):
        assert "forwarded from info@pharmacy.example says only the forward block of a sender who is unverified" in text
        assert "write `unproven: true` under its match" in text
    assert "rule partner: pipeline jira (from corner-shop.example, unproven)" in shop
    assert "partner: who a mail says it is from is believed, since no AUTHSERV_ID is set" in told
    assert "helpdesk: a forward counts by its envelope only" in told


def test_a_service_warns_at_its_start(household: Household) -> None:
    """A service says at its start which rules believe what nobody has checked, and says nothing where somebody checks."""
    (household.folder / "triage.yaml").write_text(RULES)
    rules = str(household.folder / "triage.yaml")
    open_ = household.triage("work", "--until-idle", TRIAGE_CONFIG=rules).stderr.decode()
    checked = household.triage(
        "work", "--until-idle", TRIAGE_CONFIG=rules, AUTHSERV_ID="mx.harbourline.example"
    ).stderr.decode()

    assert [open_.count("routing.unproven"), checked.count("routing.unproven")] == [2, 0]
