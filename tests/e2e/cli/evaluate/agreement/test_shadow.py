"""`triage agreement --shadow` on a Jira in which people made tickets for the mails themselves."""

from tests.e2e.installation import MAILS, Installation

NEWSLETTER = "03-newsletter"
MADE = (
    (
        "Label printing: barcode is cut",
        "Brother thermal printer cuts the barcode of the 4x6 label at the right.",
        "Task",
    ),
    ("Map is white on iPads", "TextureMemoryError: the map renderer lost all tile textures, Safari on iPad.", "Bug"),
)


def test_the_shadow_beside_what_people_did(installation: Installation) -> None:
    """A mail for which people made a ticket, too, and a repetition that they filed anew; what came in today and has no ticket of theirs may still get one."""
    installation.extra["SHADOW"] = "true"
    mails = ("01-barcode-cut-off", "18-week-starts-on-sunday", "02-white-map-on-tablets", NEWSLETTER)
    for name in mails:
        installation.triage("process", str(MAILS / f"{name}.eml"))
    site = installation.jira.app.site
    with installation.jira.client() as client:
        for summary, text, kind in MADE:
            fields = {"project": {"key": "HARB"}, "summary": summary, "description": text, "issuetype": {"name": kind}}
            client.post("/rest/api/2/issue", json={"fields": fields}).raise_for_status()
    person = site.db.value("SELECT id FROM account WHERE name = 'priya.raman'")
    site.db.run("UPDATE issue SET reporter = ?", person)
    figures = installation.json("agreement", "--shadow")
    told = installation.triage("agreement", "--shadow").stdout.decode()

    shares = {name: (share["decided"], share["kept"]) for name, share in figures["actions"].items()}
    assert (figures["mails"], figures["early"]) == (4, 2)
    assert shares == {"ticket": (1, 1), "comment": (1, 0), "nothing": (0, 0)}
    assert [(one["case"], one["what"], one["people"]) for one in figures["differing"]] == [
        ("case-1", "type", "Task"),
        ("case-3", "action", "ticket"),
    ]
    assert ("comment HARB-12" in told, "HARB-72" in told) == (True, True)


def test_no_shadow(installation: Installation) -> None:
    """Where nothing was decided in the shadow it says how to begin; a page of it does not exist."""
    assert installation.json("agreement", "--shadow")["agreement"] is None
    assert "SHADOW=true" in installation.triage("agreement", "--shadow").stdout.decode()
    assert installation.triage("agreement", "--shadow", "--html", "x.html").returncode == 2
