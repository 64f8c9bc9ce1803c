"""Hashes of passwords: argon2id, and the same work for whoever is unknown."""

import argon2

from integrations.argon2_hash import KIBIBYTES, PASSES, Argon2


async def test_hashes() -> None:
    """A password fits its own hash alone; each hash has a salt of its own; no hash fits nothing."""
    passwords = Argon2()
    first, second = [await passwords.make("a calm river runs") for _ in range(2)]

    assert first != second
    assert first.startswith(f"$argon2id$v=19$m={KIBIBYTES},t={PASSES},p=1$")
    assert await passwords.check(first, "a calm river runs")
    assert not await passwords.check(first, "a calm river run")
    assert not await passwords.check("", "a calm river runs")
    assert not await passwords.check("what somebody wrote into the database", "a calm river runs")


async def test_the_unknown_take_as_long() -> None:
    """For an account that does not exist as many passes over as much memory are made: counted in the hash, not clocked."""
    passwords = Argon2()
    nobody = argon2.extract_parameters(passwords._nobody)

    assert nobody == argon2.extract_parameters(await passwords.make("x"))


async def test_older_parameters() -> None:
    """A hash that was made with other parameters still fits, and is known to be outdated."""
    passwords = Argon2()
    old = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash("a calm river runs")

    assert await passwords.check(old, "a calm river runs")
    assert passwords.outdated(old)
    assert not passwords.outdated(await passwords.make("x"))
