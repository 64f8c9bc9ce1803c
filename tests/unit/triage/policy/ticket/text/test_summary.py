"""A summary names the thing and the symptom, in one quiet line."""
# ruff: noqa: RUF001 - the letters of other alphabets are the point

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.policy.ticket.text.summary import NOTHING, is_specific, mended, summary_of, summary_of_several
from triage.policy.ticket.text.summary_form import LONGEST


@pytest.mark.parametrize(
    ("subject", "summary"),
    [
        ("Re: AW: Fwd: [EXT] crane stuck", "Crane stuck"),
        ("[Ticket#4711] crane stuck", "Crane stuck"),
        ("YARD-7: crane stuck", "Crane stuck"),
        ("URGENT!!! Bug: crane stuck!!!", "Crane stuck"),
        ("Feature request: (not urgent) crane lamp", "Crane lamp"),
        ("crane stuck - please help", "Crane stuck"),
        ("Crane stuck (urgent)", "Crane stuck"),
        ("Hi team, crane stuck", "Crane stuck"),
        ("至急\uff1aクレーンが動かない", "クレーンが動かない"),
        ("Dringend! Kran klemmt", "Kran klemmt"),
        ("CRANE 7 CANNOT TURN IN THE YARD", "Crane 7 cannot turn in the yard"),
        ("PDF OF JAVA ERROR ORA-00942 SHOWN", "PDF of Java error ORA-00942 shown"),
        ("- _.turn() stops", "_.turn() stops"),
        ("Case: 4711 crane is stuck", "Crane is stuck"),
        ("post-incident: 2026-11-19 crane down", "post-incident: 2026-11-19 crane down"),
        ("Antwort: Kran klemmt", "Kran klemmt"),
        ("Crane shows HARBOUR", "Crane shows HARBOUR"),
        ("iPad crane list empty???", "iPad crane list empty?"),
        ("api-gw-02 is slow", "api-gw-02 is slow"),
        ("Crane is stuck + one more thing", "Crane is stuck"),
        ("Crane is stuck and another thing", "Crane is stuck"),
    ],
)
def test_what_is_no_matter_goes(subject: str, summary: str) -> None:
    """Prefixes, tags, keys, urgency, shouting and greetings go; names, acronyms and codes stay."""
    assert summary_of(subject, "", keys=("YARD-7",)) == summary


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        (
            "Problem",
            "Is that too much to ask? Since the update the till prints every receipt twice.",
            "Since the update the till prints every receipt twice",
        ),
        ("Problem", "Two things:\n1. The till prints every receipt twice.", "The till prints every receipt twice"),
        ("Вопрос", "Добрый день! Накладная не печатается с утра.", "Накладная не печатается с утра"),
        (
            "Help!",
            "Thanks. Where can I find the export of the invoices?",
            "Where can I find the export of the invoices?",
        ),
        ("", "Please give Bob (bob@yard.example) access to the invoices.", "Give Bob access to the invoices"),
        ("Are you kidding?", "The crane is stuck at noon.", "The crane is stuck at noon"),
        (
            "AW: Zugang",
            "Hat geklappt, danke! Jetzt fehlt noch der Zugang zum Kran.",
            "Jetzt fehlt noch der Zugang zum Kran",
        ),
        ("Question", "est-il possible de trier la liste ?", "Est-il possible de trier la liste ?"),
        ("Congratulations on the new pier ... but", "The lamp is stuck.", "The lamp is stuck"),
        (
            "Problem",
            "Aber seit gestern bleibt der Export der Rechnungen leer.",
            "Seit gestern bleibt der Export der Rechnungen leer",
        ),
        ("Please", "Give us a crane.", "Give us a crane"),
        ("Urgent", "", "Urgent"),
        ("", "", NOTHING),
        ("??", "", NOTHING),
        ("", f"{'rope' * 30} is stuck", f"{'rope' * 19}rop…"),
    ],
)
def test_a_subject_that_says_nothing_is_replaced(subject: str, text: str, summary: str) -> None:
    """By the sentence that says what is wrong or wanted, without words of asking; a subject alone stays."""
    assert summary_of(subject, text) == summary


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        (
            "Printer second floor",
            "Nice weather today. It pulls in two sheets at once.",
            "Printer second floor: It pulls in two sheets at once",
        ),
        ("Crane 2", "The hook of crane 2 is stuck since noon.", "The hook of crane 2 is stuck since noon"),
        (
            "Baustellenkamera",
            "Die Kamera auf der Baustelle Ost zeigt seit Freitag nur noch ein Standbild.",
            "Die Kamera auf der Baustelle Ost zeigt seit Freitag nur noch ein Standbild",
        ),
        ("Facture 12", "Pourriez-vous nous renvoyer la facture 12 ?", "Renvoyer la facture 12"),
        ("Question about the crane lamp", "Hi. Does the crane lamp dim?", "Does the crane lamp dim?"),
        (
            "Question about the badges",
            "How long do lost ones stay blocked after a report?",
            "The badges: How long do lost ones stay blocked after a report?",
        ),
        ("クレーンについて", "昨日から画面にエラーが表示されます。", "クレーン: 昨日から画面にエラーが表示されます"),
        ("Wäre es möglich, dass", "Wäre es möglich, dass der Kran hupt?", "Wäre es möglich, dass der Kran hupt?"),
        ("Printer second floor", "See below. Thanks!", "Printer second floor"),
        ("Crane is STUCK", "The crane is stuck.", "Crane is stuck"),
    ],
)
def test_a_name_gets_what_the_text_says_of_it(subject: str, text: str, summary: str) -> None:
    """The key sentence follows the name, or stands alone if it has the name's words; a text that says nothing adds nothing."""
    assert summary_of(subject, text) == summary


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Label printer prints twice", "The crane is stuck."),
        ("Invoice PDF shows the wrong VAT number", "It says DE 12. It should be DE 13."),
        ("Sortierung der Schiffsliste nach Tiefgang gewünscht", "Das wäre schön."),
        ("Crane is stuck", "The crane is stuck."),
    ],
)
def test_a_subject_that_says_all_stays(subject: str, text: str) -> None:
    """A subject with thing and symptom, or thing and wish, needs nothing from the text."""
    assert summary_of(subject, text) == subject


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "Since the fire drill of last Thursday the badge reader at the east entrance is stuck and blinks orange.",
            "The badge reader at the east entrance is stuck and blinks orange",
        ),
        (
            "Not that it matters much to me, but since this morning no lab results arrive on any of our four wards.",
            "No lab results arrive on any of our four wards",
        ),
        (
            "Beim Speichern bricht der Import der Buchungen ab, was uns heute schon zum dritten Mal aufgehalten hat.",
            "Beim Speichern bricht der Import der Buchungen ab",
        ),
        (
            "I found that https://yard.example/cranes?id=1 is stuck.",
            "yard.example/cranes is stuck",
        ),
        (
            'Could I get read rights on the crash reports (the project "crane-prod", and not the one for tests)?',
            "Could I get read rights on the crash reports?",
        ),
        ("One more thing: the crane is stuck.", "The crane is stuck"),
        ("We have just noticed that the crane is stuck.", "The crane is stuck"),
        ("D. h. der Kran steht seit heute früh still.", "Der Kran steht seit heute früh still"),
        ("Mir ist aufgefallen, dass der Kran still steht.", "Mir ist aufgefallen, dass der Kran still steht"),
        (
            "Při kontrole výplat za říjen a listopad jsem zjistila, že pekařům chybí příplatek za práci v noci.",
            "Pekařům chybí příplatek za práci v noci",
        ),
        ('The screen says "we noticed that you left" to all.', 'The screen says "we noticed that you left" to all'),
        ("- summary = Crane 7 is stuck", "Crane 7 is stuck"),
        (
            "In the yard behind the long red hall with the door that squeaks the turning crane hums and is stuck.",
            "In the yard behind the long red hall with the door that squeaks the turning…",
        ),
    ],
)
def test_a_long_sentence_is_cut_to_what_says_most(text: str, summary: str) -> None:
    """Since when, `but`, what opens another matter and clauses that say less are left out; the rest ends with a word."""
    assert summary_of("", text) == summary


@pytest.mark.parametrize(
    ("subject", "matters", "summary"),
    [
        ("", (), ""),
        ("Two things", ("the lamp is out", "a rope is missing"), "The lamp is out (+1)"),
        ("Gate 4", ("the lamp is out", "a rope is missing"), "Gate 4"),
        ("Three things from the pier tour", ("the lamp is broken", "a", "b"), "Pier tour: the lamp is broken (+2)"),
        ("Three things from the pier tour", ("Lamp: it is broken", "a", "b"), "Lamp: it is broken (+2)"),
        (
            "Two things",
            ("the lamp of the northern pier is out since the storm of last Monday (see 4711)", "a"),
            "The lamp of the northern pier is out since the storm of last Monday (+1)",
        ),
        ("Several things", ("rope " * 30, "lamp", "hook"), f"Rope{' rope' * 14}… (+2)"),
    ],
)
def test_several_matters_are_named_after_the_first(subject: str, matters: tuple[str, ...], summary: str) -> None:
    """A subject that names something stays; else the first matter stands for all, with the number of the others."""
    assert summary_of_several(subject, matters) == summary


@pytest.mark.parametrize(
    ("written", "summary"),
    [
        ("URGENT: crane stuck", "Crane stuck"),
        ("Crane stuck in the yard", "Crane stuck in the yard"),
        ("Bug:", "Bug"),
        ("1x" * 100, "1x" * 49 + "1…"),
        (
            "Bank refuses the file, typographic quotes in <Ustrd>",
            "Bank refuses the file, typographic quotes in <Ustrd>",
        ),
        ("Price is 3 >", "Price is 3"),
        (
            "FPS sends October's taxable pay for employees re-hired in November with the same payroll ID",
            "FPS sends October's taxable pay for employees re-hired in November with the same payroll ID",
        ),
    ],
)
def test_what_a_model_wrote_is_mended(written: str, summary: str) -> None:
    """The same form for a summary that a model wrote; it never becomes shorter than Jira takes."""
    assert mended(written) == summary


def test_words_that_say_nothing() -> None:
    """A code with a word says something, `Error 500` or `Problem` alone does not."""
    assert is_specific("Crane")
    assert not is_specific("Problem with an error")
    assert not is_specific("500")


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_summary_always_fits(subject: str, text: str) -> None:
    """One line of three to eighty characters, whatever comes."""
    found = summary_of(subject, text)

    assert 3 <= len(found) <= LONGEST
    assert "\n" not in found


def test_a_telephone_number_is_no_code() -> None:
    """Of a line that is cut a status stays, but no group of a number to call."""
    text = "The crane of the northern pier which we bought in spring does not turn any more and the gate says"

    assert summary_of("", f"{text} 0432 555 18").endswith("more…")
    assert summary_of("", f"{text} 503").endswith("… 503")


def test_a_clause_that_only_says_when_is_no_summary() -> None:
    """Of a sentence that is too long, `when I click` alone says nothing."""
    text = 'When I click on "Documents" in the portal and then on "All the years of this firm", the list shows letters of twenty colleagues.'

    assert summary_of("Question about the portal", text) == "The list shows letters of twenty colleagues"


def test_a_quotation_is_not_cut() -> None:
    """What a screen shows stays whole, and no sentence begins behind a full stop within it."""
    shown = 'Notre automate de prêt affiche "Erreur 17 - lecteur absent" depuis ce matin, à chaque démarrage du matin.'
    menu = '4.2.1 is okay with the mouse on the header, but if I use the new "Sort by..." menu the export is again mixed up (row 1 with the title of row 2 and so forth).'

    assert "Erreur 17 - lecteur absent" in summary_of("Panne", shown)
    assert summary_of("oh", menu) == 'If I use the new "Sort by..." menu the export is again mixed up'


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        (
            "Filter",
            "When I set the filter to 'this month' it shows last month, and when I set it to 'last month' it shows the one before.",
            "When I set the filter to 'this month' it shows last month",
        ),
        (
            "lo del buscador",
            'Si busco "peña" salen todas las "pena", que en una oficina de duelo son bastantes para leer.',
            'Si busco "peña" salen todas las "pena", que en una oficina de duelo…',
        ),
    ],
)
def test_a_sentence_that_is_a_condition_throughout_is_cut(subject: str, text: str, summary: str) -> None:
    """A summary is found although no clause can stand alone."""
    assert summary_of(subject, text) == summary


def test_a_request_for_a_ticket_is_no_part_of_its_summary() -> None:
    """What it is about stands behind the colon."""
    assert summary_of("pls file: alert if run has not started", "") == "Alert if run has not started"
    assert summary_of("Please open an epic: Payroll for the Netherlands", "") == "Payroll for the Netherlands"


def test_a_line_of_links_is_no_summary() -> None:
    """An alert's runbook and source say where to look, not what is wrong."""
    text = "Disk of run-02 is 91 % full.\nRunbook: https://wiki.yard.example/runbooks/disk Source: https://grafana.yard.example/x"

    assert summary_of("HostDiskUsageHigh", text) == "HostDiskUsageHigh: Disk of run-02 is 91 % full"


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        (
            "Booking plan moves booking",
            "When I drag a booking in the plan to another room, then let it go and press F5, the booking is gone without a trace.",
            "Booking plan moves booking: the booking is gone without a trace",
        ),
        (
            "Problem",
            "Several guests with an iPhone of the newest kind tell us that the key in the app does not show after the check-in.",
            "The key in the app does not show after the check-in",
        ),
        (
            "Report is wrong",
            "The report misses breakfast. Could you please fix this before 1 December?",
            "The report misses breakfast",
        ),
        (
            "Job dead",
            "The job has not run since Saturday. The password for a look: [password masked]",
            "The job has not run since Saturday",
        ),
        (
            "Suggestion",
            "We would like to be able to print the plan of a week on one page.",
            "Print the plan of a week on one page",
        ),
    ],
)
def test_a_sentence_is_reduced_to_what_happens(subject: str, text: str, summary: str) -> None:
    """Who reports it, when it happens, what only asks for help and what had a secret is no part of a summary."""
    assert summary_of(subject, text) == summary


@pytest.mark.parametrize(
    ("subject", "title", "summary"),
    [
        (
            "Incident 7 has been assigned to the group Yard Vendor and its deputies",
            "The crane is stuck",
            "The crane is stuck",
        ),
        ("CraneStuck prod", "Pod is crash looping", "CraneStuck prod: Pod is crash looping"),
        ("The crane is stuck in the yard", "The crane is stuck", "The crane is stuck in the yard"),
        ("The crane", "The crane is stuck", "The crane is stuck"),
        (
            "DiskWillFill mon-store-02 /var/lib/tsdb",
            "Volume at 93 percent, linear forecast: full on Wednesday evening",
            "DiskWillFill mon-store-02 /var/lib/tsdb: Volume at 93 percent, linear forecast",
        ),
    ],
)
def test_a_title_counts_more_than_sentences(subject: str, title: str, summary: str) -> None:
    """What a template has as its one line stands behind what the subject names, if there is room for both."""
    assert summary_of(subject, "It hums.", title=title) == summary


def test_a_clause_with_what_follows_is_no_end() -> None:
    """`Can one set` says nothing without the clause that says what."""
    made = summary_of(
        "Question",
        "Can one set in the settings of the booking page, that a voucher holds from Sunday to Thursday only?",
    )

    assert "voucher holds" in made


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "The form of the booking page in the shop in Bristol has been telling since Friday to all of our guests that it is closed",
            "The form of the booking page in the shop in Bristol has been telling…",
        ),
    ],
)
def test_since_when_leaves_room(text: str, summary: str) -> None:
    """A long sentence loses `since Friday`, which the ticket has under a heading."""
    assert summary_of("Help", text) == summary


def test_a_postscript_is_beside_the_matter() -> None:
    """It makes the summary only where nothing else tells of a fault."""
    extra = "PS: the sign at the second gate still shows the old number, it is wrong, too."

    assert "old number" not in summary_of("Code", f"The gate does not open any more with our code. {extra}")
    assert "old number" in summary_of("Thanks", f"The new gate is a joy. {extra}")


def test_a_polite_question_stays_whole() -> None:
    """What follows `would it be possible that` is no sentence of its own."""
    assert summary_of("Pregunta", "\u00bfSer\u00eda posible que el fichero llevase lo filtrado?").startswith(
        "\u00bfSer\u00eda"
    )


def test_a_report_is_a_thing() -> None:
    """`The report that we send` reports nothing."""
    assert (
        summary_of("Help", "The report that we send each month is empty.")
        == "The report that we send each month is empty"
    )


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Par la présente nous vous signalons que le badge de Mme Roy n'ouvre plus la porte B.", "Le badge de Mme Roy n'ouvre plus la porte B"),
        ("Quería comentaros que el panel de la sala 4 muestra la hora de Canarias.", "El panel de la sala 4 muestra la hora de Canarias"),
        ("Le scrivo per segnalarle che la stampante del banco 2 stampa gli scontrini vuoti.", "La stampante del banco 2 stampa gli scontrini vuoti"),
        ("Niniejszym informujemy, że eksport faktur zawiera podwójne pozycje.", "Eksport faktur zawiera podwójne pozycje"),
        ("Please be advised that the badge reader at gate 4 rejects all green badges.", "The badge reader at gate 4 rejects all green badges"),
    ],
)  # fmt: skip
def test_that_somebody_informs_is_no_matter(text: str, summary: str) -> None:
    """What a letter says before `that` about informing somebody is left out, whomever it informs."""
    assert summary_of("Info", text) == summary


def test_capitals_in_front_press_without_a_colon() -> None:
    """`URGENT` in front says nothing about the matter; `urgent care` does."""
    assert summary_of("URGENT platform changes do not go out", "x").startswith("Platform changes")
    assert summary_of("Urgent care portal is blank", "x").startswith("Urgent care portal")


def test_whom_a_sentence_points_at_is_named() -> None:
    """A key sentence that begins with `lui` stands behind the subject, which says who it is."""
    text = "Clémence Roussard rejoint le service. Pourriez-vous lui ouvrir un compte dans l'outil de vente ?"

    assert summary_of("Accès pour une nouvelle collègue", text).startswith("Accès pour une nouvelle collègue: lui")


def test_the_first_of_several_matters_is_not_said_twice() -> None:
    """Where the first matter begins with a word of what the subject announces, that stays out."""
    matters = ["Voucher codes in lower case are refused.", "The packing slip has no logo."]

    assert summary_of_several("Two things: voucher codes and the packing slip", matters).startswith("Voucher codes in")
