"""Which languages a text is in, and whether the lists can read them."""

import pytest

from triage.policy.cues.language import READ, is_encoded, known_meaning, language_of
from triage.policy.text.sentences import read


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "The list of the orders is wrong since we moved"),
        ("de", "Die Liste der Aufträge ist seit dem Umzug falsch"),
        ("fr", "La liste des commandes est fausse depuis le déménagement"),
        ("es", "La lista de los pedidos está mal desde que nos mudamos"),
        ("pt", "A lista dos pedidos está errada desde que mudámos, não é"),
        ("it", "La lista degli ordini è sbagliata da quando ci siamo trasferiti"),
        ("nl", "De lijst van de bestellingen is fout sinds we zijn verhuisd"),
        ("pl", "Lista zamówień nie jest dobra, od kiedy się przenieśliśmy"),
        ("cs", "Seznam je špatně, od té doby co jsme se přestěhovali, prosím"),
        ("ja", "引っ越してから注文の一覧が間違っています"),
    ],
)
def test_ten_languages_are_read(code: str, text: str) -> None:
    """The words that nearly every text has tell its language, and English words count in all."""
    found = language_of(read(text).words)

    assert {code, "en"} <= set(found.codes)
    assert found.read
    assert found.known


@pytest.mark.parametrize(
    "text",
    [
        "Ο κατάλογος είναι λάθος και δεν μπορούμε να τον τυπώσουμε από την Τρίτη",  # noqa: RUF001 - Greek
        "Списъкът не се отваря и ние не можем да го отпечатаме",  # noqa: RUF001 - Bulgarian
        "รายการไม่ถูกต้องและเราไม่สามารถพิมพ์ได้",
    ],
)
def test_another_language_is_recognised_as_one_that_is_not_read(text: str) -> None:
    """The words of a listed language without lists of cues say that nothing can be read."""
    assert not language_of(read(text).words).read


def test_few_words_may_be_in_any_language() -> None:
    """A text without common words is tried with all lists; it is unknown only where it is long enough to have some."""
    short, long = (
        language_of(read("Kiosk 7").words),
        language_of(read("Orodha yetu haionekani tangu asubuhi leo").words),
    )

    assert set(short.codes) >= READ
    assert short.known
    assert long.read
    assert not long.known


def test_one_word_is_no_proof() -> None:
    """A single word of a language that is not read does not make the text unread."""
    assert language_of(read("Serveren er borte").words).read


@pytest.mark.parametrize(
    "text", ["How long do refunds take?", "How do I take money out?", "Do you take cards?", "Where do I get more?"]
)
def test_a_short_question_in_english(text: str) -> None:
    """`Do` and `take` are Czech words without their accents, too: the words of English questions outweigh them."""
    assert language_of(read(text).words).leading == ("en",)


@pytest.mark.parametrize(
    ("text", "encoded"),
    [
        ("The crane does not turn and we cannot unload.", True),
        ("Der Kran dreht sich nicht, und wir können nicht löschen.", True),
        ("Кран не повертається, і ми не можемо розвантажити.", True),  # noqa: RUF001 - Ukrainian
        ("クレーンが動きません。", True),
        ("ERR 4711", True),
        ("Kranen svänger inte och vi kan inte lossa.", False),
        ("Kranen drejer ikke, og vi kan ikke losse.", False),
        ("Nosturi ei käänny, emmekä voi purkaa.", False),
        ("Jeřáb se neotáčí a my nemůžeme vykládat.", False),
        ("Ο γερανός δεν γυρίζει και δεν μπορούμε να ξεφορτώσουμε.", False),  # noqa: RUF001 - Greek
        ("Vilken musik spelades igår kväll?", False),
    ],
)
def test_what_the_encoder_has_learnt(text: str, encoded: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Common words tell it, and letters where these do not."""
    assert is_encoded(text) is encoded


def test_what_the_encoder_lacks_means_nothing() -> None:
    """A text in its languages is near itself; one in another language is near no text, and not even near itself."""
    crane, kran = known_meaning("The crane does not turn."), known_meaning("Kranen svänger inte och vi kan inte lossa.")

    assert float(crane @ crane) > 0.99
    assert float(kran @ kran) == float(kran @ crane) == 0
