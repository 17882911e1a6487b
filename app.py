"""The ASGI app: Streamlit around pages/menu.py with our own routes (signed figures, health of the store)."""

import streamlit as st
from core.services.workspace import open_workspace
from pages.components.image_route import serve_image
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core.settings import read_settings


async def health(request: Request) -> JSONResponse:
    """Say whether the store can be opened; `/_stcore/health` only says that the server answers."""
    workspace = open_workspace(read_settings())
    return JSONResponse({"status": "ok", "store": workspace.settings.database_url.split(":", 1)[0]})


app = st.App(
    "pages/menu.py",
    routes=[Route("/figures/{token}", serve_image, methods=["GET"]), Route("/health", health, methods=["GET"])],
)
