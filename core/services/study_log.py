"""What the study lead does is written to the same log as what reviewers do."""

from datetime import datetime

from core import __version__
from core.domain.instrument import INSTRUMENT
from core.domain.review import ReviewEvent
from core.storage.base import Session
from core.storage.review_repository import add_event


def log_lead(
    session: Session, at: datetime, what: str, new: str = "", *, who: str = "lead", reason: str = "", old: str = ""
) -> None:
    """Append what the lead did to the log."""
    add_event(
        session,
        ReviewEvent(
            at=at,
            actor=who[:64],
            what=what[:60],
            old=old,
            new=new,
            reason=reason,
            instrument_version=INSTRUMENT.version,
            app_version=__version__,
            is_revealed=True,
        ),
    )
