"""Turns and steps as a reviewer sees them."""

from collections.abc import Callable, Mapping

from core.domain.dialogue import Dialogue, Stage, Turn, TurnStatus
from core.domain.review import Assignment, Draft, ReviewMode, Study
from core.domain.review_views import EvidenceLine, ImageView, StepView, TurnView
from core.language.sentences import split_sentences
from core.review.blinding import plain_answer, without_names
from core.review.completeness import turns_without_rating, value_of
from core.review.form import SUPPORTED

_FIELD_WORDS = {
    "patient_information": "Patient",
    "present_illness": "History of present illness",
    "routine_labs": "Routine laboratory tests",
    "figure_label": "Figure",
    "modality": "Kind of image",
}
_NO_ANSWER = {
    TurnStatus.REFUSED: "There is no answer at this turn: it was declined.",
    TurnStatus.TRUNCATED: "There is no answer at this turn: it was cut off before its end.",
    TurnStatus.FAILED: "There is no answer at this turn: none came back.",
}


def turn_titles(dialogue: Dialogue) -> tuple[str, ...]:
    """Give the title of every turn: `History`, `Examination`, `Image 1 · CT` ..., `Synthesis`."""
    titles, images = [], 0
    for turn in dialogue.turns:
        if turn.staged.stage is Stage.IMAGE:
            images += 1
            modality = turn.staged.modality
            titles.append(f"Image {images}" + (f" · {modality.value}" if modality else ""))
        else:
            titles.append(turn.staged.stage.value.capitalize())
    return tuple(titles)


def show_turn(
    dialogue: Dialogue, index: int, mode: ReviewMode, sign: Callable[[int, int], str], is_revealed: bool
) -> TurnView:
    """Give one turn for the screen.

    Args:
        dialogue: as stored, with everything that identifies its model.
        index: of the turn, from 1.
        mode: in a blinded study the answer is shown in one uniform look, without names, until the reveal.
        sign: gives the link token of (turn, image number).
        is_revealed: True after the commit.
    """
    turn = dialogue.turns[index - 1]
    title = turn_titles(dialogue)[index - 1]
    answer = turn.response
    if answer is not None:
        answer = plain_answer(answer)
        if mode is ReviewMode.BLINDED and not is_revealed:
            answer = without_names(answer, _names(dialogue))
    return TurnView(
        index=index,
        stage=turn.staged.stage,
        title=title,
        evidence=tuple(
            EvidenceLine(field=field_words(value.field), text=value.text)
            for value in turn.staged.disclosed
            if value.field not in ("figure_label", "modality")
        ),
        images=_images(turn, title, sign),
        answer=answer,
        problem="" if answer is not None else _NO_ANSWER[turn.status],
    )


def answer_sentences(dialogue: Dialogue) -> dict[str, str]:
    """Give `turn 3, sentence 2` -> its words, for every sentence of every answer; no name of the model in them.

    The numbers count the text without names, before and after the reveal alike.
    """
    found = {}
    for turn in dialogue.turns:
        if turn.response is None:
            continue
        text = without_names(plain_answer(turn.response), _names(dialogue))
        for number, part in enumerate(split_sentences(text), start=1):
            found[f"turn {turn.staged.index}, sentence {number}"] = text[part.start : part.end].removeprefix("- ")
    return found


def field_words(field: str) -> str:
    """Give the words on screen for a disclosed field."""
    return _FIELD_WORDS.get(field, field.replace("_", " ").capitalize())


def _images(turn: Turn, title: str, sign: Callable[[int, int], str]) -> tuple[ImageView, ...]:
    total = len(turn.staged.images)
    views = []
    for number, image in enumerate(turn.staged.images, start=1):
        original, notice = image.original, ""
        if image.sent_width_px and image.sent_height_px and image.sent_width_px < original.width_px:
            notice = (
                f"The answer was given on a smaller version: {image.sent_width_px} × {image.sent_height_px} of "
                f"{original.width_px} × {original.height_px} pixels."
            )
        views.append(
            ImageView(
                token=sign(turn.staged.index, number),
                alt=f"{title}, picture {number} of {total}" if total > 1 else title,
                width_px=original.width_px,
                height_px=original.height_px,
                notice=notice,
            )
        )
    return tuple(views)


def _names(dialogue: Dialogue) -> set[str]:
    names = {dialogue.setting, dialogue.made_by.model}
    for turn in dialogue.turns:
        if turn.facts:
            names |= {turn.facts.model_asked, turn.facts.model_answered}
    # A registry name often is provider/model: each part gives the model away by itself.
    return names | {part for name in names for part in name.split("/")}


def steps(
    dialogue: Dialogue, study: Study, assignment: Assignment, drafts: Mapping[tuple[int, str], Draft]
) -> tuple[StepView, ...]:
    """Give the step bar: the turns, the ratings, the reveal, each with whether it may be opened now."""
    n_turns = len(dialogue.turns)
    is_open_review = study.mode is ReviewMode.OPEN
    unrated = turns_without_rating(drafts, n_turns)
    reachable = n_turns if is_open_review else assignment.furthest_turn
    found = [
        StepView(
            key=f"turn-{n}",
            title=title.split(" · ")[0],
            is_open=n <= reachable,
            is_done=value_of(drafts, n, SUPPORTED) is not None,
        )
        for n, title in enumerate(turn_titles(dialogue), start=1)
    ]
    may_rate = assignment.is_committed or is_open_review or (reachable >= n_turns and not unrated)
    found.append(StepView(key="rate", title="Rate", is_open=may_rate, is_done=assignment.is_committed))
    may_see = assignment.is_committed or is_open_review
    found.append(
        StepView(
            key="reveal",
            title="Judge" if is_open_review else "Reveal",
            is_open=may_see,
            is_done=assignment.is_committed,
        )
    )
    return tuple(found)
