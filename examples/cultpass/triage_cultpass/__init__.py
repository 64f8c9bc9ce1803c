"""The tools of a culture pass's support agent: accounts, subscriptions, experiences, reservations, refunds."""

from triage_cultpass.tools import (
    experience_search,
    refund_processing,
    reservation_management,
    subscription_management,
    user_lookup,
)

TOOLS = (user_lookup, subscription_management, experience_search, reservation_management, refund_processing)
"""What the entry point names."""
