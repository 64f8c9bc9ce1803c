"""Wraps a function of an installed package as one of our tools: bounded in time and size, with our rights; its answer is untrusted."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from triage.agent.toolbox import Tool, canonical
from triage.config.agents.profiles import ToolLimits
from triage.domain.conversation import Grant, Json
from triage.domain.errors import OutsideFailed, OutsideUnknown, WriteUnconfirmed
from triage.domain.ports.outside import Http, Isolation, OutsideContext
from triage.policy.decision.outside_tools import DONE, outside_rule
from triage.toolsets.context import Context
from triage.toolsets.outside.effects import OUTSIDE_AGAIN, OUTSIDE_ONCE, OutsideCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A tool of an installed package with its limits, data folder and isolation."""

    tool: Tool
    """As its package made it."""
    data_dir: Path
    limits: ToolLimits
    isolation: Isolation

    def adapted(self) -> Tool:
        """Return the tool for our toolbox, with rights from triage.yaml; what its package says of rights is ignored."""
        writes = self.tool.grant is not Grant.READ
        rule = outside_rule(self.tool.name, self.limits.per_mail, reads=self.tool.reads) if writes else None
        function = self._write if writes else self._read
        return replace(self.tool, function=function, rule=rule, ends=False, outside=True)

    async def _read(self, at: Context, /, **arguments: Json) -> Json:
        return {"result": self._parsed(await self._run(at, arguments, ""))}

    async def _write(self, at: Context, /, **arguments: Json) -> Json:
        """Run the call as an effect, at most once; one that only reads runs as such."""
        if self.tool.reads and self.tool.reads(arguments):
            return await self._read(at, **arguments)
        kind = OUTSIDE_AGAIN if self.tool.repeatable else OUTSIDE_ONCE
        sequence = f"{self.tool.name}-{at.sequence}"
        key = at.effects.effect(kind.name, "", sequence, "").key
        call = OutsideCall(self.tool.name, partial(self._run, at, arguments, key))
        try:
            sent = await at.effects.once(kind.name, call, canonical(arguments), sequence=sequence)
        except WriteUnconfirmed as e:
            if self.tool.repeatable:
                raise
            raise OutsideUnknown(self.tool.name, e.detail) from e
        return self._done(sent.answer)

    def _done(self, answer: str | None) -> Json:
        """Say that it is done, even where the answer cannot be shown."""
        if answer is None:
            return {"status": DONE, "note": "it was done before; its answer is not known any more"}
        try:
            return {"status": DONE, "result": self._parsed(answer)}
        except OutsideFailed as e:
            return {"status": DONE, "note": e.detail}

    async def _run(self, at: Context, arguments: Mapping[str, Any], key: str) -> str:
        """Run the package's function in its bounded place. Raises `ToolRefused`, `OutsideFailed`."""

        def call(http: Http) -> Any:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            return self.tool.function(self._context(at, key, http), **arguments)

        return await self.isolation.run(self.tool.name, call, self.limits.timeout)

    def _context(self, at: Context, key: str, http: Http) -> OutsideContext:
        return OutsideContext(
            case=at.case.id,
            sender=at.case.mail.sender,
            trust=at.case.identity.trust,
            subject=at.case.mail.subject,
            once=key,
            data_dir=self.data_dir,
            options=self.limits.options,
            clock=at.clock,
            http=http,
        )

    def _parsed(self, text: str) -> Json:
        """Return the answer. Raises `OutsideFailed` if it is too long."""
        if len(text) > self.limits.max_chars:
            detail = f"its answer has {len(text):,} characters, and at most {self.limits.max_chars:,} are taken"
            raise OutsideFailed(self.tool.name, detail)
        return json.loads(text)
