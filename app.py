"""The ASGI app: Streamlit around pages/menu.py with our own routes (signed figures, health of the store)."""

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.components.image_route import serve_image
from pages.components.resources import workspace


async def health(request: Request) -> JSONResponse:
    """Say whether the store can be opened; `/_stcore/health` only says that the server answers."""
    with workspace().store.read():
        return JSONResponse({"status": "ok"})


app = st.App(
    "pages/menu.py",
    routes=[Route("/figures/{token}", serve_image, methods=["GET"]), Route("/health", health, methods=["GET"])],
)
