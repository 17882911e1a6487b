"""Match tables: reference item, level, output item, the reviewer's verdict."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.domain.items import Target
from core.domain.review_views import MatchTable
from core.services.review_reveal import ATTRIBUTES
from pages.components.component_files import beside

SaveVerdict = Callable[[str, Target, str | None, str, str, str, str], None]
"""(evaluation id, target, figure id, row, verdict, output item or empty, attribute or empty)"""

_TABLE = st.components.v2.component(
    "caserounds_match_table",
    css=beside("controls.css", "match_table.css"),
    js=beside("elements.js", "match_table.js"),
)


def match_tables(
    tables: Sequence[MatchTable], key: str, save: SaveVerdict | None = None, *, is_read_only: bool = False
) -> None:
    """Draw the tables; store a verdict that was given since the last run.

    Args:
        tables: of one turn, or all of a dialogue.
        key: identity of this view.
        save: stores a verdict; None for a view without verdicts.
        is_read_only: verdicts are shown but cannot be given.
    """
    frozen = is_read_only or save is None
    has_verdicts = save is not None or any(row.verdict for table in tables for row in table.rows)
    extra = {"is_read_only": frozen, "has_verdicts": has_verdicts, "attributes": ATTRIBUTES}
    data = [table.model_dump(mode="json") | extra for table in tables]
    result = _TABLE(key=key, data={"tables": data}, on_verdict_change=lambda: None)
    if result.verdict and not frozen:
        evaluation_id, target, figure_id, row = str(result.verdict.get("row", "")).split("|", 3)
        said = [str(result.verdict.get(name, "")) for name in ("verdict", "said_by", "attribute")]
        save(evaluation_id, Target(target), figure_id or None, row, *said)
        st.rerun()
