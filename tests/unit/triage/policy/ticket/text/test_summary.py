"""A summary names the thing and the symptom, in one quiet line."""

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
        ("Crane is STUCK", "Crane is stuck"),
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
    assert summary_of(subject, "The crane is stuck. Turn it.", keys=("YARD-7",)) == summary


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        ("Problem", "We have a yard. The crane is stuck at noon.", "The crane is stuck at noon"),
        ("Are you kidding?", "The crane is stuck at noon.", "The crane is stuck at noon"),
        ("Problem", "Is that too much to ask? The crane is stuck at noon.", "The crane is stuck at noon"),
        ("Problem", "Two things:\n1. The crane is stuck at noon.\n2. We need a lamp.", "The crane is stuck at noon"),
        ("Вопрос", "Добрый день! The crane is stuck at noon.", "The crane is stuck at noon"),
        ("Help!", "Thanks. Where is the crane?", "Where is the crane?"),
        ("", "Please give Bob (bob@yard.example) a crane.", "Give Bob a crane"),
        ("Urgent", "", "Urgent"),
        ("", "", NOTHING),
        ("Hi", "Hello", NOTHING),
        ("??", "", NOTHING),
        (
            "",
            "In the yard behind the hall with the long red door, where we keep all ropes of the year, the crane is stuck.",
            "the crane is stuck",
        ),
        (
            "",
            "The crane is stuck in the yard behind the hall with the long red door, where we keep ropes CRN-118.",
            "The crane is stuck in the yard behind the hall with the long red door… CRN-118",
        ),
        ("", f"{'rope' * 30} is stuck", f"{'rope' * 19}rop…"),
    ],
)
def test_a_subject_that_says_nothing_is_replaced(subject: str, text: str, summary: str) -> None:
    """The first sentence with a symptom, else a question, else some words; a subject alone stays."""
    assert summary_of(subject, text, ("is stuck",)).casefold() == summary.casefold()


@pytest.mark.parametrize(
    ("subject", "text", "symptoms", "summary"),
    [
        (
            "Crane 2",
            "The hook of crane 2 is stuck since noon.",
            ("is stuck",),
            "The hook of crane 2 is stuck since noon",
        ),
        ("North yard", "The crane is stuck since noon.", ("is stuck",), "North yard: the crane is stuck since noon"),
        (
            "Badge reader, east entrance",
            "Since the drill the badge reader at the east entrance blinks orange and is stuck.",
            ("is stuck",),
            "Since the drill the badge reader at the east entrance blinks orange and is stuck",
        ),
        (
            "Badge reader, east entrance",
            "Since the fire drill of last Thursday the badge reader at the east entrance is stuck and blinks.",
            ("is stuck",),
            "The badge reader at the east entrance is stuck and blinks",
        ),
        ("Guests in room 412", "The door is stuck.", ("is stuck",), "Guests in room 412: The door is stuck"),
        (
            "Payroll export - EUR column",
            "Not sure whether it is stuck or meant: since the last update the payroll export writes the EUR column as text, as it seems.",
            ("is stuck",),
            "Since the last update the payroll export writes the EUR column as text",
        ),
        (
            "Guard phone",
            "Hi, the guard phone of the pier rings no more. We are stuck.",
            ("stuck",),
            "The guard phone of the pier rings no more",
        ),
        (
            "Kran Tor 21",
            "Am alten Becken hinter der großen Halle zeigt der Kran am Tor 21 immer wieder das Wort geklemmt ohne Grund.",
            ("geklemmt",),
            "Kran Tor 21: immer wieder das Wort geklemmt ohne Grund",
        ),
        (
            "Crane password",
            "Since Monday nobody can turn the lamp on, it says that the crane password of the yard is stuck.",
            ("is stuck",),
            "It says that the crane password of the yard is stuck",
        ),
        ("Congratulations on the new pier ... but", "The lamp is stuck.", ("is stuck",), "The lamp is stuck"),
        ("Gracias y una cosa más", "Hoy la grúa está parada.", ("parada",), "Hoy la grúa está parada"),
        (
            "Kran",
            "Der große Kran am Bett des Flusses zeigt immer wieder Sensor getrennt, obwohl alles angeschlossen ist.",
            ("obwohl",),
            "Der große Kran am Bett des Flusses zeigt immer wieder Sensor getrennt",
        ),
        ("Waage Tor 2", "Die Waage an Tor 2 zeigt 240 kg an.", (), "Die Waage an Tor 2 zeigt 240 kg an"),
        (
            "Skaner w magazynie B",
            "Skaner w magazynie B czyta od wymiany baterii same zera, kody kreskowe czyta poza tym normalnie.",
            (),
            "Skaner w magazynie B czyta od wymiany baterii same zera",
        ),
        ("Facture", "Pourriez-vous nous renvoyer la facture 12 ?", (), "Renvoyer la facture 12"),
        ("api-gw-02 load average", "Host: api-gw-02 is stuck", ("is stuck",), "api-gw-02 load average"),
        (
            "Carbon footprint below zero",
            "Flattering, but surely an error: our shipment by bike has a footprint below nothing.",
            ("error",),
            "Carbon footprint below zero",
        ),
        (
            "Checkout problem",
            "Since Monday the crane is stuck there.",
            ("is stuck", "problem"),
            "Checkout problem: Since Monday the crane is stuck there",
        ),
        ("Table", "These batches have no paper.\nCan you send them?", (), "Table: These batches have no paper"),
        (
            "Your certificate expires in 14 days",
            "Your certificate for quay.yard.example and its mirrors expires in 14 days (07 Dec 26 09:00).",
            (),
            "Your certificate expires in 14 days",
        ),
        ("Label printer prints twice", "The crane is stuck.", ("is stuck",), "Label printer prints twice"),
        ("Case 00412: crane lamp", "It is dark.", (), "Crane lamp"),
        ("Gate 2 does not open", "The barrier is stuck.", ("is stuck",), "Gate 2 does not open"),
        ("Offboarding", "Jonas leaves us on Monday.", (), "Offboarding: Jonas leaves us on Monday"),
        ("Crane lamp", "Jonas leaves us on Monday.", (), "Crane lamp"),
        ("Crane is stuck", "It is stuck since noon.", ("is stuck",), "Crane is stuck"),
        ("Is stuck", "The crane is stuck since noon.", ("is stuck",), "Is stuck"),
        ("Crane hall 3", "I think the motor is stuck.", ("is stuck",), "Crane hall 3: I think the motor is stuck"),
        (
            "Crane hall 3",
            "I think the motor is stuck. The door is stuck.",
            ("is stuck",),
            "Crane hall 3: The door is stuck",
        ),
        (
            "Reset",
            "Since 06:40 today our transfers to the harbour office, all of them, are stuck.",
            ("are stuck",),
            "Reset: our transfers to the harbour office, all of them, are stuck",
        ),
        (
            "Tor",
            "Seit heute Morgen um sechs klemmt das Tor am Kai, es geht weder auf noch zu, auch nicht von Hand.",
            ("klemmt",),
            "Seit heute Morgen um sechs klemmt das Tor am Kai",
        ),
        ("クレーンについて", "クレーンが止まります。", ("止まります",), "クレーン: クレーンが止まります"),
        (
            "AW: Zugang",
            "Hat geklappt, danke! Jetzt fehlt noch der Zugang zum Kran.",
            (),
            "Jetzt fehlt noch der Zugang zum Kran",
        ),
        ("Question", "est-il possible de le trier ?", (), "Est-il possible de le trier ?"),
        ("Please move it", "I want it moved.", (), "Move it"),
        ("Kickoff", "It was a nice talk. We need the logo by Friday.", (), "Kickoff: We need the logo by Friday"),
        (
            "Your crane label",
            'The label of the crane in the northern yard says "O\'Dwyer" and not "Odwyer".',
            ("says",),
            'The label of the crane in the northern yard says "O\'Dwyer" and not "Odwyer"',
        ),
        ("Crane?", "The crane is stuck since noon.", ("is stuck",), "Crane?"),
        (
            "Gate US",
            'When I open the long gate of the northern pier in the evening, the plate shows "USD" and is stuck there.',
            ("is stuck",),
            'Gate US: the plate shows "USD" and is stuck there',
        ),
        (
            "Stampa",
            "Da ieri il foglio che esce dalla gru del molo nord viene stampato troppo piccolo e non si legge bene.",
            ("troppo piccolo",),
            "Da ieri il foglio che esce dalla gru del molo nord viene stampato troppo…",
        ),
        (
            "Crane times",
            "Our yard office reads it as noon and each lift of the day comes an hour late, which the crane is stuck on.",
            ("is stuck",),
            "Crane times: Our yard office reads it as noon and each lift of the day comes an…",
        ),
        ("Question about the crane", "It is stuck since noon.", ("is stuck",), "The crane: It is stuck since noon"),
        ("New foreman", "Please give Bob a key to the crane.", (), "New foreman: give Bob a key to the crane"),
        ("Ideas for improvement of ropes", "We want red ropes.", (), "Ideas for improvement of ropes"),
        ("Crane", "Thanks!", (), "Crane"),
        ("クレーン", "The crane is stuck.", ("is stuck",), "クレーン"),
    ],
)
def test_a_mere_name_gets_its_symptom(subject: str, text: str, symptoms: tuple[str, ...], summary: str) -> None:
    """A word or two that name a thing are followed by what the text says of it; what says more, or asks, stays."""
    assert summary_of(subject, text, symptoms).casefold() == summary.casefold()


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("One more thing: the crane is stuck.", "The crane is stuck"),
        ("By the way, a different matter: the crane is stuck.", "The crane is stuck"),
        ("Hi, it's the crane that is stuck.", "It's the crane that is stuck"),
        ("- summary = Crane 7 is stuck", "Crane 7 is stuck"),
        ("I found that https://yard.example/cranes?id=1 is stuck.", "I found that yard.example/cranes is stuck"),
        (
            "In the yard behind the long red hall with the door that squeaks the turning crane hums, it is stuck.",
            "In the yard behind the long red hall with the door that squeaks the turning…",
        ),
    ],
)
def test_a_summary_begins_with_the_matter(text: str, summary: str) -> None:
    """Greetings, signs of lists, words that say that another matter begins, and what makes links long are left out."""
    assert summary_of("", text, ("is stuck",)) == summary


@pytest.mark.parametrize(
    ("subject", "matters", "summary"),
    [
        ("", (), ""),
        ("Two things", ("the lamp is out", "a rope is missing"), "The lamp is out (+1)"),
        ("Gate 4", ("the lamp is out", "a rope is missing"), "Gate 4"),
        ("Three things from the pier tour", ("the lamp is broken", "a", "b"), "Pier tour: the lamp is broken (+2)"),
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
    ("subject", "text", "symptom", "summary"),
    [
        (
            "Cassa automatica 2",
            "La cassa automatica 2 non accetta le carte.",
            "non accetta",
            "La cassa automatica 2 non accetta le carte",
        ),
        ("The lamps of the pier", "The lamps of the pier are stuck.", "are stuck", "The lamps of the pier are stuck"),
        ("Data of the other crane", "It comes twice.", "the other crane", "Data of the other crane"),
        ("Données d'un autre", "C'est arrivé deux fois.", "d un autre", "Données d'un autre"),
    ],
)
def test_a_subject_that_only_names_a_thing_gets_its_symptom(
    subject: str, text: str, symptom: str, summary: str
) -> None:
    """Words such as `the` and `of` name nothing; a subject with a symptom of its own stays."""
    assert summary_of(subject, text, [symptom, "twice", "deux fois"]) == summary


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        (
            "Could you please whitelist",
            "Hi, could you please whitelist the domain maps.example on the proxy?",
            "Whitelist the domain maps.example on the proxy",
        ),
        ("Wäre es möglich, dass", "Wäre es möglich, dass der Kran hupt?", "Wäre es möglich, dass der Kran hupt?"),
        ("Could you please move the crane?", "The crane is in the way.", "Move the crane"),
        ("Crane lamp", f"Crane lamp {'and rope ' * 20}.", "Crane lamp"),
        ("Please", "Give us a crane.", "Give us a crane"),
        ("Question about the crane lamp", "Hi. Does the crane lamp dim?", "Does the crane lamp dim?"),
        ("Rope needed", "We moor on Friday. Could you bring a rope?", "Bring a rope"),
        ("Rope needed", "We moor on Friday.", "Rope needed"),
        (
            "Question about the mooring",
            "May I shift the mooring, which I booked for noon of this very day, to the next tide or must I pay twice?",
            "May I shift the mooring, which I booked for noon of this very day",
        ),
    ],
)
def test_a_subject_that_only_begins_a_sentence_is_finished(subject: str, text: str, summary: str) -> None:
    """What the text goes on with belongs to the summary, words of asking do not."""
    assert summary_of(subject, text) == summary


@pytest.mark.parametrize(
    ("written", "summary"),
    [
        ("URGENT: crane stuck", "Crane stuck"),
        ("Crane stuck in the yard", "Crane stuck in the yard"),
        ("Bug:", "Bug"),
        ("1x" * 100, "1x" * 39 + "1…"),
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
    text = "The crane does not turn any more, the berth is closed since the early morning, call"

    assert summary_of("", f"{text} 0432 555 18", ("does not turn",)).endswith("early morning")
    assert summary_of("", f"{text} gives 503", ("does not turn",)).endswith("… 503")


@pytest.mark.parametrize(
    ("subject", "text", "summary"),
    [
        ("HighErrors booking", "Labels: alertname = HighErrors service = booking state = firing", "HighErrors booking"),
        (
            "Bildschirm schwarz",
            "der Bildschirm an der Drehbank 3 ist schwarz, Rechner läuft aber noch (Lüfter hört man) und piept.",
            "Der Bildschirm an der Drehbank 3 ist schwarz",
        ),
        (
            "Baustellenkamera",
            "Die Kamera auf der Baustelle Ost zeigt seit Freitag nur noch ein Standbild.",
            "Die Kamera auf der Baustelle Ost zeigt seit Freitag nur noch ein Standbild",
        ),
    ],
)
def test_what_a_sentence_adds_to_a_subject(subject: str, text: str, summary: str) -> None:
    """A line of fields adds nothing; a sentence with the subject's words stands alone, up to the clause that says it."""
    assert summary_of(subject, text, ("firing", "nur noch")) == summary


def test_a_fault_without_a_listed_word_is_named_by_what_is_told() -> None:
    """A fault is named by what is so, a task by what is asked for."""
    text = "The total of May says 122.80. I need a corrected one for our books."

    assert summary_of("", text, fault=True) == "The total of May says 122.80"
    assert summary_of("", text) == "I need a corrected one for our books"
