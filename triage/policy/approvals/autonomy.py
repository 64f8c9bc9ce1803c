"""Lowers what the rights allow to what `autonomy` in triage.yaml leaves a profile: to a question, to a shadow, to a refusal."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from triage.config.autonomy.table import KINDS, Level
from triage.domain.conversation import Grant, Json
from triage.policy.decision.permission import Ask, Decision, ToolRule, Verdict

LevelOf = Callable[[str], Level]
"""Returns the level of a kind of effect, for the tool and profile at hand."""
CURE: Final = "autonomy in triage.yaml"


def effect_of(rule: ToolRule | None, grant: Grant, argument: str = "") -> str:
    """Return the kind of effect of a call, or of one of its arguments alone."""
    whole = (rule.effect if rule else "") or ("letter" if grant is Grant.SEND else "change")
    return rule.parts.get(argument, whole) if rule else whole


def lowered(ruling: Verdict, rule: ToolRule, grant: Grant, arguments: Mapping[str, Json], level_of: LevelOf) -> Verdict:
    """Apply the table of autonomy to a verdict: the result allows as much as `ruling` or less."""
    if ruling.word is Decision.REFUSE:
        return ruling
    named = [name for name in rule.parts if name in arguments]
    effects = {name: effect_of(rule, grant, name) for name in named or [""]}
    levels = {name: level_of(effect) for name, effect in effects.items()}
    strictest = max(levels.values(), key=lambda level: level.strictness)
    if strictest is Level.DENY:
        denied = next(effects[name] for name, level in levels.items() if level is Level.DENY)
        return Verdict(word=Decision.REFUSE, reason=f"{KINDS.get(denied, denied)} are denied to this agent ({CURE})")
    if strictest is Level.SHADOW:
        return Verdict(word=Decision.SHADOW, arguments=_all_of(ruling, arguments), notes=ruling.notes)
    asked = [name for name, level in levels.items() if level is Level.APPROVE]
    return _asked(ruling, rule, {name: effects[name] for name in asked}, arguments) if asked else ruling


def _asked(ruling: Verdict, rule: ToolRule, effects: Mapping[str, str], arguments: Mapping[str, Json]) -> Verdict:
    """Return the verdict with these parts waiting, too; "" is the whole call."""
    if any(ask.whole for ask in ruling.asks):
        return ruling
    if "" in effects:
        whole = _whole(rule, effects[""], arguments)
        return replace(ruling, word=Decision.ASK, arguments=_all_of(ruling, arguments), asks=(whole,))
    runs = {name: value for name, value in ruling.arguments.items() if name not in effects}
    asks = [*ruling.asks]
    for name, effect in effects.items():
        if name in ruling.arguments:
            asks.append(Ask(field=name, value=ruling.arguments[name], why=_why(effect)))
    if not any(name in runs for name in rule.parts):
        return replace(ruling, word=Decision.ASK, arguments={}, asks=tuple(asks))
    return replace(ruling, arguments=runs, asks=tuple(asks))


def _all_of(ruling: Verdict, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the arguments as the rights have left them, with those that a person would decide."""
    waiting = {ask.field: ask.value for ask in ruling.asks if not ask.whole}
    return {**(ruling.arguments or arguments), **waiting}


def _whole(rule: ToolRule, effect: str, arguments: Mapping[str, Json]) -> Ask:
    field, shown = rule.whole(arguments)
    listed = ", ".join(f"{name}={value}" for name, value in arguments.items())
    return Ask(field=field or effect, value=listed if shown is None else shown, why=_why(effect), whole=True)


def _why(effect: str) -> str:
    return f"{KINDS.get(effect, effect)} wait for a person ({CURE})"
