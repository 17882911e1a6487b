"""The ledger of calls for people: what was asked, what came back, and why it was accepted or not. Keys are in none."""

from core.domain.model_call import AttemptRecord
from core.services.workspace import Workspace
from core.storage import ledger
from core.storage.ledger import CallListing

__all__ = ["CallListing", "asked_models", "get_call", "list_calls"]


def list_calls(
    workspace: Workspace, run_id: str = "", model: str = "", outcome: str = "", limit: int = 200
) -> tuple[CallListing, ...]:
    """Give the newest requests to models, newest first.

    Args:
        workspace: the study.
        run_id: only of this run; empty for all.
        model: only of this registry name; empty for all.
        outcome: `accepted`, `failed` for all others, one reason by its name; empty for all.
        limit: how many at most.
    """
    with workspace.store.read() as session:
        return ledger.list_calls(session, run_id, model, outcome, limit)


def asked_models(workspace: Workspace) -> tuple[str, ...]:
    """Give the registry names of the models that were ever asked; empty when nobody was."""
    with workspace.store.read() as session:
        return ledger.asked_models(session)


def get_call(workspace: Workspace, call_id: int) -> AttemptRecord:
    """Give one request with its prompt as sent and its reply as received.

    Raises:
        NotFound: there is none of this id.
    """
    with workspace.store.read() as session:
        return ledger.get_call(session, call_id)
