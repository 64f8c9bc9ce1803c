"""Builds the library, which finds passages of the stored articles."""

from typing import TYPE_CHECKING

from triage.domain.ports.knowledge import ArticleFeed
from triage.policy.knowledge.likeness import hits_of, ranked
from triage.policy.knowledge.meant import fused, nearest
from triage.policy.knowledge.passages import passages_of
from triage.policy.knowledge.terms import fields_of, query_of
from triage.policy.knowledge.translation import in_english

if TYPE_CHECKING:
    from integrations.search_index.library import TantivyLibrary


def library_of(articles: ArticleFeed) -> "TantivyLibrary":
    """Build the library over a store of articles; its index is built by the first question."""
    from integrations.search_index.library import PassageRules, TantivyLibrary

    rules = PassageRules(
        passages_of=passages_of,
        fields_of=fields_of,
        query_of=query_of,
        ranked=ranked,
        nearest=nearest,
        fused=fused,
        hits_of=hits_of,
        in_english=in_english,
    )
    return TantivyLibrary(articles, rules)
