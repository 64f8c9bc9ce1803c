"""How much a mail matters: by what is hit, for whom and until when, and how a company weighs that."""

import pytest

from triage.config.ticket.severity import Severity
from triage.domain.findings import Cue
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.cues import cues_of


def priority(text: str, severity: Severity = Severity(), subject: str = "Note") -> Cue:  # noqa: B008 - frozen
    """The priority of a mail with this text."""
    told = Untrusted(text)
    return cues_of(Message(subject=Untrusted(subject), text=told, reply=told), severity=severity).priority


@pytest.mark.parametrize(
    "text",
    [
        "Nobody can log in.",
        "None of our 80 drivers can sign in.",
        "All stores lost access to the stock list.",
        "The assembly line is dead.",
        "Die Kasse reagiert nicht mehr.",
        "Nichts geht mehr.",
        "Plus rien ne fonctionne.",
        "Stojí výroba.",
        "Nada funciona.",
        "Non funziona più niente.",
        "Niets werkt meer.",
        "Nic nie działa.",
        "誰もログインできません。",
        "All invoices of May were deleted by mistake.",
        "Guests can see other guests' bookings.",
        "Customers were charged twice.",
        "Depo sistemi kapandı, sevkiyat durdu.",  # noqa: RUF001 - as its language is written
        "Bu sabahtan beri kimse giriş yapamıyor.",  # noqa: RUF001 - as its language is written
        "После сбоя сканера склад стоит.",
        "С утра никто не может войти в систему.",  # noqa: RUF001 - as its language is written
        "My scanner stopped working. Everyone on our floor has the same problem.",
        "Mein Scanner ist seit heute früh ausgefallen. Alle Kollegen haben das gleiche Problem.",
        "The robot arm moves with the door open, somebody may be hurt.",
    ],
)
def test_impact_without_an_urgent_word(text: str) -> None:
    """An outage, a loss, a leak, wrong charges and danger are of the highest priority, whatever words tell them."""
    cue = priority(text)

    assert cue.value == "Highest"
    assert cue.evidence


@pytest.mark.parametrize(
    ("text", "priority_of_it"),
    [
        ("I was charged twice for October.", "High"),
        ("Mir wurde der Betrag doppelt abgebucht.", "High"),
        ("After Friday a penalty of 250 euros is due.", "High"),
        ("Nos 64 salariés ont reçu leur bulletin deux fois.", "Medium"),
        ("The salaries stand in the third column.", "Medium"),
    ],
)
def test_money_of_one_is_high(text: str, priority_of_it: str) -> None:
    """Money that somebody has lost or may lose is high, and no outage; French employees are no English wages."""
    assert priority(text).value == priority_of_it


@pytest.mark.parametrize(
    "text",
    [
        "We need the signed form by tonight.",
        "Ich brauche das Angebot noch heute.",
        "Il me faut la copie aujourd'hui même.",
        "The audit is tomorrow and the list still lacks two names; we need it.",
        "本日中に必要です。",
        "Today we must send every invoice.",
        "We have to check each of them today.",
    ],
)
def test_a_deadline_is_high(text: str) -> None:
    """What is needed today or tomorrow is high."""
    assert priority(text).value == "High"


@pytest.mark.parametrize(
    "text",
    [
        "Nobody uses the old form any more.",
        "Everybody likes the new form.",
        "Five people work in our office.",
        "Since today I need to log in twice.",
        "Room 300 is dead quiet.",
        "The number 12345678901234567890 users is wrong.",
        "My mouse is dead.",
        "Auf Ihrer Webseite steht unsere alte Nummer.",
        "Our use of the shop is down to three customers.",
        "Must I pay twice for what I booked for today?",
        "Bisher ist niemand ausgesperrt.",
        "The battery of our P5 is weak.",
        "Auf einem Pixel 8 ist die Karte leer.",
        "Aujourd'hui notre fiduciaire doit les reclasser à la main chaque mois.",
        "Servirebbe un file solo, oggi dobbiamo aprirle una per una.",
        "Today we have to open each file by itself, an export would help.",
    ],
)
def test_what_only_sounds_like_it(text: str) -> None:
    """Quantities, people and times alone set no priority."""
    assert priority(text) == Cue(value="Medium")


def test_who_reviews_an_incident_reports_none() -> None:
    """A review tells of an outage that is over; what it asks for is ordinary work."""
    assert priority("Nobody could log in.", subject="Post-incident review: login outage").value == "Medium"
    assert priority("Post incident review of last night: nobody could log in.", subject="Notes").value == "Medium"
    assert priority("Nobody can log in.", subject="Login outage").value == "Highest"


def test_where_one_denies_twice_nobody_can() -> None:
    """Other languages than the Germanic ones say that nobody cannot, and mean that nobody can."""
    assert priority("Od rána se nikdo nemůže přihlásit.").value == "Highest"
    assert priority("Since this morning nobody can log in.").value == "Highest"
    assert priority("The page counts too many seats, but nobody is locked out.").value != "Highest"


def test_the_evidence_names_who_and_what() -> None:
    """A combined finding shows both halves."""
    assert priority("Today 300 agents cannot log in.").evidence == ("300 agents … cannot log in",)


def test_a_company_sets_its_own_policy() -> None:
    """Weights, the size of a crowd and the names of vital systems come from the configuration."""
    own = Severity(urgent="High", pressing="Medium", many_people=5, vital=("Crane control",))

    assert priority("This is urgent.", own).value == "High"
    assert priority("Please answer asap.", own) == Cue(value="Medium", evidence=("asap",))
    assert priority("6 drivers cannot log in.", own).value == "Highest"
    assert priority("6 drivers cannot log in.").value == "Medium"
    assert priority("The crane control does not respond.", own).value == "Highest"
    assert priority("The crane control does not respond.").value == "Medium"


def test_no_rush_takes_back_what_presses_and_no_outage() -> None:
    """The order of findings: an outage, then `no rush`, then what presses."""
    assert priority("No rush, but it is important to us.").value == "Low"
    assert priority("This is urgent. Well, no rush, take your time.").value == "Low"
    assert priority("No rush from my side, but nobody can log in.").value == "Highest"


def test_a_language_that_is_not_read_says_so() -> None:
    """Where nothing was found in a language without lists, the cue is `not read`; a finding counts all the same."""
    told = Untrusted("Ο κατάλογος είναι λάθος και δεν μπορούμε να τον τυπώσουμε")  # noqa: RUF001 - Greek
    greek = cues_of(Message(subject=Untrusted("Κατάλογος"), text=told, reply=told))

    assert greek.priority == greek.type == Cue(value="not read")
    assert priority("Είναι έτσι: server down").value == "Highest"


@pytest.mark.parametrize(
    "text",
    [
        "The tooltip of the Critical filter is cut off.",
        "The urgent folder has an old icon.",
        "Move the Critical tab left.",
    ],
)
def test_a_part_of_the_screen_may_be_called_critical(text: str) -> None:
    """What a filter, a tab or a folder is called says nothing of how much the mail matters."""
    assert priority(text).value == "Medium"


@pytest.mark.parametrize(
    "text",
    [
        "When I open the archive I find three contracts of another firm in it.",
        "We can see another laboratory's results.",
        "The zip that you sent us contains payslips of at least two other companies.",
        "Im Portal werden uns seit heute Lieferscheine angezeigt, die nicht uns gehören.",
        "Wir haben die Adressen einer anderen Firma bekommen.",
        "En ouvrant mes documents je tombe sur les devis d'une autre société.",
        "Al entrar me aparecen los pedidos de otra empresa.",
        "Nella mia area vedo le fatture di un'altra ditta.",
        "In ons overzicht staan bestellingen van een ander bedrijf.",
        "Po otwarciu portalu widzimy umowy innej firmy.",
        "Na minha página aparecem encomendas de outra empresa.",
        "Po přihlášení vidím objednávky cizí firmy.",
        "ログインすると、他社の請求書が表示されます。",
        "Eine Besucherin sieht in ihrem Konto die Handynummer einer ganz anderen Frau.",
        "Un adhérent voit dans son espace les réservations d'une autre famille.",
        "Una clienta ve en su cuenta las fotos de otra mujer.",
        "Uczeń widzi oceny innego ucznia.",
        "The endpoint does not check the tenant.",
    ],
)
def test_papers_of_somebody_else_are_seen(text: str) -> None:
    """Papers or data, their foreign owner and somebody who sees them, in one sentence, are a leak, and a bug."""
    found = cues_of(Message(subject=Untrusted("Note"), text=Untrusted(text), reply=Untrusted(text)))

    assert (found.priority.value, found.type.value) == ("Highest", "bug")


@pytest.mark.parametrize(
    "text",
    [
        "Please send the invoice to another company from March on.",
        "We cannot see the documents of the other companies that belong to our group.",
        "Another laboratory asks whether it can see the results earlier.",
        "We took over another company. Where do I find its invoices?",
        "Wir haben jetzt eine andere Firma für die Rechnungen.",
        "Please move the booking to another person's name.",
        "Ich möchte sehen, welche Daten andere Mitarbeiter sehen können.",
    ],
)
def test_other_companies_in_ordinary_mail(text: str) -> None:
    """Who only names another company, or does not see its papers, reports no leak."""
    assert priority(text).value == "Medium"


def test_what_is_announced_is_not_down() -> None:
    """Maintenance to come is no outage."""
    assert priority("On Sunday the service will be unavailable from 2 to 3.").value == "Medium"


@pytest.mark.parametrize(
    "text",
    [
        "急ぎではございませんが、来週までにご対応いただければ助かります。",
        "至急ではございません。",
        "这个问题不着急, 有空再看就行。",
        "并不紧急。",
        "급한 건은 아닙니다. 천천히 봐 주세요.",
    ],
)
def test_what_is_politely_said_not_to_be_urgent(text: str) -> None:
    """A denial of the word for urgent is no urgency, in the languages that write both as one word."""
    assert priority(text).value == "Low"


@pytest.mark.parametrize(
    "text",
    ["Platforms P3 and P4 have new signs, and the app shows the old ones.", "The barrier of car park P4 stays open."],
)
def test_a_name_is_no_grade(text: str) -> None:
    """P4 behind the word for a thing, or beside its like, is its name."""
    assert priority(text).value == "Medium"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("This is a P4.", "Low"), ("Bitte als P2 behandeln.", "High"), ("P1: the label is cut off", "Highest")],
)
def test_a_grade_is_one(text: str, expected: str) -> None:
    """At the beginning, and behind the words that lead one, P1 to P4 is a priority."""
    assert priority(text).value == expected
