"""Parts of the models page: one small call to a model, and the registry as text."""

import streamlit as st

from core.errors import AppError
from core.services.models import ModelInfo
from core.services.registry_editing import read_registry_text, save_registry_text, try_model
from core.services.workspace import Workspace
from pages.components.notices import errors_shown, show_error
from pages.components.words import plain


def draw_trial(ws: Workspace, models: tuple[ModelInfo, ...]) -> None:
    """Draw the choice of a ready model and what one small call to it found."""
    st.subheader("Try a model")
    st.caption("Sends one call of a few words and says whether its answer can be used. It costs a fraction of a cent.")
    ready = [model.name for model in models if model.state == "ready"]
    name = st.selectbox("Model to try", ready, index=None, placeholder="choose a model that is ready", key="try_model")
    if not st.button("Send one small call", disabled=name is None, icon=":material/network_check:", key="try_start"):
        return
    with st.spinner(f"Asking {name}"), errors_shown():
        found = try_model(ws, name)
        if found.is_reached:
            seconds = f" in {found.facts.latency_s:.1f} s" if found.facts else ""
            st.success(plain(f"{name} answered{seconds}, structured as {found.structured}."), icon=":material/check:")
            if found.advice:
                st.warning(plain(found.advice))
        else:
            st.error(plain(f"{name} gave no usable answer: {found.advice}"), icon=":material/error:")


def draw_editor(ws: Workspace) -> None:
    """Draw the registry as text; what is not well formed is refused with its line and changes nothing."""
    with st.expander("Edit the registry"), errors_shown():
        now = read_registry_text(ws)
        if not now.can_be_edited:
            st.write("The registry is the file that CASEROUNDS_MODELS names; edit it there.")
            return
        where = "This is the study's own registry." if now.is_own else "Saving makes a copy for this study."
        st.caption(f"{where} It is checked before it replaces the old one, of which a backup is kept.")
        based_on = st.session_state.setdefault("registry_based_on", now.sha256)
        text = st.text_area("Registry (TOML)", now.text, height=420, key="registry_text")
        left, right = st.columns(2)
        if left.button("Check and save", type="primary", disabled=text == now.text, key="registry_save"):
            try:
                save_registry_text(ws, text, based_on)
            except AppError as error:
                show_error(error)
                return
            st.session_state.pop("registry_based_on", None)
            st.rerun()
        right.button("Load again", on_click=_forget, key="registry_reload", help="Drops what you have typed.")


def _forget() -> None:
    for key in ("registry_based_on", "registry_text"):
        st.session_state.pop(key, None)
