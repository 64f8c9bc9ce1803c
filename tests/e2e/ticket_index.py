"""What is remembered of tickets, asked through a search index of its own."""

from integrations.search_index.index import TantivyIndex
from integrations.sql.store import SqlStore
from triage.policy.ticket.index_entry import VERSION, entry_of


async def keys(store: SqlStore, *words: str) -> list[str]:
    """What is remembered under these words."""
    index = index_over(store)
    await index.update("HARB")
    found = await index.find("HARB", dict.fromkeys(words, 1.0), 20)
    await index.close()
    return [hit.key for hit in found.hits]


def index_over(store: SqlStore) -> TantivyIndex:
    """A search index of its own."""
    return TantivyIndex(store.tickets, entry_of, VERSION, None)
