"""The only place with `st.cache_resource`: things that live as long as the server."""

import streamlit as st

from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings


@st.cache_resource(show_spinner="Opening the study; the first time this takes a moment")
def _workspace(data_folder: str, database_url: str) -> Workspace:
    return open_workspace(read_settings())


def workspace() -> Workspace:
    """Give the running study's workspace, opened once per server and store."""
    settings = read_settings()
    return _workspace(str(settings.data_folder), settings.database_url)
