"""Texts of a form that several requests hold; who sends another one is told what to send."""

from typing import Annotated

from triage.config.shapes.form import Form

CaseName = Annotated[str, Form(r"^(case-)?[1-9][0-9]{0,8}$", "send a case's number, such as 17 or case-17")]
AnyCase = Annotated[str, Form(r"^((case-)?[1-9][0-9]{0,8})?$", "send a case's number, such as 17 or case-17")]
AnyTicket = Annotated[
    str, Form(r"^([A-Z][A-Z0-9_]{0,40}-[1-9][0-9]{0,9})?$", "send the key of a ticket, in capitals, such as HARB-27")
]
ShownHash = Annotated[str, Form("^[0-9a-f]{64}$", "send `hash` of the approval as you saw it")]
Words = Annotated[str, Form(r"\S", "send words, not only blanks")]
