"""The inbox of cases: lists, searches, saved views, bulk actions."""
