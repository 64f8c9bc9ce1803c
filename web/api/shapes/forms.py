"""What several requests hold: texts of a form, of which whoever sends another one is told what to send, and numbers."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict

from triage.config.shapes.form import Form

CaseName = Annotated[str, Form(r"^(case-)?[1-9][0-9]{0,8}$", "send a case's number, such as 17 or case-17")]
AnyCase = Annotated[str, Form(r"^((case-)?[1-9][0-9]{0,8})?$", "send a case's number, such as 17 or case-17")]
AnyTicket = Annotated[
    str, Form(r"^([A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9})?$", "send the key of a ticket, in capitals, such as HARB-27")
]
ShownHash = Annotated[str, Form("^[0-9a-f]{64}$", "send `hash` of the approval as you saw it")]
Words = Annotated[str, Form(r"\S", "send words, not only blanks")]
Number = Annotated[int, Path(ge=1, le=2_000_000_000, examples=[1])]


class Asked(BaseModel):
    """What a request brings; an unknown name in it is an error, since it may be a misspelt one."""

    model_config = ConfigDict(extra="forbid")
