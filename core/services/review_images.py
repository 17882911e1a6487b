"""Figures for reviewers: signed links, and the bytes behind them."""

import time
from dataclasses import dataclass

from core.domain.review import ReviewMode
from core.errors import NotAllowed, NotFound
from core.review.signing import open_ticket, read_secret, sign
from core.services.workspace import Workspace
from core.storage.dialogues import get_dialogue
from core.storage.review_studies import find_assignment, get_study

_PREVIEW = "preview/"


@dataclass(frozen=True)
class StoredImage:
    """Bytes of an original figure.

    Attributes:
        media_type: for example `image/png`.
    """

    data: bytes
    media_type: str


def link_token(ws: Workspace, assignment_id: str, turn: int, number: int) -> str:
    """Give the token of one image of one turn of one assignment; the same for half an hour and longer."""
    return sign(read_secret(ws.settings.data_folder), assignment_id, turn, number, time.time())


def preview_token(ws: Workspace, study_id: str, dialogue_id: str, turn: int, number: int) -> str:
    """Give the token of an image for the lead's preview: only this server signs, so no reviewer can make one."""
    return sign(read_secret(ws.settings.data_folder), f"{_PREVIEW}{study_id}/{dialogue_id}", turn, number, time.time())


def read_image(ws: Workspace, token: str) -> StoredImage:
    """Give the original pixels a token stands for.

    Raises:
        NotAllowed: the token is forged, changed or too old, or the turn has not been reached.
        NotFound: the assignment, turn or image is not there any more.
    """
    ticket = open_ticket(read_secret(ws.settings.data_folder), token, time.time())
    gone = NotFound("This image is no longer stored.", "Tell the study lead.")
    with ws.store.read() as session:
        is_preview = ticket.assignment_id.startswith(_PREVIEW)
        assignment = None if is_preview else find_assignment(session, ticket.assignment_id)
        if assignment is None and not is_preview:
            raise gone
        dialogue_id = assignment.dialogue_id if assignment else ticket.assignment_id.split("/", 2)[-1]
        may_see = assignment is None or get_study(session, assignment.study_id).mode is not ReviewMode.BLINDED
        try:
            dialogue = get_dialogue(session, dialogue_id)
        except NotFound:
            # The store's own words name the dialogue, which may name its model.
            raise gone from None
    if not may_see and ticket.turn > assignment.furthest_turn:
        raise NotAllowed("This turn has not been reached yet.", "Go on from the turn you are at.")
    try:
        image = dialogue.turns[ticket.turn - 1].staged.images[ticket.number - 1].original
    except IndexError:
        raise gone from None
    try:
        return StoredImage(data=ws.images.read(image.sha256), media_type=image.media_type)
    except NotFound:
        raise gone from None
