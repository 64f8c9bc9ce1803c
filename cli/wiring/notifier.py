"""Chooses what processes tell each other through Redis: who is woken, and what is left of rate limits."""

from integrations.local_notifier import LocalNotifier
from triage.config.settings import Settings
from triage.domain.ports import Notifier, RequestLimits


def notifier_of(settings: Settings) -> Notifier:
    """Return the Redis notifier if REDIS_URL is set, else the one within this process."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return LocalNotifier()
    from integrations.arq_queue import ArqNotifier  # a slow import, which one process does not need

    return ArqNotifier(url)


def limits_of(settings: Settings, *about: str) -> RequestLimits:
    """Return the limits towards a server and account, shared over Redis if REDIS_URL is set, else this process' part."""
    url = settings.redis_url.get_secret_value()
    if not url:
        from integrations.own_part import OwnPart

        return OwnPart(settings.processes)
    import hashlib

    from integrations.redis_limits import RedisLimits  # a slow import, which one process does not need

    # The account may be a key, which nobody shall read in Redis.
    return RedisLimits(url, hashlib.sha256("\0".join(about).encode()).hexdigest()[:20], settings.processes)


async def redis_trouble(url: str) -> str:
    """Return why Redis cannot wake workers; empty if it can."""
    from integrations.arq_queue import trouble_of

    return await trouble_of(url)
