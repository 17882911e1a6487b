"""The FVCU judge by a model: integers 1-5 with justifications, or unscored with the call's reason."""

from datetime import datetime
from typing import Literal

from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue
from core.domain.instrument import INSTRUMENT, Dimension, Instrument
from core.domain.items import Evaluation
from core.domain.judgement import JudgedScore, Judgement
from core.domain.model_call import ChatModel, FailedCall, ModelRequest, Role
from core.domain.record import PromptRef
from core.prompting import Prompt, load_prompt
from core.scoring.evaluate import turn_unscored
from core.scoring.judge import JudgeMode, all_unscored, make_judgement
from core.scoring.replies import JudgeScores
from core.scoring.summary import show_evidence, summarise_items

Variant = Literal["anchored", "definitions"]


class ModelJudge:
    """Asks a model for the five scores of one dialogue.

    Args:
        model: made by core/llm.
        variant: `anchored` gives the instrument's descriptors word for word; `definitions` the definitions alone.
        mode: `summary` shows the item-level summary; `evidence` the dialogue and the article's references.
        prompt: another prompt than the newest of its variant and mode.
    """

    def __init__(
        self, model: ChatModel, variant: Variant = "anchored", mode: JudgeMode = "summary", prompt: Prompt | None = None
    ) -> None:
        name = f"judge-{variant}" if mode == "summary" else f"judge-{variant}-evidence"
        self._model = model
        self._prompt = prompt or load_prompt(name)
        self.mode: JudgeMode = mode
        self.name = model.name
        self.engine = model.engine
        self.prompts: tuple[PromptRef, ...] = (self._prompt.ref,)

    def judge(
        self,
        evaluation: Evaluation,
        dialogue: Dialogue,
        case: CaseRepresentation,
        *,
        repeat: int = 0,
        judgement_id: str | None = None,
        at: datetime | None = None,
    ) -> Judgement:
        """Give the model's scores (see Judge); without a synthesis answer nobody is asked."""
        problem = turn_unscored(dialogue.synthesis)
        if problem is not None:
            return make_judgement(
                self, evaluation, all_unscored(problem), repeat=repeat, judgement_id=judgement_id, at=at
            )
        shown = summarise_items(case, dialogue, evaluation) if self.mode == "summary" else show_evidence(case, dialogue)
        values = {"summary": shown, "evidence": shown, **instrument_variables(INSTRUMENT)}
        wanted = self._prompt.variables.keys() | self._prompt.data.keys()
        request = ModelRequest(
            role=Role.JUDGE,
            subject=f"{dialogue.case_id}/{dialogue.id}/judge/{self.mode}",
            messages=self._prompt.messages(**{name: value for name, value in values.items() if name in wanted}),
            prompts=(self._prompt.ref,),
            repeat=repeat,
        )
        reply = self._model.answer(request, JudgeScores, _check)
        if isinstance(reply, FailedCall):
            scores = all_unscored(reply.as_unscored())
        else:
            given = {dimension: getattr(reply.answer, dimension.value) for dimension in Dimension}
            scores = {
                dimension: JudgedScore(score=value.score, justification=value.justification.strip())
                for dimension, value in given.items()
            }
        return make_judgement(
            self, evaluation, scores, repeat=repeat, judgement_id=judgement_id, at=at, facts=reply.facts
        )


def instrument_variables(instrument: Instrument) -> dict[str, str]:
    """Give what the anchored prompt says of the instrument: version, general rules, descriptors word for word."""
    blocks = []
    for criterion in instrument.criteria:
        lines = [f"{score}: {words}" for score, words in enumerate(criterion.descriptors, start=1)]
        blocks.append("\n".join((f"{criterion.dimension.value}: {criterion.question}", *lines)))
    return {
        "instrument_version": instrument.version,
        "general_rules": "\n".join(f"- {rule}" for rule in instrument.general_rules),
        "descriptors": "\n\n".join(blocks),
    }


def _check(answer: JudgeScores) -> list[str]:
    return [
        f"{dimension.value} has no justification"
        for dimension in Dimension
        if not getattr(answer, dimension.value).justification.strip()
    ]
