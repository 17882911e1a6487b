"""Pictures as a lead's pages show them."""

import streamlit as st

from core.domain.article import ImageRef
from core.errors import AppError
from core.services.cases import image_bytes
from core.services.workspace import Workspace
from pages.components.notices import show_error


def draw_image(ws: Workspace, image: ImageRef, caption: str, width: int = 420) -> None:
    """Draw a stored image at most `width` px wide, larger on demand, or say that it cannot be read."""
    try:
        # A width given to st.image itself would shrink the pixels that the enlarged view shows.
        with st.container(width=min(width, image.width_px)):
            _pixels(ws, image.sha256, caption, "PNG" if image.media_type == "image/png" else "auto")
    except AppError as error:
        show_error(error)


@st.cache_data(max_entries=400, show_spinner=False)
def _pixels(_ws: Workspace, sha256: str, caption: str, output_format: str) -> None:
    # st.image decodes and shrinks a wide picture on every run of a page (30 ms each): kept here, by content, it is
    # replayed. A picture is the same for everyone who may open this page, so nothing blinded is shared.
    st.image(image_bytes(_ws, sha256), caption=caption, width="stretch", output_format=output_format, alt=caption)
