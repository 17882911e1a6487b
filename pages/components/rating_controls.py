"""The rating form: an own component whose entries are kept in the browser until the database has them."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from core.domain.review import Draft
from core.domain.review_views import DraftChange, Question, SaveResult
from pages.components.component_files import beside

Save = Callable[[Sequence[DraftChange]], Sequence[SaveResult]]

_FORM = st.components.v2.component(
    "caserounds_rating_form",
    css=beside("controls.css", "rating_controls.css"),
    js=beside("elements.js", "draft_keeper.js", "rating_controls.js"),
)
_CHANGES = TypeAdapter(tuple[DraftChange, ...])


def form_key(assignment_id: str, turn: int) -> str:
    """Give the identity of a form: the same key on another case would show its ratings."""
    return f"form/{assignment_id}/{turn}"


def rating_form(
    assignment_id: str,
    turn: int,
    title: str,
    questions: Sequence[Question],
    drafts: Mapping[str, Draft],
    save: Save,
    *,
    is_read_only: bool = False,
    shows_keys: bool = True,
) -> None:
    """Draw the form of one turn (0: the whole dialogue) and store what was entered since the last run.

    Args:
        assignment_id: whose form.
        turn: which turn; 0 for what is asked once.
        title: heading of the form.
        questions: what is asked.
        drafts: `turn/field` -> stored value; what the form shows.
        save: stores changes and says what became of each.
        is_read_only: shows the answers without taking changes.
        shows_keys: letters and digits work as shortcuts, and are shown.
    """
    key = form_key(assignment_id, turn)
    done_key = f"{key}/done"

    def take(payload: Mapping | None) -> bool:
        if is_read_only or not payload or payload.get("sent") == st.session_state.get(done_key, {}).get("sent"):
            return False
        try:
            results = save(_CHANGES.validate_python(payload.get("changes", ())))
        except ValidationError:
            # Only a payload made by hand has another shape; there is nothing in it to keep.
            results = ()
        kept = {r.nonce: {"state": r.state, "message": r.message} for r in results if r.state != "saved"}
        st.session_state[done_key] = {"sent": payload.get("sent"), "results": kept}
        return True

    # The callback saves before the page is drawn. After a restart of the server it does not run: the script body
    # below saves then, and draws again.
    result = _FORM(
        key=key,
        data={
            "assignment": assignment_id,
            "turn": turn,
            "title": title,
            "signature": f"{turn}/{len(questions)}/{is_read_only}/{shows_keys}",
            "questions": [question.model_dump(mode="json") for question in questions],
            "saved": {
                name: {"value": draft.value, "revision": draft.revision, "nonce": draft.nonce}
                for name, draft in drafts.items()
            },
            "last_saved_at": max((draft.saved_at.isoformat() for draft in drafts.values()), default=None),
            "results": st.session_state.get(done_key, {}).get("results", {}),
            "is_read_only": is_read_only,
            "shows_keys": shows_keys,
        },
        on_drafts_change=lambda: take((st.session_state.get(key) or {}).get("drafts")),
    )
    if take(result.drafts):
        st.rerun()
