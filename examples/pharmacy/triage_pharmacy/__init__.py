"""The tools of a pharmacy's agent: which drugs are in stock, reservations, a search in the web."""

from triage_pharmacy.tools import manage_reservation, search_drugs, web_search

TOOLS = (search_drugs, manage_reservation, web_search)
"""What the entry point names."""
