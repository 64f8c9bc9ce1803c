"""Answers that stand within the quoted mail without quote marks: the whole mail is the author's."""

import pytest

from integrations.mime.reply.inside import answers_inside, answers_marked
from integrations.mime.reply.split import split

QUOTE = "On 9 Mar 2026, at 17:02, Ben <ben@example.com> wrote:\n\n> old"
HEADER = "From: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Grace\nSubject: Crane"


@pytest.mark.parametrize(
    "said",
    [
        *("See my answers below in red.", "Antworten in blau.", "Mes réponses en rouge.", "See inline, please."),
        *("My answers below in capitals.", "My replies are under each question.", "Antworten unter den Fragen."),
        *("Mis respuestas en mayúsculas.", "Le risposte sono sotto ogni domanda.", "Antwoorden onder elke vraag."),
        *(
            "As respostas por baixo de cada pergunta.",
            "Odpowiedzi pod pytaniami.",
            "Odpovědi pod otázkami.",
            "Svaren med versaler.",
        ),
    ],
)
def test_answers_that_only_a_colour_tells_stay_with_what_they_answer(said: str) -> None:
    """An answer that points into the quoted mail keeps all of it: nothing but a colour tells the author's words there."""
    text = f"{said}\n\nFrom: Ada Byron <ada@example.com>\nSent: Monday, March 9, 2026 5:02 PM\nTo: Grace\nSubject: Crane\n\nIs it red?\nYes."
    assert answers_inside(said)
    assert split(text).reply == text


@pytest.mark.parametrize(
    ("pointer", "words"),
    [
        ("답변은 아래 빨간색으로 적었습니다.", "표지는 파란색으로 해 주세요."),
        ("回答は下に赤字で記入しました。", "今月は赤字でした。"),
        ("我的回复用红字标在下面。", "标题请改成红字。"),
        ("Pirossal írtam alá a válaszokat.", "Legyen a borító pirossal nyomva."),
    ],
)
def test_a_colour_by_itself_points_to_no_answers(pointer: str, words: str) -> None:
    """Only a sentence about answers points into the quoted mail; a cover may be blue, and a month in the red."""
    assert answers_inside(pointer)
    assert split(f"{words}\n\n{QUOTE}").reply == words


@pytest.mark.parametrize("mark", ["***", "==>", "-->", "[GH]", "GH:", "//", "→"])
def test_answers_with_a_mark_below_the_questions_stay(mark: str) -> None:
    """Whoever puts the same mark before each answer needs no word that says so, in any language."""
    text = f"Vastaukseni alla.\n\n{HEADER}\n\nMiten?\n{mark} Hyvin\nMilloin?\n\n{mark} Huomenna\n\nAda"

    assert split(text).reply == text
    assert split(text.replace(f"\n{mark} Huomenna\n", "\n")).reply == "Vastaukseni alla."


@pytest.mark.parametrize(
    "older",
    [
        "Which one?\n- the red one\n- the blue one\nWhen?\n- today",
        "Which one?\n1. the red one\nWhen?\n2. today",
        "It is here\n*** the red one\n*** the blue one",
        "Which one?\n*** the red one\nWhen?\n==> today",
    ],
)
def test_lists_in_the_older_mail_are_no_answers(older: str) -> None:
    """Bullets, numbers, marks without questions and marks that differ are the older mail's own."""
    assert not answers_marked(older.splitlines())
    assert split(f"Thanks.\n\n{HEADER}\n\n{older}").reply == "Thanks."


def test_long_texts_point_to_no_answers() -> None:
    """A sentence about answers that stand below is short."""
    assert not answers_inside("See my answers in red. " * 50)
