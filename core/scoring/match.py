"""What a matcher gives, whoever it is: proposed pairs. Code decides what becomes of them (`assign.resolve`)."""

import random
from collections.abc import Mapping, Sequence
from typing import Protocol

from core.domain.items import Item, Proposal, Target
from core.domain.model_call import CallFacts
from core.domain.record import PromptRef, Record, Unscored


class Proposals(Record):
    """The pairs of one target (and figure), or why there are none. Empty sides give no pairs and are not unscored."""

    proposals: tuple[Proposal, ...] = ()
    unscored: Unscored | None = None
    seed: int = 0
    notes: tuple[str, ...] = ()
    facts: tuple[CallFacts, ...] = ()


class Matcher(Protocol):
    """Proposes pairs; the rules and the model variant are interchangeable.

    Attributes:
        name: `rules baseline`, or the model's registry name.
        engine: as in MadeBy.
        prompts: the prompts it uses; empty for rules.
    """

    name: str
    engine: str
    prompts: tuple[PromptRef, ...]

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
        """Give pairs of one target (and figure).

        Args:
            references: items of the article's side.
            outputs: items of the evaluated dialogue's side.
            target: what the items are.
            seed: of the order in which items are shown.
            subject: what the call is about, for people and recordings.
            abbreviations: short form -> long form as the article defines them.
        """
        ...


def shuffled(items: Sequence[Item], seed: int) -> list[Item]:
    """Give the items in the order in which a matcher sees them: drawn from the seed and the side, always the same."""
    side = items[0].side.value if items else ""
    return random.Random(f"{seed}/{side}").sample(list(items), len(items))
