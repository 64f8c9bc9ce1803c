"""Finds corrections of similar mails: of the same sender, or with the same words."""

from collections.abc import Sequence
from dataclasses import dataclass

from triage.domain.approvals import Correction
from triage.domain.findings import Disposition
from triage.domain.mail import Trust
from triage.domain.traces import Sketch

ASIDE = frozenset({Disposition.SPAM, Disposition.NOT_FOR_US, Disposition.NEWSLETTER, Disposition.AUTOMATIC})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A person's correction of a similar mail, from which this mail's disposition is learnt."""

    disposition: Disposition
    same_sender: bool
    alike: bool
    """The words are nearly the same."""
    text: str

    @property
    def aside(self) -> bool:
        """Whether that mail was not for us."""
        return self.disposition in ASIDE


def hint_of(examples: Sequence[Correction], sender: str, trust: Trust, sketch: Sketch | None) -> Hint | None:
    """Return the latest example that applies to this mail; None if none does.

    A forged mail must not teach anything about the sender it names: an example sets aside only mails whose sender is proven
    no better than in the example, and lets pass only mails whose sender is proven no worse.
    """
    for one in examples:
        same_sender = bool(sender) and one.sender == sender
        alike = sketch is not None and bool(one.sketch) and sketch.like(Sketch.of(one.sketch))
        if one.disposition is Disposition.UNSURE or not (same_sender or alike):
            continue
        if same_sender and not _may_speak(one, trust):
            continue
        why = " and ".join((*(["same sender"] if same_sender else []), *(["same words"] if alike else [])))
        text = f"{one.by} said {one.disposition} of {one.case}: {why}"
        return Hint(disposition=one.disposition, same_sender=same_sender, alike=alike, text=text)
    return None


def _may_speak(one: Correction, trust: Trust) -> bool:
    rank, known = trust.rank, Trust(one.trust).rank
    return rank <= known if one.disposition in ASIDE else rank >= known and trust is not Trust.FAILED
