"""Decomposition by a model: one prompt for each target, the reply checked, its sentences found in the text."""

from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz, process

from core.domain.items import Side, Target
from core.domain.model_call import ChatModel, FailedCall, ModelRequest, Role
from core.domain.record import PromptRef
from core.language.terms import normalise
from core.prompting import Prompt, load_prompt
from core.scoring.clauses import sentences_of
from core.scoring.decompose import Decomposition, Draft, number_items
from core.scoring.replies import DecomposedImageItems, DecomposedItems

PROMPT_NAMES = {
    Target.FINAL_DIAGNOSIS: "decomposer-final-diagnosis",
    Target.DIAGNOSTIC_REASONING: "decomposer-diagnostic-reasoning",
    Target.IMAGE_FINDINGS: "decomposer-image-findings",
}


class ModelDecomposer:
    """Asks a model for the items of a text; a failed call gives an unscored decomposition, never an empty one.

    Args:
        model: made by core/llm.
        prompts: target -> prompt; the newest versions by default.
    """

    def __init__(self, model: ChatModel, prompts: Mapping[Target, Prompt] | None = None) -> None:
        self._model = model
        self._prompts = dict(prompts or {target: load_prompt(name) for target, name in PROMPT_NAMES.items()})
        self.name = model.name
        self.engine = model.engine
        self.prompts: tuple[PromptRef, ...] = tuple(prompt.ref for prompt in self._prompts.values())

    def decompose(
        self,
        target: Target,
        text: str,
        *,
        side: Side,
        figure_id: str | None = None,
        modality: str = "",
        subject: str = "",
        abbreviations: Mapping[str, str] | None = None,
    ) -> Decomposition:
        """Give the items of one text (see Decomposer). An empty text asks nobody and has no items."""
        if not text.strip():
            return Decomposition()
        prompt = self._prompts[target]
        is_image = target is Target.IMAGE_FINDINGS
        values = {"text": text, "modality": modality or "not stated"} if is_image else {"text": text}
        request = ModelRequest(
            role=Role.DECOMPOSER,
            subject=subject or f"{side.value}/{target.value}",
            messages=prompt.messages(**values),
            prompts=(prompt.ref,),
        )
        reply = self._model.answer(request, DecomposedImageItems if is_image else DecomposedItems, _check)
        if isinstance(reply, FailedCall):
            return Decomposition(unscored=reply.as_unscored(), facts=(reply.facts,))
        sentences = sentences_of(text)
        drafts = [
            Draft(
                item.text.strip(),
                find_sentence(item.sentence, item.text, sentences),
                getattr(item, "is_annotation", False),
            )
            for item in reply.answer.items
        ]
        return Decomposition(items=number_items(drafts, side, target, figure_id, abbreviations), facts=(reply.facts,))


def _check(answer: DecomposedItems | DecomposedImageItems) -> list[str]:
    return [f"item {at} has no text" for at, item in enumerate(answer.items, start=1) if not normalise(item.text)]


def find_sentence(quoted: str, item: str, sentences: Sequence[str]) -> str:
    """Give the text's own sentence that an item came from: the one with the quoted words, else the most alike.

    Empty when the text has no sentence that shares at least half of the item's words with it, so that an invented
    quote is never shown as the source.
    """
    wanted = normalise(quoted)
    if wanted:
        for sentence in sentences:
            if wanted in normalise(sentence) or normalise(sentence) == wanted:
                return sentence
    found = process.extractOne(
        wanted or normalise(item),
        [normalise(sentence) for sentence in sentences],
        scorer=fuzz.token_set_ratio,
        score_cutoff=50,
    )
    return sentences[found[2]] if found else ""
