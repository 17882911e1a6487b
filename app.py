"""The ASGI app: Streamlit around pages/menu.py with our own routes (signed figures, health of the store)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.components.image_route import serve_image
from pages.components.resources import workspace
from pages.components.run_worker import start_worker


async def health(request: Request) -> JSONResponse:
    """Say whether the store can be opened; `/_stcore/health` only says that the server answers."""
    with workspace().store.read():
        return JSONResponse({"status": "ok"})


@asynccontextmanager
async def working(app: st.App) -> AsyncIterator[None]:
    """Do runs in this process as long as the server lives, whoever has a page open.

    In a thread: what it calls refuses to run on the event loop.
    """
    worker = await anyio.to_thread.run_sync(start_worker)
    yield
    await anyio.to_thread.run_sync(worker.stop)


app = st.App(
    "pages/menu.py",
    lifespan=working,
    routes=[Route("/figures/{token}", serve_image, methods=["GET"]), Route("/health", health, methods=["GET"])],
)
