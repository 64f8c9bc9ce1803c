"""Registers the support hub's pages, where it is on."""

from fastapi import APIRouter

from web.console.pages.support.chat import chat_pages
from web.console.pages.support.conversations import conversation_pages
from web.console.render import Render
from web.context import WebContext


def support_pages(at: WebContext, render: Render) -> APIRouter:
    pages = APIRouter()
    if at.support is not None:
        pages.include_router(chat_pages(at, at.support, render))
        pages.include_router(conversation_pages(at, at.support, render))
    return pages
