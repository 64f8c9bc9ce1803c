"""Which evidence a routing rule takes: told in the report, by `triage doctor`, and at the start of a service."""

from tests.e2e.installation import Installation
from tests.e2e.mail.delivery import HOP, letter

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


def test_rejected_evidence_is_told(installation: Installation) -> None:
    """A forward block of nobody in particular takes no rule for forwards; report and doctor say what to write."""
    (installation.folder / "triage.yaml").write_text(RULES)
    (installation.folder / "block.eml").write_bytes(
        letter(BLOCK, subject="Fwd: till", sender="Kim <kim@c.example>", top=HOP)
    )
    (installation.folder / "shop.eml").write_bytes(letter(top=HOP))
    rules = str(installation.folder / "triage.yaml")
    installation.triage("process", "block.eml", "shop.eml", TRIAGE_CONFIG=rules)
    block, shop = (
        " ".join(step["note"] for step in installation.json("show", name)["steps"]) for name in ("case-1", "case-2")
    )
    told = " ".join(installation.triage("doctor", TRIAGE_CONFIG=rules).stdout.decode().split())

    for text in (block, told):
        assert "forwarded from info@pharmacy.example says only the forward block of a sender who is unverified" in text
        assert "write `unproven: true` under its match" in text
    assert "rule partner: pipeline jira (from corner-shop.example, unproven)" in shop
    assert "partner: who a mail says it is from is believed, since no AUTHSERV_ID is set" in told
    assert "helpdesk: a forward counts by its envelope only" in told


def test_a_service_warns_at_its_start(installation: Installation) -> None:
    """A service says at its start which rules believe what nobody has checked, and says nothing where somebody checks."""
    (installation.folder / "triage.yaml").write_text(RULES)
    rules = str(installation.folder / "triage.yaml")
    open_ = installation.triage("work", "--until-idle", TRIAGE_CONFIG=rules).stderr.decode()
    checked = installation.triage(
        "work", "--until-idle", TRIAGE_CONFIG=rules, AUTHSERV_ID="mx.harbourline.example"
    ).stderr.decode()

    assert [open_.count("routing.unproven"), checked.count("routing.unproven")] == [2, 0]
