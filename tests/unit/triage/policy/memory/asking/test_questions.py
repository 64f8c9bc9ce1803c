"""What rules read out of a question to the memory."""

import pytest

from triage.domain.memory.answers import Job
from triage.domain.memory.notes import NoteKind
from triage.policy.memory.asking.questions import Horizon, MemoryQuestion, WantedAnswer, job_of, read_question


def test_a_question_is_read_by_its_words() -> None:
    """Words that ask are no words to look for; each other one counts once, tickets and cases are told by name."""
    assert read_question(
        "What did we decide about the quay cameras, the quay of HARB-12 and case 7?"
    ) == MemoryQuestion(
        text="What did we decide about the quay cameras, the quay of HARB-12 and case 7?",
        terms=("quay", "camera"),
        kinds=frozenset({NoteKind.DECISION}),
        named=frozenset({"HARB-12", "case-7"}),
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Qu'est-ce que nous avons promis à nos clients ?", NoteKind.COMMITMENT),
        ("¿Qué hemos prometido a los clientes?", NoteKind.COMMITMENT),
        ("Che cosa abbiamo promesso?", NoteKind.COMMITMENT),
        ("Wat hebben we beloofd?", NoteKind.COMMITMENT),
        ("Quelles décisions avons-nous prises ?", NoteKind.DECISION),
        ("¿Qué decisiones se tomaron?", NoteKind.DECISION),
        ("Che cosa abbiamo deciso?", NoteKind.DECISION),
        ("Wat hebben we besloten?", NoteKind.DECISION),
        ("¿Qué tareas están pendientes?", NoteKind.ACTION),
        ("Cosa dobbiamo fare?", NoteKind.ACTION),
    ],
)
def test_all_notes_of_a_kind_are_asked_for_in_each_language_that_mails_are_read_in(text: str, kind: NoteKind) -> None:
    """Such a question names its kind and nothing to look for."""
    asked = read_question(text)

    assert (asked.kinds, asked.terms) == (frozenset({kind}), ())


def test_names_that_are_words_elsewhere_are_looked_for() -> None:
    """Tom and Tim are words in Czech, too; whoever asks for Tom's promises does not want everybody's."""
    assert read_question("What did Tom promise Tim?").terms == ("tom", "tim")


@pytest.mark.parametrize(
    ("text", "wants"),
    [
        ("Who promised it?", WantedAnswer.PERSON),
        ("Wer macht das?", WantedAnswer.PERSON),
        ("Until when do we wait?", WantedAnswer.TIME),
        ("How much is it?", WantedAnswer.NUMBER),
        ("What happens when it rains?", WantedAnswer.ANYTHING),
    ],
)
def test_a_question_asks_for(text: str, wants: WantedAnswer) -> None:
    """The word that opens a question says what it asks for; `when` further on asks for no time."""
    assert read_question(text).wants is wants


@pytest.mark.parametrize(
    ("text", "horizon"),
    [
        ("What is overdue?", Horizon.OVERDUE),
        ("What do I have to do this week?", Horizon.SOON),
        ("Was ist überfällig?", Horizon.OVERDUE),
        ("Qu'est-ce qui est en retard ?", Horizon.OVERDUE),
        ("¿Qué está vencido?", Horizon.OVERDUE),
        ("Cosa è in ritardo?", Horizon.OVERDUE),
        ("Wat is te laat?", Horizon.OVERDUE),
        ("Que devons-nous faire cette semaine ?", Horizon.SOON),
        ("¿Qué tenemos que hacer esta semana?", Horizon.SOON),
        ("Wat moeten we deze week doen?", Horizon.SOON),
        ("What do we have to do?", Horizon.ANY),
    ],
)
def test_a_question_for_deadlines_is_about_no_word(text: str, horizon: Horizon) -> None:
    """Questions for what is late or soon due name nothing else."""
    asked = read_question(text)

    assert (asked.horizon, asked.terms) == (horizon, ())


def test_promises_that_are_due_are_promises() -> None:
    """The words of deadlines add no actions to the kind that is named."""
    assert read_question("Which promises are due this week?").kinds == {NoteKind.COMMITMENT}


@pytest.mark.parametrize(
    "text",
    ["What did we promise to customers?", "Which promises are open?", "Was haben wir den Kunden versprochen?"],
)
def test_for_all_promises(text: str) -> None:
    """Customers, and that they are open, narrow no question for promises; in other questions these words count."""
    asked = read_question(text)

    assert (asked.kinds, asked.terms) == (frozenset({NoteKind.COMMITMENT}), ())
    assert read_question("Why do customers call?").terms == ("customer", "call")


@pytest.mark.parametrize(
    ("message", "job"),
    [
        ("build", Job.BUILD),
        ("Build my memory", Job.BUILD),
        ("please scan the new mails", Job.BUILD),
        ("ingest", Job.BUILD),
        ("Refresh", Job.REFRESH),
        ("prioritize my actions", Job.REFRESH),
        ("re-prioritise", Job.REFRESH),
        ("reconcile", Job.RECONCILE),
        ("check actions", Job.RECONCILE),
        ("Please check the actions!", Job.RECONCILE),
        ("deduplicate", Job.DEDUPLICATE),
        ("clean vault", Job.DEDUPLICATE),
        ("Clean the vault", Job.DEDUPLICATE),
        ("stats", Job.STATS),
        ("show me the vault stats", Job.STATS),
        ("how many", Job.STATS),
        ("How many notes are there?", Job.STATS),
        ("How many open actions do we have?", Job.STATS),
        ("Who promised the audit report?", Job.QUERY),
        ("audit report", Job.QUERY),
        ("", Job.QUERY),
        # words of a question order nothing
        ("When do we build the new quay?", Job.QUERY),
        ("Who has to scan the contracts?", Job.QUERY),
        ("What did Ann say about the build server", Job.QUERY),
        ("How many invoices are open?", Job.QUERY),
        ("How many decisions about the quay did we take?", Job.QUERY),
        ("What do the crane stats of May say?", Job.QUERY),
        # parts of words are no keywords
        ("the building permit", Job.QUERY),
        ("scanner of pier 4", Job.QUERY),
    ],
)
def test_a_message_wants(message: str, job: Job) -> None:
    """The keywords of a message decide, as whole words and outside of questions."""
    assert job_of(message) is job
