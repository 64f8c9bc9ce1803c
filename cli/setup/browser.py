"""`triage init --browser`: the same conversation on a page of this machine, opened by a token that is printed here."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.console import called, screen
from cli.service.listening import listening_at, serve_until
from cli.service.process import stop_event
from triage.domain.errors import TriageError

if TYPE_CHECKING:
    from triage.services.setup.draft import Draft
    from web.setup.dialogue import SetupDialogue

HOST: Final = "127.0.0.1"
HOUR: Final = 3_600.0
SEEN: Final = 60.0
"""Seconds in which the browser has to fetch the last words."""
STAYS: Final = 2.0
"""Seconds for what belongs to the last page."""
NOTHING: Final = "Nothing was written."


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserOptions:
    """The options of the command."""

    env: Path
    check: bool
    lookup: bool
    watch: bool | None
    port: int


async def in_browser(draft: "Draft", wishes: BrowserOptions) -> int:
    """Serve the page until the set-up has ended; return the exit code. Raises what ended it."""
    import uvicorn

    from cli.wiring.setup import page_access_of
    from web.setup.app import setup_app
    from web.setup.dialogue import SetupDialogue

    listening = listening_at(HOST, wishes.port, "--port")
    stop, dialogue = stop_event(), SetupDialogue()
    access = await page_access_of()
    app = setup_app(access, dialogue)
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", proxy_headers=False)
    listening.listen()
    line = f"triage: open http://{HOST}:{listening.getsockname()[1]} and enter {access.offer()}"
    screen(error=True).print(line, soft_wrap=True)
    talking = asyncio.create_task(_talk(access.opened, dialogue, draft, wishes))
    talking.add_done_callback(lambda _: stop.set())
    try:
        await serve_until(stop, config, listening)
    finally:
        talking.cancel()
    await asyncio.wait({talking})
    return 1 if talking.cancelled() else talking.result()


async def _talk(opened: asyncio.Event, dialogue: "SetupDialogue", draft: "Draft", wishes: BrowserOptions) -> int:
    """Lead the conversation once somebody has come in, and wait until the last words were seen."""
    try:
        async with asyncio.timeout(HOUR):
            await opened.wait()
    except TimeoutError:
        return 1
    try:
        well = await _led(dialogue, draft, wishes)
    except TriageError as e:
        dialogue.end(f"{e}")
        raise
    finally:
        if dialogue.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(SEEN):
                    await dialogue.seen.wait()
                    await asyncio.sleep(STAYS)
    return int(not well)


async def _led(dialogue: "SetupDialogue", draft: "Draft", wishes: BrowserOptions) -> bool:
    """Ask, write, look and wait for the first mail; return whether it came to its end."""
    from cli.setup import trials
    from cli.setup.ending import first_ticket, run_doctor, waits
    from cli.wiring.setup import mail_search
    from triage.services.setup.asking import Asker
    from triage.services.setup.walk import parts, set_up

    ask = Asker(dialogue)
    through = parts(trials, mail_search(lookup=wishes.lookup))
    done = await dialogue.stoppable(set_up(ask, draft, wishes.env, through, check=wishes.check))
    if done is None or wishes.check:
        dialogue.end(NOTHING)
        return done is not None
    settings = await run_doctor(ask, done)
    if await waits(ask, settings, watch=wishes.watch):
        await dialogue.stoppable(first_ticket(ask, settings))
    dialogue.end(
        f"Triage is set up. From now on: `{called()} serve`. It prints where the console is and how the first account is made."
    )
    return True
