"""Matching by a model: items shown shuffled under their neutral ids, the reply taken as proposals only."""

from collections.abc import Mapping, Sequence

from core.domain.items import Item, Level, Proposal, Target
from core.domain.model_call import CallFacts, ChatModel, FailedCall, ModelRequest, Role
from core.domain.record import PromptRef
from core.prompting import Prompt, load_prompt
from core.scoring.match import Proposals, shuffled
from core.scoring.replies import ProposedPairs

_TARGET_WORDS = {
    Target.FINAL_DIAGNOSIS: "final diagnoses",
    Target.DIAGNOSTIC_REASONING: "steps of diagnostic reasoning",
    Target.IMAGE_FINDINGS: "image findings of one figure",
}


class ModelMatcher:
    """Asks a model for pairs of one target. Ids it invents reach `resolve`, which drops and notes them.

    Args:
        model: made by core/llm.
        prompt: the newest matcher prompt by default.
        ask_twice: show the items once more in another order; pairs that only one order gave, or that both gave with
            other levels, are named in the notes. The first order's pairs are used.
    """

    def __init__(self, model: ChatModel, prompt: Prompt | None = None, ask_twice: bool = False) -> None:
        self._model = model
        self._prompt = prompt or load_prompt("matcher")
        self._ask_twice = ask_twice
        self.name = model.name
        self.engine = model.engine
        self.prompts: tuple[PromptRef, ...] = (self._prompt.ref,)

    def propose(
        self,
        references: Sequence[Item],
        outputs: Sequence[Item],
        *,
        target: Target,
        seed: int = 0,
        subject: str = "",
        abbreviations: Mapping[str, str] | None = None,
    ) -> Proposals:
        """Give pairs (see Matcher). An empty side asks nobody and has no pairs."""
        if not references or not outputs:
            return Proposals(seed=seed)
        first = self._ask(references, outputs, target, seed, subject, 0)
        if isinstance(first, FailedCall):
            return Proposals(unscored=first.as_unscored(), seed=seed, facts=(first.facts,))
        pairs, facts = first
        if not self._ask_twice:
            return Proposals(proposals=pairs, seed=seed, facts=(facts,))
        second = self._ask(references, outputs, target, seed + 1, subject, 1)
        if isinstance(second, FailedCall):
            note = f"the second order was not answered ({second.reason})"
            return Proposals(proposals=pairs, seed=seed, notes=(note,), facts=(facts, second.facts))
        return Proposals(
            proposals=pairs, seed=seed, notes=order_disagreements(pairs, second[0]), facts=(facts, second[1])
        )

    def _ask(
        self, references: Sequence[Item], outputs: Sequence[Item], target: Target, seed: int, subject: str, repeat: int
    ) -> tuple[tuple[Proposal, ...], CallFacts] | FailedCall:
        request = ModelRequest(
            role=Role.MATCHER,
            subject=subject or f"match/{target.value}",
            messages=self._prompt.messages(
                target=_TARGET_WORDS[target],
                reference_items=_lines(shuffled(references, seed)),
                output_items=_lines(shuffled(outputs, seed)),
            ),
            prompts=(self._prompt.ref,),
            repeat=repeat,
        )
        reply = self._model.answer(request, ProposedPairs)
        if isinstance(reply, FailedCall):
            return reply
        pairs = tuple(
            Proposal(
                reference_id=pair.reference_id.strip(),
                output_id=pair.output_id.strip(),
                level=Level(pair.level),
                reason=pair.reason,
            )
            for pair in reply.answer.pairs
        )
        return pairs, reply.facts


def _lines(items: Sequence[Item]) -> str:
    # A line break inside an item would start a line that looks like another item.
    return "\n".join(f"{item.id}: {' '.join(item.text.split())}" for item in items)


def order_disagreements(first: Sequence[Proposal], second: Sequence[Proposal]) -> tuple[str, ...]:
    """Give a sentence for each pair on which two orders of showing the items disagree; empty when they agree."""
    levels: list[dict[tuple[str, str], Level]] = [
        {(p.reference_id, p.output_id): p.level for p in proposals} for proposals in (first, second)
    ]
    return tuple(
        f"{key[0]}-{key[1]}: {levels[0].get(key, 'no pair')} in the first order, "
        f"{levels[1].get(key, 'no pair')} in the second"
        for key in sorted(levels[0].keys() | levels[1].keys())
        if levels[0].get(key) != levels[1].get(key)
    )
