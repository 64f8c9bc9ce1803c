"""Conversations of the support hub, for people: response times, chat, lists."""
