"""The models of the registry, opened for a step."""

from core.dialogue import RULES_BASELINE, RulesTestModel
from core.dialogue.run import EncodeImage
from core.domain.model_call import ChatModel
from core.services.workspace import Workspace


def open_model(workspace: Workspace, name: str) -> ChatModel:
    """Give a model by its registry name; `rules baseline` and its short form `rules` need no registry.

    Raises:
        ModelUnavailable: the name is unknown, or its key or server is missing.
    """
    if is_rules(name):
        return RulesTestModel()
    # The registry and the providers' packages are loaded only by those who call a model.
    from core.llm import open_model as open_registered

    return open_registered(name, workspace.settings)


def is_rules(name: str) -> bool:
    """True for the rules baseline, by its full name or as `rules`."""
    return name in ("rules", RULES_BASELINE)


def full_name(name: str) -> str:
    """Give the name under which results are stored: `rules` stands for `rules baseline`."""
    return RULES_BASELINE if is_rules(name) else name


def image_encoder(workspace: Workspace, model: ChatModel) -> EncodeImage:
    """Give the function that makes the neutral pixels sent to a model, within its provider's limits."""
    from core.llm.images import encode_image

    return encode_image
