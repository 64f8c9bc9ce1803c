"""Chooses the notifier: Redis where there is one, else this process's own."""

from integrations.local_notifier import LocalNotifier
from triage.config.settings import Settings
from triage.domain.ports import Notifier


def notifier_of(settings: Settings) -> Notifier:
    """Over Redis where there is one, else this process's own."""
    url = settings.redis_url.get_secret_value()
    if not url:
        return LocalNotifier()
    from integrations.arq_queue import ArqNotifier  # takes as long as all the rest, and one process needs none of it

    return ArqNotifier(url)


async def redis_answers(url: str) -> bool:
    """Whether a worker could be woken over it."""
    from integrations.arq_queue import ping

    return await ping(url)
