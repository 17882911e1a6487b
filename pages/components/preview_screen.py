"""The workbench's screens for a preview: what is entered stays in the tab."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from core.domain.review import Draft
from core.domain.review_views import DraftChange, Outcome, ReviewView, SaveResult
from core.services import review_preview
from core.services.workspace import Workspace
from pages.components.review_steps import Screen


def _key(study_id: str, dialogue_id: str) -> str:
    return f"preview/{study_id}/{dialogue_id}"


def tried_out(study_id: str, dialogue_id: str) -> dict[tuple[int, str], Draft]:
    """Give what was tried out in this tab, (turn, field) -> value; empty before anything was."""
    return st.session_state.setdefault(_key(study_id, dialogue_id), {})


class PreviewScreen(Screen):
    """Draws turns and ratings like the workbench; the form keeps its values in this tab only."""

    def __init__(self, ws: Workspace, study_id: str, dialogue_id: str, view: ReviewView) -> None:
        super().__init__(ws, "preview", view)
        self.study_id = study_id
        self.dialogue_id = dialogue_id

    @property
    def id(self) -> str:
        """Identity of the forms: never that of a real assignment, whose entries a browser may still hold."""
        return _key(self.study_id, self.dialogue_id)

    def save(self, changes: Sequence[DraftChange]) -> tuple[SaveResult, ...]:
        """Keep the changes in this tab."""
        drafts = tried_out(self.study_id, self.dialogue_id)
        for change in changes:
            before = drafts.get((change.turn, change.field))
            drafts[change.turn, change.field] = Draft(
                assignment_id=self.id,
                turn=change.turn,
                field=change.field,
                revision=before.revision + 1 if before else 1,
                nonce=change.nonce,
                value=change.value,
                saved_at=datetime.now(UTC),
            )
        return tuple(SaveResult(turn=c.turn, field=c.field, nonce=c.nonce, state="saved") for c in changes)

    def outcome(self) -> Outcome:
        """Give the reported diagnosis; that it was shown is not recorded."""
        return review_preview.preview_outcome(self.ws, self.study_id, self.dialogue_id)
