"""The image viewer: original pixels over the signed route, with what a reader of images is used to."""

import hashlib
from collections.abc import Sequence

import streamlit as st

from core.domain.review_views import TurnView
from pages.components.component_files import beside

_VIEWER = st.components.v2.component(
    "caserounds_image_viewer",
    css=beside("controls.css", "image_viewer.css"),
    js=beside("elements.js", "image_viewer.js"),
)


def image_viewer(turns: Sequence[TurnView], current: int, assignment_id: str, key: str, height: str) -> None:
    """Draw every picture of the turns shown so far; the current turn's first one is in front.

    Args:
        turns: up to the current one; those without pictures are passed over.
        current: index of the current turn.
        assignment_id: whose view; zoom and window are remembered per assignment and picture.
        key: identity of this viewer.
        height: CSS length of the picture's frame.
    """
    images, first = [], None
    for turn in turns:
        for number, image in enumerate(turn.images, start=1):
            if turn.index == current and first is None:
                first = len(images)
            name = f"{assignment_id}/{turn.index}/{number}"
            many = len(turn.images) > 1
            short = turn.title.split(" · ")[0] + (f" {chr(96 + number)}" if many and number <= 26 else "")
            images.append(
                image.model_dump(exclude={"token"})
                | {
                    "url": f"/figures/{image.token}",
                    "id": hashlib.sha256(name.encode()).hexdigest()[:16],
                    "short": short,
                }
            )
    if not images:
        return
    _VIEWER(
        key=key,
        data={
            "images": images,
            "turn": current,
            "first": 0 if first is None else first,
            "height": height,
        },
    )
