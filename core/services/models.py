"""The models of the registry: their list for people, and each opened for a step with the ledger behind it."""

from core.dialogue import RULES_BASELINE, RulesTestModel
from core.dialogue.run import EncodeImage
from core.domain.model_call import AttemptRecord, ChatModel, Role
from core.llm import ModelInfo, read_registry, registry_path
from core.llm import image_encoder as encoder_of
from core.llm import list_models as listed
from core.llm import open_model as open_registered
from core.prompting import Prompt, latest_versions
from core.services.workspace import Workspace
from core.settings import Settings
from core.storage import ledger
from core.storage.ledger import Spending

__all__ = [
    "RULES_BASELINE",
    "ModelInfo",
    "Prompt",
    "full_name",
    "image_encoder",
    "is_rules",
    "list_models",
    "list_prompts",
    "list_roles",
    "open_model",
    "spending",
]


def open_model(workspace: Workspace, name: str) -> ChatModel:
    """Give a model by its registry name. Every request goes into the ledger; an answer that is in it is not asked for.

    A call whose answer the ledger holds already is answered from there and not paid again.

    `rules baseline`, and `rules` for short, needs no registry.

    Raises:
        ModelUnavailable: the name is unknown, the id is retired, or the key is missing.
    """
    if is_rules(name):
        return RulesTestModel()
    if workspace.open_model is not None:
        return workspace.open_model(name)

    def keep(attempt: AttemptRecord) -> None:
        with workspace.store.write() as session:
            ledger.save_attempt(session, attempt)

    def recall(call_key: str) -> AttemptRecord | None:
        with workspace.store.read() as session:
            return ledger.accepted_attempt(session, call_key)

    return open_registered(name, workspace.settings, on_attempt=keep, recall=recall)


def list_models(workspace: Workspace) -> tuple[ModelInfo, ...]:
    """Give every model of the registry with whether it can be used now; keys are never in it.

    Raises:
        InvalidInput: the registry file is not well formed.
    """
    return listed_models(workspace.settings)


def listed_models(settings: Settings) -> tuple[ModelInfo, ...]:
    """Give the same without a study."""
    return tuple(listed(settings))


def list_roles(workspace: Workspace) -> dict[str, str]:
    """Give role -> registry name of the model that does it by default; the rules baseline where none is named.

    Raises:
        InvalidInput: the registry file is not well formed.
    """
    roles = read_registry(registry_path(workspace.settings)).roles
    return {role.value: roles.get(role, RULES_BASELINE) for role in Role}


def list_prompts() -> tuple[Prompt, ...]:
    """Give the newest version of every prompt, by name."""
    return latest_versions()


def image_encoder(model: ChatModel) -> EncodeImage:
    """Give the function that makes the neutral pixels sent to a model, within its provider's limits."""
    return encoder_of(model)


def spending(workspace: Workspace) -> tuple[Spending, ...]:
    """Give what each model has cost so far, by name; empty when nothing was asked."""
    with workspace.store.read() as session:
        return ledger.spending(session)


def is_rules(name: str) -> bool:
    """True for the rules baseline, by its full name or as `rules`."""
    return name in ("rules", RULES_BASELINE)


def full_name(name: str) -> str:
    """Give the name under which results are stored: `rules` stands for `rules baseline`."""
    return RULES_BASELINE if is_rules(name) else name
