"""What the hub answers, as Markdown."""

from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.domain.untrusted import Untrusted
from triage.policy.support.resolving.wording import render_answer, render_data


def hit(article: str, url: str = "") -> PassageHit:
    """A passage that was found."""
    return PassageHit(passage=Passage(article=article, number=0, title=f"On {article}", url=url), similarity=1.0)


def test_sentences_have_the_numbers_of_their_sources() -> None:
    """Sources are listed once, with their link if it is one; text of an article is no markup."""
    answer = KnowledgeAnswer(
        sentences=(
            CitedSentence(text="Open *Settings*.", passage="a#0"),
            CitedSentence(text="Then save.", passage="b#0"),
            CitedSentence(text="Again.", passage="a#0"),
            CitedSentence(text="Greetings", passage=""),
            CitedSentence(text="Old.", passage="gone#1"),
        ),
        hits=(hit("a", "https://help.example/a"), hit("b", "javascript:alert(1)")),
    )

    assert render_answer(answer) == (
        "Open \\*Settings\\*\\. [1] Then save\\. [2] Again\\. [1] Greetings Old\\. [3]\n\n"
        "[1] On a: <https://help.example/a>\\\n[2] On b\\\n[3] gone"
    )
    assert render_answer(KnowledgeAnswer()) == ""


def test_each_question_stands_above_its_answer() -> None:
    """Where a mail has several, the reader sees which sentence answers which; his words are no markup."""
    answer = KnowledgeAnswer(
        sentences=(
            CitedSentence(text="Yes.", passage="a#0", question="Is *it* open?"),
            CitedSentence(text="Daily.", passage="a#0", question="Is *it* open?"),
            CitedSentence(text="No.", passage="b#0", question="Do dogs swim?"),
        ),
        hits=(hit("a"), hit("b")),
    )

    assert render_answer(answer) == (
        "**Is \\*it\\* open\\?**\n\nYes\\. [1] Daily\\. [1]\n\n**Do dogs swim\\?**\n\nNo\\. [2]\n\n[1] On a\\\n[2] On b"
    )


def test_steps_and_rows_stay_a_list() -> None:
    """Items stand on lines of their own, with all their sentences; what the article says below is a paragraph again."""
    text = Untrusted("Do this:\n1. Open *it*. Wait.\n2. Press Go.\nIt starts. Done.")
    passage = Passage(article="a", number=0, title="On a", text=text)
    sentences = ("Do this:", "1. Open *it*.", "Wait.", "2. Press Go.", "It starts.", "Done.")
    answer = KnowledgeAnswer(
        sentences=tuple(CitedSentence(text=one, passage="a#0") for one in sentences),
        hits=(PassageHit(passage=passage, similarity=1.0),),
    )

    assert render_answer(answer) == (
        "Do this\\: [1]\n\n1. Open \\*it\\*\\. [1] Wait\\. [1]\n2. Press Go\\. [1]\n\nIt starts\\. [1] Done\\. [1]\n\n[1] On a"
    )


def test_data_are_listed_by_name() -> None:
    """Ids stay out but those of reservations, lists become lines, and values are no markup."""
    read = {
        "user_lookup": {
            "user_id": "u-1",
            "full_name": "Alma R",
            "nickname": "Al *",
            "paid": False,
            "subscription": {"tier": "premium", "end_date": None},
        },
        "reservations": {"reservations": [{"reservation_id": "r-500", "status": "confirmed"}], "notes": ["one"]},
        "number": 7,
    }

    assert render_data(read) == (
        "- nickname: Al \\*\n- paid: no\n- subscription: tier premium; end date -\n"
        "- reservations: reservation id r\\-500; status confirmed\n- notes: one"
    )
    assert render_data({}) == ""


def test_what_two_tools_say_is_told_once() -> None:
    """The fuller values stay, under the name that the other tool has for them."""
    read = {
        "user_lookup": {"user_id": "u-1", "subscription": {"status": "active", "tier": "premium"}},
        "subscription_management": {"status": "active", "tier": "premium", "monthly_quota": 8},
    }

    assert render_data(read) == "- subscription: status active; tier premium; monthly quota 8"
    more = {**read, "reservation_management": {"reservations": [{"status": "confirmed"}]}}
    assert render_data(more, ("my subscription",)) == render_data(read)
    assert render_data(more, ("my account",)).count("- ") == 2
