"""FVCU judges: who scores factuality, validity, coherence, utility and overall, and in what form."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal, Protocol

from core import __version__
from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.items import Evaluation
from core.domain.judgement import JudgedScore, Judgement
from core.domain.model_call import CallFacts
from core.domain.record import MadeBy, PromptRef, Unscored

JudgeMode = Literal["summary", "evidence"]


class Judge(Protocol):
    """Scores one dialogue; the rules and the model variant are interchangeable.

    Attributes:
        name: `rules baseline`, or the model's registry name.
        engine: as in MadeBy.
        mode: what it is shown: the item-level summary, or the dialogue and the article's references.
        prompts: the prompts it uses; empty for rules.
    """

    name: str
    engine: str
    mode: JudgeMode
    prompts: tuple[PromptRef, ...]

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
        """Give integer scores 1-5 with justifications, or Unscored with a reason, for every dimension.

        Args:
            evaluation: the dialogue's atomic evaluation.
            dialogue: what is judged; without an answer in its synthesis turn every dimension is unscored.
            case: the case version it was made on.
            repeat: index of the repeat; part of the call and of the result.
            judgement_id: id of the result; by default made from the inputs.
            at: time of the result, UTC; now by default.
        """
        ...


def make_judgement(
    judge: Judge,
    evaluation: Evaluation,
    scores: Mapping[Dimension, JudgedScore | Unscored],
    *,
    repeat: int,
    judgement_id: str | None,
    at: datetime | None,
    facts: CallFacts | None = None,
) -> Judgement:
    """Give the record of one judge's scores; a dimension without a value is unscored as `missing`."""
    signature = (evaluation.id, judge.engine, judge.name, judge.mode, [p.sha256 for p in judge.prompts], repeat)
    return Judgement(
        id=judgement_id or f"j-{hashlib.sha256(repr((signature, __version__)).encode()).hexdigest()[:16]}",
        evaluation_id=evaluation.id,
        dialogue_id=evaluation.dialogue_id,
        judge=judge.name,
        mode=judge.mode,
        instrument_version=INSTRUMENT.version,
        repeat=repeat,
        scores={dimension: scores.get(dimension) or Unscored(reason="missing") for dimension in Dimension},
        facts=facts,
        made_by=MadeBy(
            engine=judge.engine,
            model=judge.name,
            prompts=judge.prompts,
            settings={"mode": judge.mode, "repeat": repeat},
            code_version=__version__,
            at=at or datetime.now(UTC),
        ),
    )


def all_unscored(reason: Unscored) -> dict[Dimension, JudgedScore | Unscored]:
    """Give the same reason for every dimension."""
    return dict.fromkeys(Dimension, reason)


_FAMILIES = {
    "openai": ("gpt", "o1", "o3", "o4", "chatgpt", "davinci"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma", "medgemma", "palm"),
    "qwen": ("qwen", "qwq"),
    "meta": ("llama",),
    "deepseek": ("deepseek",),
    "mistral": ("mistral", "mixtral", "pixtral"),
    "internlm": ("internvl", "internlm"),
}


def model_family(name: str) -> str | None:
    """Give the maker's family that a model's name points to (`gpt-5.1` -> `openai`); None when it is not known."""
    words = name.lower().replace("/", " ").replace("-", " ").replace("_", " ").replace(":", " ").split()
    for family, starts in _FAMILIES.items():
        if any(word.startswith(starts) for word in words):
            return family
    return None


def family_warning(judge: str, test_model: str) -> str | None:
    """Give a sentence when judge and test model are of one family, since such a judge may favour its kin; None else."""
    family = model_family(judge)
    if family is None or family != model_family(test_model):
        return None
    return f"Judge {judge} and test model {test_model} are of one family ({family}); its scores may favour the model."
