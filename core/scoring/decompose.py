"""What decomposition gives, whoever does it: atomic items of one target, merged and with neutral ids."""

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from core.domain.items import Item, Side, Target
from core.domain.model_call import CallFacts
from core.domain.record import PromptRef, Record, Unscored
from core.language.guards import guard_tokens, negated_stems
from core.language.terms import content_stems, expand_abbreviations, normalise, term_key

_RELATES = re.compile(
    r"\b(?:due|caus\w+|because|secondary|lead\w*|led|result\w*|after|before|than|from|to|not|no|without|but|then|"
    r"into|over|between|vs|versus|rather|instead|except|until|if|with|by|in|on|at|above|below|behind)\b",
    re.IGNORECASE,
)


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


def number_items(
    drafts: Iterable[Draft],
    side: Side,
    target: Target,
    figure_id: str | None = None,
    abbreviations: Mapping[str, str] | None = None,
) -> tuple[Item, ...]:
    """Give items with ids `R1`, `R2` ... or `G1`, `G2` ...; drafts that say the same are merged.

    On the output side only the same normalised text is the same. Reference items are also merged when they differ in
    inflection, word order or abbreviation alone, since a caption and the body tell one observation twice; sides,
    numbers, negation and every other guard must be equal. The first wording and sentence are kept, `count` says how
    many were merged. Drafts without a word are left out.

    Args:
        drafts: in their order.
        side: whose items they become.
        target: of all of them.
        figure_id: the figure, for image findings.
        abbreviations: short form -> long form, for comparing reference items; texts stay as written.
    """
    merged: dict[Hashable, tuple[Draft, int]] = {}
    for draft in drafts:
        key: Hashable = normalise(draft.text)
        if not key:
            continue
        if side is Side.REFERENCE:
            key = _meaning(draft.text, abbreviations or {}) or key
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


def _meaning(text: str, abbreviations: Mapping[str, str]) -> Hashable:
    """Give what two wordings of one reference item share; None for a text of small words only."""
    written = expand_abbreviations(text, abbreviations)
    # `A due to B` is not `B due to A`: where a word relates two things, their order counts.
    words = " ".join(content_stems(written)) if _RELATES.search(written) else term_key(written)
    if not words:
        return None
    return words, frozenset(guard_tokens(written).items()), negated_stems(written)
