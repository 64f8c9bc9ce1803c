"""Registers the memory's pages, where it is on."""

from fastapi import APIRouter

from web.console.pages.memory.ask import ask_pages
from web.console.pages.memory.board import board_pages
from web.console.pages.memory.graph import graph_pages
from web.console.pages.memory.notes import note_pages
from web.console.render import Render
from web.context import WebContext


def memory_pages(at: WebContext, render: Render) -> APIRouter:
    pages = APIRouter()
    for made in (board_pages, note_pages, graph_pages, ask_pages) if at.memory else ():
        if at.memory is not None:
            pages.include_router(made(at.memory, render))
    return pages
