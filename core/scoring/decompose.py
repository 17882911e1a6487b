"""What decomposition gives, whoever does it: atomic items of one target, merged and with neutral ids."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from core.domain.items import Item, Side, Target
from core.domain.model_call import CallFacts
from core.domain.record import PromptRef, Record, Unscored
from core.language.terms import normalise


@dataclass(frozen=True)
class Draft:
    """An item before it has an id: its text, the sentence it came from, whether it speaks of marks on the figure."""

    text: str
    sentence: str
    is_annotation: bool = False


class Decomposition(Record):
    """The items of one text, or why there are none. An empty text has no items and is not unscored."""

    items: tuple[Item, ...] = ()
    unscored: Unscored | None = None
    facts: tuple[CallFacts, ...] = ()


class Decomposer(Protocol):
    """Splits texts into atomic items; the rules and the model variant are interchangeable.

    Attributes:
        name: `rules baseline`, or the model's registry name.
        engine: as in MadeBy.
        prompts: the prompts it uses; empty for rules.
    """

    name: str
    engine: str
    prompts: tuple[PromptRef, ...]

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
        """Give the items of one text for one target.

        Args:
            target: what is looked for (definitions: evaluation.md section 1).
            text: the text; the caller chooses the part that the target is read from. Empty gives no items.
            side: whose items they become.
            figure_id: the figure, for image findings.
            modality: of the figure, as a model may see it.
            subject: what the call is about, for people and recordings.
            abbreviations: short form -> long form as the article defines them; item texts stay as written.
        """
        ...


def number_items(drafts: Iterable[Draft], side: Side, target: Target, figure_id: str | None = None) -> tuple[Item, ...]:
    """Give items with ids `R1`, `R2` ... or `G1`, `G2` ...; drafts with the same normalised text are merged.

    The first wording and sentence are kept, `count` says how many were merged. Drafts without a word are left out.
    """
    merged: dict[str, tuple[Draft, int]] = {}
    for draft in drafts:
        key = normalise(draft.text)
        if not key:
            continue
        first, count = merged.get(key, (draft, 0))
        merged[key] = (first, count + 1)
    letter = "R" if side is Side.REFERENCE else "G"
    return tuple(
        Item(
            id=f"{letter}{number}",
            side=side,
            target=target,
            text=draft.text,
            sentence=draft.sentence,
            figure_id=figure_id if target is Target.IMAGE_FINDINGS else None,
            is_annotation=draft.is_annotation,
            count=count,
        )
        for number, (draft, count) in enumerate(merged.values(), start=1)
    )
