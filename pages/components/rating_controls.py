"""The rating form: an own component whose entries are kept in the browser until the database has them."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from pydantic import ValidationError

from core.domain.review import Draft
from core.domain.review_views import DraftChange, Question, SaveResult
from pages.components.component_files import beside

Save = Callable[[Sequence[DraftChange]], Sequence[SaveResult]]

_FORM = st.components.v2.component(
    "caserounds_rating_form",
    css=beside("controls.css", "rating_controls.css"),
    js=beside("elements.js", "draft_keeper.js", "rating_controls.js"),
)


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
    sentences: Mapping[str, str] | None = None,
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
        sentences: `turn 3, sentence 2` -> its words, to be clicked where a low score rests on them.
    """
    key = form_key(assignment_id, turn)
    keep = None if is_read_only else save
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
            "results": st.session_state.get(_done(key), {}).get("results", {}),
            "sentences": dict(sentences or {}),
            "is_read_only": is_read_only,
            "shows_keys": shows_keys,
        },
        on_drafts_change=lambda: _take(key, _payload(key), keep),
    )
    if _take(key, result.drafts, keep):
        st.rerun()


def save_waiting(assignment_id: str, turn: int, save: Save) -> None:
    """Store what the browser has sent for a form and the script has not seen yet.

    For callbacks of buttons that leave the form: a click may arrive together with the last change, and their
    callbacks run in no promised order.
    """
    key = form_key(assignment_id, turn)
    _take(key, _payload(key), save)


def _payload(key: str) -> Mapping | None:
    return (st.session_state.get(key) or {}).get("drafts")


def _done(key: str) -> str:
    return f"{key}/done"


def _take(key: str, payload: Mapping | None, save: Save | None) -> bool:
    """Store a payload once; give whether anything was done. Without `save` nothing is."""
    if save is None or not payload or payload.get("sent") == st.session_state.get(_done(key), {}).get("sent"):
        return False
    changes = []
    for entry in payload.get("changes", ()):
        try:
            changes.append(DraftChange.model_validate(entry))
        except ValidationError:
            # Only an entry made by hand has another shape; the others beside it are kept.
            continue
    results = save(changes) if changes else ()
    kept = {r.nonce: {"state": r.state, "message": r.message} for r in results if r.state != "saved"}
    st.session_state[_done(key)] = {"sent": payload.get("sent"), "results": kept}
    return True
