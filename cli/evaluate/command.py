"""`triage eval`: the table of its verbs."""

import typer

from cli.evaluate.assignment import assignment
from cli.evaluate.capacity import capacity
from cli.evaluate.cases.command import EXIT_CODES, cases
from cli.evaluate.classifiers.classify import classify
from cli.evaluate.classifiers.intents import intents
from cli.evaluate.cues import cues
from cli.evaluate.disposition import disposition
from cli.evaluate.duplicates.command import duplicates
from cli.evaluate.knowledge.command import knowledge
from cli.evaluate.mail import mail
from cli.evaluate.memory.command import memory

evaluate = typer.Typer(
    add_completion=False, help="Measure how well Triage does on data with known answers.", no_args_is_help=True
)
evaluate.command()(mail)
evaluate.command()(assignment)
evaluate.command()(disposition)
evaluate.command()(duplicates)
evaluate.command(epilog=EXIT_CODES)(cases)
evaluate.command()(cues)
evaluate.command()(classify)
evaluate.command()(memory)
evaluate.command()(knowledge)
evaluate.command()(intents)
evaluate.command()(capacity)
