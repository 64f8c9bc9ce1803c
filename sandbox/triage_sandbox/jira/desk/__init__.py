"""Endpoints of `/rest/servicedeskapi`: service desks, customers, requests, queues."""

from typing import Final

from triage_sandbox.jira.desk import customers, queues, requests, service_desk

ROUTES: Final = (*customers.ROUTES, *queues.ROUTES, *requests.ROUTES, *service_desk.ROUTES)
