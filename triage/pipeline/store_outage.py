"""Logs when the store goes away and when it is back, and not each try in between."""

from dataclasses import dataclass

from loguru import logger


@dataclass(slots=True)
class StoreOutage:
    """Whether the store answers, as the tasks of one loop have seen it last."""

    lasts: bool = False

    def begin(self, error: str) -> None:
        """Note that the store does not answer."""
        if not self.lasts:
            logger.warning("store.down", error=error)
        self.lasts = True

    def end(self) -> None:
        """Note that it answers."""
        if self.lasts:
            logger.info("store.up")
        self.lasts = False
