"""The shapes of the sections `dispositions` and `senders` of `triage.yaml`."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from triage.config.dispositions.table import DEFAULTS, DispositionTable, SenderList
from triage.domain.findings import Disposition, DispositionAction

_ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_DOMAIN: Final = re.compile(r"@?(?:[a-z0-9_-]+\.)+[a-z0-9-]+")
WRITES: Final = frozenset({DispositionAction.TICKET, DispositionAction.COMMENT})


def _entry(value: str) -> str:
    text = value.strip().lower()
    if not (_ADDRESS.fullmatch(text) or _DOMAIN.fullmatch(text)):
        raise ValueError(f"{value!r} is neither an address nor a domain; write ada@example.com or example.com")
    return text.removeprefix("@")


def _possible(actions: dict[Disposition, DispositionAction]) -> dict[Disposition, DispositionAction]:
    """Refuse that spam makes tickets: whoever wants that has no use for the disposition."""
    if actions.get(Disposition.SPAM) in WRITES:
        raise ValueError("spam makes no tickets and no comments; write ignore or person")
    if actions.get(Disposition.UNSURE) is DispositionAction.COMMENT:
        raise ValueError("unsure has no ticket to comment on; write person, ticket or ignore")
    return actions


Entry = Annotated[str, AfterValidator(_entry)]
ActionsShape = Annotated[dict[Disposition, DispositionAction], AfterValidator(_possible)]


class SendersShape(BaseModel):
    """Lists of addresses and domains."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    allow: tuple[Entry, ...] = Field(default=())
    block: tuple[Entry, ...] = Field(default=())
    important: tuple[Entry, ...] = Field(default=())

    @model_validator(mode="after")
    def _not_both(self) -> "SendersShape":
        both = sorted(set(self.block) & {*self.allow, *self.important})
        if both:
            raise ValueError(f"{', '.join(both)} stands in `block` and in another list; keep one")
        return self


def table_of(actions: ActionsShape, senders: SendersShape) -> DispositionTable:
    """Convert to the frozen table."""
    return DispositionTable(
        actions={**DEFAULTS, **actions},
        allow=SenderList(entries=frozenset(senders.allow)),
        block=SenderList(entries=frozenset(senders.block)),
        important=SenderList(entries=frozenset(senders.important)),
    )
