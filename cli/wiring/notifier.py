"""Chooses the notifier."""

from integrations.local_notifier import LocalNotifier
from triage.config.settings import Settings
from triage.domain.ports import Notifier


def notifier_of(settings: Settings) -> Notifier:
    """Return the Redis notifier if REDIS_URL is set, else the one within this process."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return LocalNotifier()
    from integrations.arq_queue import ArqNotifier  # a slow import, which one process does not need

    return ArqNotifier(url)


async def redis_answers(url: str) -> bool:
    """Whether Redis answers, so that it can wake workers."""
    from integrations.arq_queue import ping

    return await ping(url)
