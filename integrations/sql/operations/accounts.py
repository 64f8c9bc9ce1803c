"""The port `AccountStore`: accounts of the console."""

from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from integrations.sql.database.engine import StorePart
from integrations.sql.database.rows import AnyRow, noun_of, values_of
from integrations.sql.operations.tables import accounts, sessions
from triage.domain.operations.accounts import Account
from triage.domain.operations.tokens import AccessScope

_MAY_CHANGE: Final = ("name", "scope", "issuer", "subject", "managed", "disabled_at", "signed_in_at")
_ANY: Final = select(accounts.c.id).limit(1)
_ALL: Final = select(accounts).order_by(accounts.c.id)
_BY_ADDRESS: Final = select(accounts).where(accounts.c.address == bindparam("of"))
_BY_SUBJECT: Final = select(accounts).where(accounts.c.issuer == bindparam("at"), accounts.c.subject == bindparam("of"))
_PASSWORD: Final = select(accounts.c.password).where(accounts.c.id == bindparam("of"))
_ONE: Final = update(accounts).where(accounts.c.id == bindparam("of"))


class SqlAccounts(StorePart):
    """The port `AccountStore`: one row per account."""

    async def add(self, account: Account, password: str, *, alone: bool = False) -> Account | None:
        """Store a new account, unless its address is taken or, with `alone`, there is one."""
        row = values_of(account, "id") | {"password": password}

        add = self._database.insert(accounts).on_conflict_do_nothing().returning(*accounts.c)

        def added(connection: Connection) -> Account | None:
            if alone and connection.scalar(_ANY) is not None:
                return None
            made = connection.execute(add, row).first()
            return account_of(made) if made else None

        return await self._database.write(added)

    async def accounts(self) -> tuple[Account, ...]:
        """All accounts, oldest first."""
        return await self._database.read(lambda c: tuple(map(account_of, c.execute(_ALL))))

    async def by_address(self, address: str) -> Account | None:
        row = await self._database.read(lambda c: c.execute(_BY_ADDRESS, {"of": address}).first())
        return account_of(row) if row else None

    async def by_subject(self, issuer: str, subject: str) -> Account | None:
        row = await self._database.read(lambda c: c.execute(_BY_SUBJECT, {"at": issuer, "of": subject}).first())
        return account_of(row) if row else None

    async def password(self, account: int) -> str:
        return await self._database.read(lambda c: c.scalar(_PASSWORD, {"of": account})) or ""

    async def set_password(self, account: int, password: str) -> None:
        await self._database.write(lambda c: c.execute(_ONE.values(password=password), {"of": account}))

    async def save(self, account: Account) -> None:
        values = {name: getattr(account, name) for name in _MAY_CHANGE}
        await self._database.write(lambda c: c.execute(_ONE.values(values), {"of": account.id}))

    async def remove(self, account: int) -> None:
        def removed(connection: Connection) -> None:
            connection.execute(delete(sessions).where(sessions.c.account == account))
            connection.execute(delete(accounts).where(accounts.c.id == account))

        await self._database.write(removed)


def account_of(row: AnyRow, prefix: str = "") -> Account:
    """An account from its row; its columns may have a prefix."""
    return noun_of(Account, row, prefix, scope=AccessScope(getattr(row, f"{prefix}scope")))
