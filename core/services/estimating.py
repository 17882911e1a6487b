"""What a run would cost before anything is spent: calls, tokens and price from the stored texts and images."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.dialogue import build_plan
from core.dialogue.plan import Preset
from core.domain.dialogue import DisclosurePlan
from core.domain.model_call import Role
from core.errors import AppError
from core.llm import ModelEntry, read_registry, registry_path
from core.services.cases import article_of, get_case
from core.services.models import is_rules
from core.services.pipeline import Models
from core.services.workspace import Workspace
from core.storage import ledger

__all__ = ["Estimate", "RoleEstimate", "estimate_run"]

CHARS_PER_TOKEN = 4
"""English text, both providers' rule of thumb (OpenAI, "What are tokens and how to count them", help center)."""
PIXELS_PER_TOKEN = 750
"""Anthropic, "Vision", section "Calculate image costs": tokens = width x height / 750."""
MOST_IMAGE_TOKENS = 1600
ANSWER_TOKENS = 400
"""Of a role that has answered nothing yet; else the mean of its answers in the ledger."""
INSTRUCTION_TOKENS = 900
"""Of the prompts of writer, decomposer, matcher and judge, without the texts they are given."""


@dataclass(frozen=True)
class RoleEstimate:
    """What one role would ask.

    Attributes:
        role: the job.
        model: registry name.
        n_calls: first requests; repairs and repeated ones come on top.
        input_tokens: sum over the calls.
        output_tokens: sum over the calls.
        cost_usd: None when the registry has no price for the model.
    """

    role: Role
    model: str
    n_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(frozen=True)
class Estimate:
    """What a run would ask and cost, were nothing of it known already.

    Attributes:
        roles: by role; those of the rules baseline are left out, since they ask nobody.
        n_cases: cases that could be estimated.
        left_out: cases that could not, for example because they are not extracted yet.
    """

    roles: tuple[RoleEstimate, ...]
    n_cases: int
    left_out: tuple[str, ...]

    @property
    def n_calls(self) -> int:
        """Calls of all roles."""
        return sum(role.n_calls for role in self.roles)

    @property
    def cost_usd(self) -> float | None:
        """Sum over all roles; None when the price of one is not known, and 0 only when nobody is asked."""
        costs = [role.cost_usd for role in self.roles]
        return None if None in costs else sum(costs)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models without a price, by name."""
        return tuple(sorted({role.model for role in self.roles if role.cost_usd is None}))


def estimate_run(
    workspace: Workspace,
    case_ids: Sequence[str],
    models: Models,
    only_dialogues: bool = False,
    preset: Preset = "caserounds",
) -> Estimate:
    """Give what a run over cases would ask and cost.

    The dialogue is counted turn by turn, since the whole chat is sent each time: the input of turn k is the system
    prompt, all questions and images up to k, and k - 1 answers. The other roles are counted by what they are given.

    Args:
        workspace: the study.
        case_ids: stored cases.
        models: who does what.
        only_dialogues: only the test model's dialogues instead of every step.
        preset: of the disclosure plan.

    Raises:
        InvalidInput: the registry is not well formed.
        ModelUnavailable: a model is not in it.
    """
    plans, left_out = [], []
    for case_id in dict.fromkeys(case_ids):
        try:
            case = get_case(workspace, case_id)
            plans.append(build_plan(case, article_of(workspace, case), preset))
        except AppError:
            left_out.append(case_id)
    wanted = [(Role.TEST_MODEL, models.test_model)]
    if not only_dialogues:
        wanted += [
            (Role.DIALOGUE_WRITER, models.writer),
            (Role.DECOMPOSER, models.decomposer),
            (Role.MATCHER, models.matcher),
            (Role.JUDGE, models.judge),
        ]
    registry = read_registry(registry_path(workspace.settings))
    roles = []
    for role, name in wanted:
        if not is_rules(name):
            with workspace.store.read() as session:
                answer = ledger.mean_output_tokens(session, role.value, name) or ANSWER_TOKENS
            roles.append(_role(role, registry.entry(name), plans, round(answer)))
    return Estimate(tuple(roles), len(plans), tuple(left_out))


def _role(role: Role, entry: ModelEntry, plans: Iterable[DisclosurePlan], answer: int) -> RoleEstimate:
    made = RoleEstimate(role, entry.name, 0, 0, 0, None)
    for plan in plans:
        for given in _calls(role, plan, answer, entry.images):
            made = replace(
                made,
                n_calls=made.n_calls + 1,
                input_tokens=made.input_tokens + given,
                output_tokens=made.output_tokens + answer,
            )
    price = entry.price
    if price is None:
        return made
    return replace(made, cost_usd=(made.input_tokens * price.input + made.output_tokens * price.output) / 1_000_000)


def _calls(role: Role, plan: DisclosurePlan, answer: int, takes_images: bool) -> list[int]:
    """Give the input tokens of each call that a role makes for one case."""
    turns = [_tokens(turn.prompt) for turn in plan.turns]
    if role is Role.TEST_MODEL:
        given, chat = [], _tokens(plan.system_prompt)
        for turn, size in zip(plan.turns, turns, strict=True):
            chat += size + (sum(_image_tokens(image.original) for image in turn.images) if takes_images else 0)
            given.append(chat)
            chat += answer
        return given
    if role is Role.DIALOGUE_WRITER:
        return [INSTRUCTION_TOKENS + size for size in turns]
    # Evaluated are diagnosis, reasoning and each figure, of the reference and of the model's dialogue.
    n_targets = 2 + sum(1 for turn in plan.turns if turn.figure_id)
    if role is Role.DECOMPOSER:
        return [INSTRUCTION_TOKENS + ANSWER_TOKENS] * (3 * n_targets)
    if role is Role.MATCHER:
        return [INSTRUCTION_TOKENS + 2 * ANSWER_TOKENS] * (2 * n_targets)
    return [INSTRUCTION_TOKENS + sum(turns) + len(turns) * ANSWER_TOKENS] * 2


def _tokens(text: str) -> int:
    return -(-len(text) // CHARS_PER_TOKEN)


def _image_tokens(image) -> int:  # noqa: ANN001 - an ImageRef
    return min(MOST_IMAGE_TOKENS, image.width_px * image.height_px // PIXELS_PER_TOKEN + 1)
