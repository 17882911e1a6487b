"""The only place with `st.cache_resource`: things that live as long as the server."""

from collections.abc import Callable, Hashable
from typing import TypeVar

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


T = TypeVar("T")


@st.cache_resource(max_entries=128, show_spinner="Computing; kept until the study grows")
def _kept(name: str, key: Hashable, _make: Callable[[], T]) -> T:
    return _make()


def kept(name: str, key: Hashable, make: Callable[[], T]) -> T:
    """Give what `make` computes, computed once per server and key. All tabs get the same object: nobody changes it.

    Unlike `st.cache_data` it is not copied on every run, which takes longer than a page may for a large study.

    Args:
        name: of what is kept.
        key: everything it depends on, the stamp of the study included.
        make: called when nothing is kept under name and key.
    """
    return _kept(name, key, make)
