"""Several matters in one mail: announced or opened one by one, and not steps of one."""

import pytest

from triage.policy.text.matters import matters_of

SEVERAL = {
    "announced and numbered": (
        "Hello,\n\nthree things:\n\n1) The nightly export hangs.\n2) Reset Kim's password.\n3) The app needs\n   a dark mode.\n\nAda",
        ["The nightly export hangs.", "Reset Kim's password.", "The app needs a dark mode."],
    ),
    "bullets": (
        "We have a few unrelated issues:\n- the scanner beeps twice\n- invoices lack the VAT number",
        ["the scanner beeps twice", "invoices lack the VAT number"],
    ),
    "plain words": (
        (
            'Hi,\n\nthree unrelated things:\n\n1. The login page shows a blank screen.\n2. Please add a column "ETA".\n'
            "3. Please remove the old user.\n\nPriya"
        ),
        ["The login page shows a blank screen.", 'Please add a column "ETA".', "Please remove the old user."],
    ),
    "German": (
        "Guten Tag,\nzwei Themen:\n1. Der Drucker in Halle 3 steht.\n2. Bitte legen Sie einen Zugang für Frau Berg an.",
        ["Der Drucker in Halle 3 steht.", "Bitte legen Sie einen Zugang für Frau Berg an."],
    ),
    "counted without a comma": (
        "Zwei Anliegen:\n\nErstens findet die Suche nichts.\n\nZweitens bekommen wir im Mai einen Praktikanten.",
        ["Erstens findet die Suche nichts.", "Zweitens bekommen wir im Mai einen Praktikanten."],
    ),
    "a list in no order": (
        "Our snag list, in no particular order.\n1. The label shows the key.\n2. Could the gate be quieter at night?",
        ["The label shows the key.", "Could the gate be quieter at night?"],
    ),
    "numbered, and one asks": (
        "1. Anna Moe cannot log in to the portal since Monday. What is missing?\n\n2. The certificate K-7 has the serial number of another sensor.",
        [
            "Anna Moe cannot log in to the portal since Monday.",
            "The certificate K-7 has the serial number of another sensor.",
        ],
    ),
    "names in front": (
        "Three in one go, three things:\n1) Portal. The chart prints one endpoint only.\n2) Shop. Which electrode follows EL-410?\n3) Two more users please.",
        [
            "Portal: The chart prints one endpoint only.",
            "Shop: Which electrode follows EL-410?",
            "Two more users please.",
        ],
    ),
    "French": (
        "Bonjour,\ndeux problèmes :\n- L'export des factures échoue.\n- Le portail client affiche une page blanche.",
        ["L'export des factures échoue.", "Le portail client affiche une page blanche."],
    ),
    "paragraphs": (
        "Hi,\n\nFirst, the report of the warehouse shows wrong totals.\n\nSecondly, we would like single sign-on for drivers.",
        [
            "the report of the warehouse shows wrong totals.",
            "we would like single sign-on for drivers.",
        ],
    ),
    "closing right below": (
        "Two things:\n1. The scanner beeps twice.\n2. Could we get a dark mode?\nKind regards\nAda",
        ["The scanner beeps twice.", "Could we get a dark mode?"],
    ),
    "Japanese": (
        "お世話になっております。2件あります。\n1. 倉庫プリンターが動きません。\n2. 請求書メールを再送してください。",
        ["倉庫プリンターが動きません。", "請求書メールを再送してください。"],
    ),
}
ONE = {
    "steps": "The export fails.\n\nSteps:\n1. Open the report page\n2. Press the export button\n3. See error 500",
    "one thing": "One thing: the export of the warehouse report fails.",
    "alike": "Two problems:\n1. The invoice export fails in Berlin.\n2. The invoice export fails in Paris.",
    "empty items": "Two questions:\n1. ok?\n2. why?",
    "first alone": "First, thank you. The export of the report fails.\n\nIt shows an error about the disk.",
    "many": "Some points:\n" + "\n".join(f"- item{n} thing{n} about part{n}" for n in range(9)),
    "announced without a list": "There are two things I like about the portal, the colours and the speed.",
    "steps that wonder": "1. Open the page\n2. Press the button\n3. Error?",
    "steps with a query": (
        "1. Open any product in the shop and capture the request.\n"
        "2. The answer is a signed address that holds for a day, https://media.example/o?exp=1"
    ),
    "nothing": "",
}


@pytest.mark.parametrize("name", SEVERAL)
def test_matters_are_found_with_their_titles(name: str) -> None:
    """In order, without greeting and closing."""
    text, titles = SEVERAL[name]

    assert [matter.title for matter in matters_of("", text)] == titles


@pytest.mark.parametrize("name", ONE)
def test_one_matter_stays_one(name: str) -> None:
    """Steps, variants and lists of details are not torn apart."""
    assert matters_of("", ONE[name]) == ()


def test_a_long_title_is_cut() -> None:
    """The text keeps all of it."""
    first, _ = matters_of("", f"Two issues:\n1. The exporter {'very ' * 60}slowly stops.\n2. Add dark mode please.")

    assert len(first.title) <= 120
    assert first.title.endswith("…")
    assert first.text.endswith("slowly stops.")


def test_the_subject_announces_them() -> None:
    """`Three things from the warehouse` stands above the list as well as in it; a list under another subject is one matter."""
    text = "Hi,\n\n- the label printer prints twice\n- can we have read access to the stock list?\n- scanner 17 is dead\n\nLev"

    assert len(matters_of("Three things from the warehouse", text)) == 3
    assert matters_of("News from the warehouse", text) == ()


def test_a_heading_announces_them() -> None:
    """`Follow-ups:` alone on a line announces what is listed below it; an address behind a matter belongs to it."""
    text = "We met.\n\nFollow-ups:\n1. Alert on full pools\n2. Add Per to the list? per@yard.example"

    titles = [matter.title for matter in matters_of("Crane outage of last week", text)]

    assert titles == ["Alert on full pools", "Add Per to the list? per@yard.example"]


def test_announced_matters_may_stand_in_one_paragraph() -> None:
    """`First, … Second, …` in one paragraph are matters where the mail announces them; else they are steps."""
    text = "first, the form sends no confirmation since Friday. Second, could Hanna get access to the database?"

    assert len(matters_of("Two things", text)) == 2
    assert matters_of("Form", text) == ()
