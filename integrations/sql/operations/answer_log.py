"""The port `AnswerLog`: what models cost that are asked about no case stands among the runs and the answers, without their words."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select, update

from integrations.sql.database.engine import Database, insert_once
from integrations.sql.database.schema import agent_runs, llm_calls
from triage.domain.conversation import RunStatus, Turn

_RUN: Final[BindParameter[Any]] = bindparam("of_run")
_KEEP: Final = insert(llm_calls)
_LAST: Final = select(func.count()).select_from(llm_calls).where(llm_calls.c.run == _RUN)
_USED: Final = select(agent_runs.c.usage).where(agent_runs.c.run == _RUN)
_COUNT: Final = update(agent_runs).where(agent_runs.c.run == _RUN)


class SqlAnswerLog:
    """The port `AnswerLog`: a row for each run and each answer; one process writes a run at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._begin = insert_once(agent_runs, postgres=database.postgres)

    async def keep(self, run: str, profile: str, turn: Turn, at: datetime, ms: float) -> None:
        begin = {"run": run, "profile": profile, "status": RunStatus.COMPLETED, "opening": (), "started_at": at}
        usage = turn.usage
        tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost_usd": usage.cost_usd}
        answer = Turn(text="", usage=usage, model=turn.model, finish=turn.finish)

        def kept(connection: Connection) -> None:
            connection.execute(self._begin, begin)
            number = connection.execute(_LAST, {"of_run": run}).scalar_one() + 1
            call = {"run": run, "number": number, "at": at, "model": turn.model, "answer": answer, "ms": ms}
            connection.execute(_KEEP, call | tokens)
            total = connection.execute(_USED, {"of_run": run}).scalar_one() + usage
            now = {"iterations": number, "model": turn.model, "usage": total, "ended_at": at}
            connection.execute(_COUNT.values(now), {"of_run": run})

        await self._database.write(kept)
