"""The bar of steps: turns, ratings, reveal."""

from collections.abc import Sequence

import streamlit as st

from core.domain.review_views import StepView
from pages.components.component_files import beside

_BAR = st.components.v2.component(
    "caserounds_step_bar",
    css=beside("controls.css", "step_bar.css"),
    js=beside("elements.js", "step_bar.js"),
)


def step_bar(steps: Sequence[StepView], current: str, key: str) -> str | None:
    """Draw the steps and give the one that was clicked in this run; None when none was."""
    result = _BAR(
        key=key,
        data={"current": current, "steps": [step.model_dump() for step in steps]},
        on_step_change=lambda: None,
    )
    return result.step
