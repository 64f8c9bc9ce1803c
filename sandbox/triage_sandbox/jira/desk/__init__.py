"""The interface of service desks: who asks, what can be asked for, and what waits for an answer."""

from typing import Final

from triage_sandbox.jira.desk import customers, queues, requests, service_desk

ROUTES: Final = (*customers.ROUTES, *queues.ROUTES, *requests.ROUTES, *service_desk.ROUTES)
