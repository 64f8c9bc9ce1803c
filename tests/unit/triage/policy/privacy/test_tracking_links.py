"""Links keep their place and lose what counts clicks."""

import pytest

from triage.domain.mail import RichLine, TextMark
from triage.domain.untrusted import Untrusted
from triage.policy.privacy.tracking_links import untracked

PLAN = "https://yard.example/plan"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no link", "no link"),
        (f"see {PLAN}?utm_source=mail&utm_medium=x now", f"see {PLAN} now"),
        (f"{PLAN}?crane=7&utm_source=mail", f"{PLAN}?crane=7"),
        (f"{PLAN}?utm_source=mail&crane=7", f"{PLAN}?crane=7"),
        ("see the plan (https://click.yard.example/ls/4711) now", "see the plan now"),
        ("the plan: https://click.yard.example/ls/4711", "the plan: "),
        ("(https://click.yard.example/ls/4711)", None),
    ],
)
def test_a_link_leads_to_its_place(text: str, left: str | None) -> None:
    """Parameters that count are cut off, and links to counters go, with the line if nothing is left of it."""
    clean = untracked(RichLine(Untrusted(text)))

    assert left == (clean and clean.text)


def test_code_keeps_its_links() -> None:
    """What a log says stays as it is."""
    line = RichLine(Untrusted(f"GET {PLAN}?utm_source=mail"), "code")

    assert untracked(line) == line


def test_marks_move_with_their_words() -> None:
    """A link with a label stays one, and marks behind it stay on their words."""
    link = f"{PLAN}?utm_source=mail"
    line = RichLine(
        Untrusted(f"the plan ({link}) burns"),
        "",
        (TextMark(4, 11 + len(link), link), TextMark(12 + len(link), 17 + len(link), "strong")),
    )

    clean = untracked(line)

    assert clean
    assert clean.text == f"the plan ({PLAN}) burns"
    assert [(clean.text[mark.start : mark.end], mark.kind) for mark in clean.marks] == [
        (f"plan ({PLAN})", PLAN),
        ("burns", "strong"),
    ]


def test_a_label_outlives_its_counter() -> None:
    """Of a link to a counter the label stays, as words; without an address in the text, too."""
    counter = "https://click.yard.example/ls/4711"
    shown = RichLine(Untrusted(f"plan ({counter})"), "", (TextMark(0, 7 + len(counter), counter),))
    hidden = RichLine(Untrusted("plan"), "", (TextMark(0, 4, counter),))

    assert untracked(shown) == untracked(hidden) == RichLine(Untrusted("plan"))
