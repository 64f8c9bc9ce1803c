"""Kinds of effects: their table, and the digest that tells a changed body."""

from typing import Any

from triage.effects.kinds import EffectKind, WriteIntent, WriteResult, by_name, digest


async def _sent(_: Any, __: WriteIntent[Any]) -> WriteResult:
    return WriteResult()


def test_the_order_of_the_table_is_kept() -> None:
    """The first kind of a case's effects gives the outcome, so that the order counts."""
    kinds = by_name(EffectKind(name="create", send=_sent), EffectKind(name="comment", send=_sent))

    assert list(kinds) == ["create", "comment"]


def test_a_kind_accompanies_and_repeats_unless_it_says_otherwise() -> None:
    """Without more said a kind ends no case, is sent again without a search, and overwrites nothing."""
    kind = EffectKind(name="watch", send=_sent)

    assert (kind.ends, kind.find, kind.renewed, kind.verb) == (None, None, False, "")


def test_a_digest_tells_bodies_apart() -> None:
    """The same body has the same digest, text that no encoding knows included."""
    assert digest("a") == digest("a") != digest("b")
    assert digest(("a", 1)) != digest(("a", 2))
    assert len(digest("\ud800")) == 64
