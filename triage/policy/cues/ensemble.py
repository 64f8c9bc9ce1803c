"""Weighs what the word lists say of a mail against what its text means: of which type it is, and how much it matters.

Lists alarm about a meeting room called Emergency, and are silent where a cold store tells calmly of eleven degrees. Classifiers
read that, and overlook what a word of three says. Two models choose among the labels by both (decision 299); they are
trained by `python -m tests.training.cues` on what the classifiers said of texts that they had not seen.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, Any, Final

from triage.config.ticket.severity import Severity
from triage.domain.findings import Cue
from triage.policy.classifiers.choice_model import choice_model, softmax
from triage.policy.cues.priority import ListedPriority
from triage.policy.cues.semantic_cues import TYPE, URGENCY, JudgedText

if TYPE_CHECKING:
    from numpy.typing import NDArray

TYPE_CHOICE: Final = "type_choice"
PRIORITY_CHOICE: Final = "priority_choice"
"""Names of the two models."""
TYPES: Final = ("bug", "feature", "support", "general")
PRIORITIES: Final = ("Highest", "High", "Low", "Medium")
"""What is chosen among; the last one is what a mail is of which nothing is known."""
MEANT: Final = {"Highest": "highest", "High": "high", "Medium": "none", "Low": "low"}
"""Priority → the classifier's label."""
TYPE_FACTS: Final = ("listed bug", "listed feature", "listed support", "fixed")
PRIORITY_FACTS: Final = ("alarm", "hit", "leak", "listed High", "listed Low", "day", "fixed", *TYPES)
"""`alarm`: the lists say Highest by a word alone; `leak`: since data is seen or lost; `hit`: since something else is broken for many."""
LEAD: Final = {"bug": 0.4, "feature": 0.4, "support": 0.25}
"""Lead in probability that overrules what the lists say; a question is overruled sooner, as faults are asked about, too."""
LEAST: Final = 1e-3
"""Probability below which a classifier's doubts count no more."""
SHARE: Final = {"Highest": 0.06, "High": 0.16, "Medium": 0.6, "Low": 0.18}
"""Share of each priority among the mails of a desk; the classifier is trained as if all were as frequent."""
LISTED: Final = {
    "leak": {"Highest": 0.06, "High": 0.02, "Medium": 0.015, "Low": 0.005},
    "hit": {"Highest": 0.18, "High": 0.13, "Medium": 0.1, "Low": 0.09},
    "alarm": {"Highest": 0.01, "High": 0.02, "Medium": 0.04, "Low": 0.12},
    "High": {"Highest": 0.05, "High": 0.22, "Medium": 0.01, "Low": 0.04},
    "Low": {"Highest": 0.07, "High": 0.01, "Medium": 0.01, "Low": 0.24},
    "": {"Highest": 0.69, "High": 0.62, "Medium": 0.83, "Low": 0.52},
}
"""What the lists say → how often they say so of long mails of each priority, about, as `python -m tests.training.listed_shares` counts."""
LEAKS: Final = ("exposure", "loss")
"""Kinds of impact that the lists rarely see where there are none."""
OWN: Final = 0.7
"""Part of what the classifier says of a long mail that the lists have not said: both read the same words."""
WITHIN: Final = {
    "Highest": ("Highest", "High", "Medium", "Low"),
    "High": ("High", "Medium", "Low"),
    "Medium": ("High", "Medium", "Low"),
    "Low": ("Medium", "Low"),
}
"""What the lists say of a long mail → the priorities that may come of it: meaning alone makes no long mail Highest."""
UNHURRIED: Final = ("Low", "Medium")
"""Priorities of a mail that says `no rush`."""


def features_of(labels: Sequence[str], chances: Sequence[float], facts: Sequence[bool]) -> "NDArray[Any]":
    """Return a row per label: the logarithm of what the classifier says, then the facts in the places of this label; the last has none."""
    import numpy as np  # noqa: PLC0415 - commands that judge no mail start without it

    rows = np.zeros((len(labels), 1 + len(facts) * (len(labels) - 1)))
    rows[:, 0] = [log(chance + LEAST) for chance in chances]
    for place in range(len(labels) - 1):
        rows[place, 1 + place * len(facts) : 1 + (place + 1) * len(facts)] = facts
    return rows


def names_of(labels: Sequence[str], facts: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns of `features_of`."""
    return ("meant", *(f"{label}: {fact}" for label in labels[:-1] for fact in facts))


def type_facts(listed: Cue, *, fixed: bool) -> tuple[bool, ...]:
    return (*(bool(listed.evidence) and listed.value == label for label in TYPES[:-1]), fixed)


def priority_facts(listed: ListedPriority, kind: str, *, fixed: bool) -> tuple[bool, ...]:
    """Return the facts in the order of `PRIORITY_FACTS`; `kind` is the mail's type."""
    finding = finding_of(listed)
    by_list = tuple(finding == one for one in ("alarm", "hit", "leak", "High", "Low"))
    return (*by_list, listed.dated, fixed, *(kind == label for label in TYPES))


def finding_of(listed: ListedPriority) -> str:
    """Return what the lists say: `alarm`, `hit`, `leak`, `High`, `Low` or nothing."""
    value = listed.cue.value if listed.cue.evidence else ""
    if value == "Highest":
        return "leak" if listed.hit in LEAKS else "hit" if listed.hit else "alarm"
    return "" if value == "Medium" else value


def type_weighed(listed: Cue, text: JudgedText, *, fixed: bool) -> Cue:
    """Return the likeliest type; where nothing is to be judged, and in a few words, that of the lists."""
    judged = None if listed.evidence and text.short else text.asked(TYPE)
    if judged is None:
        return listed
    shares = _shares(TYPE_CHOICE, TYPES, judged.probabilities, type_facts(listed, fixed=fixed))
    value = max(TYPES, key=lambda label: shares[label])
    if value == listed.value or shares[value] - shares[listed.value] < LEAD.get(listed.value, 0.0):
        return listed
    return Cue(value=value, evidence=() if value == TYPES[-1] else text.evidence(TYPE, value))


def priority_weighed(listed: ListedPriority, kind: str, text: JudgedText, severity: Severity, *, fixed: bool) -> Cue:
    """Return the likeliest priority, as the severity policy calls it.

    It is that of the lists where it is settled, where nothing is to be judged, and in a few words, which are the matter.
    """
    finding = finding_of(listed)
    seen = finding == "leak" and kind == "bug" and not (fixed or text.long)
    trusted = listed.settled or seen or (listed.cue.evidence and text.short)
    judged = None if trusted else text.asked(URGENCY)
    if judged is None:
        return listed.cue
    chances = {label: judged.probabilities[meant] for label, meant in MEANT.items()}
    if text.long:
        value = _likeliest_of_many(chances, listed, finding, kind)
    else:
        shares = _shares(PRIORITY_CHOICE, PRIORITIES, chances, priority_facts(listed, kind, fixed=fixed))
        value = max(PRIORITIES, key=lambda label: shares[label])
        value = _within(value, finding, kind, fixed=fixed)
    if value == listed.cue.value:
        return listed.cue
    if value == PRIORITIES[-1]:
        return Cue(value=value)
    called = {"Highest": severity.outage, "High": severity.pressing}.get(value, value)
    lowered = listed.cue.evidence if (listed.cue.value, value) == ("Highest", "High") else ()
    return Cue(value=called, evidence=lowered or text.evidence(URGENCY, MEANT[value]))


def _within(value: str, finding: str, kind: str, *, fixed: bool) -> str:
    """Return a priority that does not deny what the mail plainly says: who calls a fault urgent, or says `no rush`, is not unheard."""
    if finding == "Low":
        return value if value in UNHURRIED else "Medium"
    urgent = finding == "alarm" and kind == "bug" and not fixed
    return "High" if urgent and value in UNHURRIED else value


def _shares(
    name: str, labels: Sequence[str], chances: Mapping[str, float], facts: Sequence[bool]
) -> Mapping[str, float]:
    """Return how probable each label is, by the classifier and the facts."""
    scores = features_of(labels, [chances[label] for label in labels], facts) @ choice_model(name).weights
    return dict(zip(labels, map(float, softmax(scores)), strict=True))


def _likeliest_of_many(chances: Mapping[str, float], listed: ListedPriority, finding: str, kind: str) -> str:
    """Weigh the priorities of a long mail: of ten sentences one sounds grave, so how frequent each is at a desk counts, too."""
    first = listed.cue.value
    if listed.dated:
        return first
    often = LISTED[finding]
    value = max(WITHIN[first], key=lambda label: SHARE[label] * often[label] * chances[label] ** OWN)
    return first if value == "High" and kind == "feature" and not listed.cue.evidence else value
