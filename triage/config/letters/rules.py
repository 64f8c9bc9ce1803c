"""The section `letters` of triage.yaml: which letters are written, how sure they must be, whose texts they have."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, StrictBool

from triage.config.shapes.base import Form, Shape


class AnswerMode(StrEnum):
    """What becomes of the answers that Triage writes."""

    OFF = "off"
    DRAFTS = "drafts"
    """Laid into the mailbox's folder of drafts, where a person sends them."""
    LETTERS = "letters"
    """Sent, after a person's word where the rights to letters ask for one."""


def _off(value: object) -> object:
    """Read `off`, which YAML takes for false."""
    return AnswerMode.OFF if value is False else value


class LetterSettings(Shape):
    """Which letters are written. All are off until somebody turns them on."""

    answers: Annotated[AnswerMode, BeforeValidator(_off)] = AnswerMode.OFF
    receipt: StrictBool = False
    questions: StrictBool = False
    """Ask back for what the report of a bug lacks."""
    status: StrictBool = False
    """Tell the sender when his ticket is done."""
    comments: StrictBool = False
    """Send him what people say to everybody on his ticket."""
    rejections: StrictBool = False
    """Tell the sender that his mail is too large."""
    out_of_hours: StrictBool = False
    """Say in receipts and answers when the office opens, where the section `hours` says that it is closed."""
    threshold: Annotated[float, Field(ge=0, le=1)] = 0.8
    """Least confidence with which an answer goes without a person."""
    language: Annotated[str, Form(r"^[a-z]{2,3}$", "write the code of a language, such as de")] = "en"
    """Of letters to senders whose language is not known or has no texts."""
    signature: Annotated[str, Field(max_length=500)] = ""
    templates: str = ""
    """Folder with texts of the user's own, one file per language."""

    def beside(self, folder: Path) -> Self:
        """Return the rules with the folder of texts resolved against the configuration's."""
        return self.model_copy(update={"templates": str(folder / self.templates)}) if self.templates else self

    @property
    def any(self) -> bool:
        """Whether any letter about an arriving mail is on."""
        return self.answers is not AnswerMode.OFF or self.receipt or self.questions or self.rejections
