"""Running a test model through a disclosure plan: the whole chat each time, failed turns without text."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from core import __version__
from core.dialogue.plan import plan_sha256
from core.domain.article import ImageRef
from core.domain.dialogue import (
    Dialogue,
    DialogueKind,
    DisclosedImage,
    DisclosurePlan,
    StagedTurn,
    Turn,
    TurnStatus,
)
from core.domain.model_call import ChatModel, FailedCall, Message, ModelReply, ModelRequest, OutgoingImage, Role
from core.domain.record import MadeBy
from core.errors import AppError

EncodeImage = Callable[[bytes, int, int], OutgoingImage]
"""Makes the pixels that are sent: stored bytes, number of the image in the conversation (from 1), images in all."""

# The request itself was turned down; sending its images again with the next turn would lose that turn too.
_IMAGES_NOT_REPEATED = frozenset({"refused", "filtered", "rejected", "unavailable"})
_STATUS = {"refused": TurnStatus.REFUSED, "filtered": TurnStatus.REFUSED, "truncated": TurnStatus.TRUNCATED}


@dataclass(frozen=True)
class _Waiting:
    """Questions that have no answer yet and go out again with the next one."""

    turns: tuple[int, ...] = ()
    prompts: tuple[str, ...] = ()
    images: tuple[OutgoingImage, ...] = ()

    def plus(self, staged: StagedTurn, images: tuple[OutgoingImage, ...]) -> "_Waiting":
        return _Waiting((*self.turns, staged.index), (*self.prompts, staged.prompt), images)


def run_dialogue(
    plan: DisclosurePlan,
    model: ChatModel,
    load_image: Callable[[ImageRef], bytes],
    encode_image: EncodeImage,
    *,
    repeat: int = 0,
    max_output_tokens: int = 4096,
    at: datetime | None = None,
    on_turn: Callable[[int, int], None] | None = None,
) -> Dialogue:
    """Give the dialogue of one model under one plan.

    Every request holds the whole chat: system prompt, earlier turns, the model's own answers. A turn that fails has a
    status, a reason and no text, and the dialogue goes on. Its question is then asked together with the next one, so
    that what is disclosed at turn k stays the union of the stages 1..k and no answer is put into the model's mouth; its
    images come along unless the provider turned the request down because of what it holds.

    Args:
        plan: the turns; equal for every model.
        model: any engine.
        load_image: gives the stored bytes of an image.
        encode_image: makes the neutral pixels within the provider's limits.
        repeat: index of the repeat, part of every request.
        max_output_tokens: limit of each answer.
        at: time of the run, UTC; now when None.
        on_turn: called with (turns done, turns in all) after each turn.
    """
    at = at or datetime.now(UTC)
    chat = [Message(role="system", text=plan.system_prompt)]
    waiting = _Waiting()
    turns: list[Turn] = []
    sent = 0
    total = sum(len(turn.images) for turn in plan.turns)
    for staged in plan.turns:
        images, problem = _encode(staged, sent, total, load_image, encode_image)
        sent += len(staged.images)
        question = "\n\n".join((*waiting.prompts, staged.prompt))
        if problem:
            turns.append(Turn(staged=staged, status=TurnStatus.FAILED, problem=problem))
            waiting = waiting.plus(staged, waiting.images)
        else:
            asked = Message(role="user", text=question, images=(*waiting.images, *images))
            outcome = model.reply(
                ModelRequest(
                    role=Role.TEST_MODEL,
                    subject=f"{plan.case_id}/{model.name}/{staged.index}",
                    messages=(*chat, asked),
                    prompts=plan.prompts,
                    repeat=repeat,
                    max_output_tokens=max_output_tokens,
                )
            )
            turns.append(_turn(_as_sent(staged, images), outcome, waiting.turns))
            if isinstance(outcome, ModelReply):
                chat += [asked, Message(role="assistant", text=outcome.text)]
                waiting = _Waiting()
            else:
                waiting = waiting.plus(staged, () if outcome.reason in _IMAGES_NOT_REPEATED else asked.images)
        if on_turn:
            on_turn(len(turns), len(plan.turns))
    return _dialogue(plan, model, tuple(turns), repeat, at)


def _encode(
    staged: StagedTurn, sent: int, total: int, load_image: Callable[[ImageRef], bytes], encode_image: EncodeImage
) -> tuple[tuple[OutgoingImage, ...], str]:
    try:
        return tuple(
            encode_image(load_image(image.original), sent + place, total)
            for place, image in enumerate(staged.images, start=1)
        ), ""
    except AppError as error:
        return (), f"the image could not be prepared: {error.message}"


def _as_sent(staged: StagedTurn, images: tuple[OutgoingImage, ...]) -> StagedTurn:
    shown = tuple(
        DisclosedImage(
            original=planned.original,
            sent_sha256=image.sha256,
            sent_width_px=image.width_px,
            sent_scale=image.scale,
            sent_height_px=image.height_px,
        )
        for planned, image in zip(staged.images, images, strict=True)
    )
    return staged.model_copy(update={"images": shown})


def _turn(staged: StagedTurn, outcome: ModelReply | FailedCall, asked_with: tuple[int, ...]) -> Turn:
    if isinstance(outcome, ModelReply):
        return Turn(
            staged=staged,
            status=TurnStatus.ANSWERED,
            response=outcome.text,
            facts=outcome.facts,
            asked_with=asked_with,
        )
    problem = f"{outcome.reason}: {outcome.detail}" if outcome.detail else outcome.reason
    return Turn(
        staged=staged,
        status=_STATUS.get(outcome.reason, TurnStatus.FAILED),
        problem=problem,
        facts=outcome.facts,
        asked_with=asked_with,
    )


def _dialogue(plan: DisclosurePlan, model: ChatModel, turns: tuple[Turn, ...], repeat: int, at: datetime) -> Dialogue:
    digest = plan_sha256(plan)
    settings = next((turn.facts.settings for turn in turns if turn.facts), {})
    return Dialogue(
        id=dialogue_id(digest, model.name, repeat, at),
        case_id=plan.case_id,
        case_version=plan.case_version,
        kind=DialogueKind.MODEL,
        setting=model.name,
        repeat=repeat,
        plan_sha256=digest,
        turns=turns,
        skipped=plan.skipped,
        made_by=MadeBy(
            engine=model.engine,
            model=model.name,
            prompts=plan.prompts,
            settings=settings,
            code_version=__version__,
            at=at,
        ),
    )


def dialogue_id(plan_digest: str, setting: str, repeat: int, at: datetime) -> str:
    """Give a dialogue's id: `dlg-` and 16 hex digits over plan, setting, repeat and time. A new run has a new one."""
    text = "\n".join((plan_digest, setting, str(repeat), at.isoformat()))
    return f"dlg-{hashlib.sha256(text.encode('utf-8')).hexdigest()[:16]}"
