"""The sentence that says what is wrong or wanted is found among what surrounds it."""

import pytest

from triage.policy.ticket.text.key_sentence import SubjectSays, key_sentence, prior_of, subject_says, worth_of


@pytest.mark.parametrize(
    ("sentences", "at"),
    [
        (
            (
                "I have worked here for twelve years and never written to you.",
                "The till at the north door prints every receipt twice.",
                "The other three are all right.",
                "Customers find it funny.",
            ),
            1,
        ),
        (
            (
                "Wir haben eine neue Kollegin.",
                "Frau Lindqvist braucht ab Montag Zugriff auf das Laufwerk der Buchhaltung.",
                "Ihr Büro ist die 214.",
            ),
            1,
        ),
        (("Le logiciel nous plaît beaucoup.", "Serait-il possible de trier la liste des bateaux par longueur ?"), 1),
        (("昨日から予約画面を開くとエラーが表示されます。", "お昼には使えました。", "よろしくお願いします。"), 0),
    ],
)
def test_the_sentence_with_the_matter_is_found(sentences: tuple[str, ...], at: int) -> None:
    """Background, mood, what does work and courtesy do not name the matter."""
    assert key_sentence(sentences) == sentences[at]


def test_a_text_may_have_none() -> None:
    """What says nothing names nothing, unless anything is better; of no sentences none is found."""
    assert key_sentence(("Thanks!", "See below.")) == ""
    assert key_sentence(("Thanks!", "See below."), least=0.0) == "See below."
    assert key_sentence(()) == ""


@pytest.mark.parametrize(
    ("subject", "says"),
    [
        ("Invoice PDF shows the wrong VAT number", SubjectSays.ALL),
        ("Zugriff auf das Laufwerk für Frau Lindqvist", SubjectSays.ALL),
        ("Printer second floor", SubjectSays.NAME),
        ("Kasse 4", SubjectSays.NAME),
        ("KATASTROPHE!!!", SubjectSays.NOTHING),
        ("quick question", SubjectSays.NOTHING),
    ],
)
def test_what_a_subject_says(subject: str, says: SubjectSays) -> None:
    """A subject says all, names the thing alone, or says nothing."""
    assert subject_says(subject) is says


def test_the_place_counts_in_a_text_alone() -> None:
    """The worth of a sentence is the same wherever it stands."""
    one, other = "The till prints every receipt twice.", "The others are all right."

    assert worth_of((one, other)) == pytest.approx(worth_of((other, one))[::-1])


def test_what_a_sentence_is_worth_before_it_is_read() -> None:
    """More the earlier it stands and the longer it is; a Chinese sign counts as two letters."""
    first, second, longer = prior_of(("Short one.", "Short one.", "A sentence that is much longer than they are."))
    (chinese,), (latin,) = prior_of(("打印机",)), prior_of(("abcdef",))

    assert second < first < longer
    assert chinese == latin
