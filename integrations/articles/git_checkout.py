"""The port `ArticleSource` over a checkout of Git, brought up to date before each reading where that is wished."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final

from integrations.articles.folder import FolderSource
from triage.domain.support.errors import ArticlesDown
from triage.domain.support.readings import Found

SECONDS: Final = 120.0
PULL: Final = ("-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", "pull", "--quiet", "--ff-only")
"""What others have pushed runs no program here."""
QUIET: Final = ("/usr/bin/env", "GIT_TERMINAL_PROMPT=0", "GIT_SSH_COMMAND=ssh -o BatchMode=yes", "LC_ALL=C")
"""Git asks nobody for a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSource(FolderSource):
    """A folder that `git pull` brings up to date; a branch that was rewritten is left for a person."""

    pull: bool = False

    async def articles(self, known: Mapping[str, str]) -> AsyncIterator[Found]:
        """All articles of the newest state. Raises `ArticlesDown`."""
        if self.pull:
            await asyncio.to_thread(self._pull)
        async for found in FolderSource.articles(self, known):
            yield found

    def _pull(self) -> None:
        git = ["git", "-C", str(self.folder), *PULL]
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [*QUIET, *git],
                check=False,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise ArticlesDown(self.name, f"git pull takes longer than {SECONDS:.0f} seconds") from None
        except OSError as e:
            raise ArticlesDown(self.name, f"git cannot be run ({e.strerror})") from e
        if done.returncode:
            message = " ".join(done.stderr.decode("utf-8", "replace").split())[:300]
            raise ArticlesDown(self.name, f"git pull fails in {self.folder}: {message or done.returncode}")
