"""What of an article is searched, shown and cited as a whole."""

from triage.domain.support.articles import Article
from triage.domain.untrusted import Untrusted
from triage.policy.knowledge.passages import LARGEST, MOST, passages_of, sentences_of


def article(text: str, title: str = "Parcels") -> Article:
    """An article of the source `help`."""
    return Article(id="help:parcels", title=title, text=Untrusted(text), url="https://help.example", tags=("post",))


def words(count: int, word: str = "word") -> str:
    """A sentence of so many words."""
    return " ".join([word] * count) + "."


def test_a_passage_per_heading() -> None:
    """Passages carry title, headings, link and tags; a first heading that repeats the title is left out."""
    first, second, third = passages_of(article("# Parcels\nIntro.\n## Late\nWait.\n### Lost\nAsk.\n## Empty\n"))

    assert (first.id, first.heading, first.text) == ("help:parcels#0", "", "Intro.")
    assert (second.id, second.heading, second.text) == ("help:parcels#1", "Late", "Wait.")
    assert (third.heading, third.url, third.tags) == ("Late > Lost", "https://help.example", ("post",))


def test_a_heading_of_its_own() -> None:
    """A first heading that says more than the title is kept."""
    (one,) = passages_of(article("# Late parcels\nWait."))

    assert one.heading == "Late parcels"


def test_paragraphs_are_merged_and_long_ones_cut() -> None:
    """Passages of one section have about a paragraph's size, and all words of it."""
    text = "\n\n".join(words(30 + at) for at in range(30)) + "\n\n" + words(2_000)

    found = passages_of(article(text))

    assert all(len(one.text) <= MOST for one in found)
    assert sum(one.text.count("word") for one in found) == text.count("word")
    assert min(len(one.text) for one in found) > 300


def test_a_small_rest_is_no_passage() -> None:
    """What is left under the same heading joins the passage before it."""
    (one,) = passages_of(article(f"{words(190)}\n\n{words(3, 'rest')}"))

    assert one.text.endswith("rest rest rest.")


def test_steps_stay_with_their_announcement() -> None:
    """A list is not parted from the line that announces it, nor cut."""
    steps = "\n".join(f"- step {at} {words(12)}" for at in range(40))

    found = passages_of(article(f"{words(170)}\n\nDo this:\n\n{steps}\n\n{words(90)}"))

    assert [one.text.count("- step") for one in found] == [40, 0]


def test_a_huge_table_is_cut_between_rows() -> None:
    """A table of a megabyte gives passages, each of whole rows."""
    rows = "\n".join(f"| {at} | {words(8)} |" for at in range(2_000))

    found = passages_of(article(rows))

    assert all(len(one.text) <= LARGEST and one.text.split("\n")[-1].endswith("word.") for one in found)
    assert sum(one.text.count("\n") + 1 for one in found) == 2_000


def test_a_line_without_blanks_is_cut() -> None:
    """Data of one line is cut where it has to be."""
    assert [len(one.text) for one in passages_of(article("x" * 4_000))] == [MOST, MOST, 1_000]
    assert [len(one.text) for one in passages_of(article(f"```\n{'x' * LARGEST} \n```"))] == [LARGEST]


def test_no_text_no_passage() -> None:
    """An article without text is not searched."""
    assert passages_of(article("\n# Parcels\n")) == ()


def suggested(text: str) -> tuple[tuple[str, ...], ...]:
    """The suggested sentences of each passage."""
    return tuple(one.suggested for one in passages_of(article(text)))


def test_suggested_phrasing() -> None:
    """What stands behind the announcement, under it or in the quote under it is suggested; what follows is not."""
    assert suggested('Guide them.\n\n- **Suggested phrasing**: "Open the app. Tap Reserve!"') == (
        ("Open the app.", "Tap Reserve!"),
    )
    assert suggested("Guide.\n\n**Suggested phrasing:**\n\n> Open it.\n\nNot this.") == (("Open it.",),)
    assert suggested("## Suggested reply\n- \u201eOpen it.\u201c\n- Close it.") == (("Open it.", "Close it."),)
    assert suggested("Antwortvorschlag:\nBitte warten Sie.") == (("Bitte warten Sie.",),)
    assert suggested("Suggested wording\n\n```\ncode\n```") == ((),)
    assert suggested("Suggested replies are kept in the drawer of the desk, where everybody finds them again.") == ((),)


def test_sentences() -> None:
    """Sentences end at their signs, not at abbreviations or numbers; lines are sentences of their own."""
    text = (
        "Ask us, e.g. by mail. It costs 4.50 Euro! (Really?) Yes\n- a step\n\u306f\u3044\u3002\u3044\u3044\u3048\u3002"
    )

    assert sentences_of(text) == (
        "Ask us, e.g. by mail.",
        "It costs 4.50 Euro!",
        "(Really?)",
        "Yes",
        "- a step",
        "\u306f\u3044\u3002",
        "\u3044\u3044\u3048\u3002",
    )
