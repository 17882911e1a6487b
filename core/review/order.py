"""The order in which a reviewer meets the dialogues of a study, and their blinded labels."""

import random
from collections import defaultdict
from collections.abc import Sequence

from pydantic import Field

from core.domain.record import Record


class Candidate(Record):
    """A dialogue to be put in order."""

    dialogue_id: str
    case_id: str
    name: str = Field(description="the same each time the study is made, `o4-mini/0`; ids are drawn anew")


def reviewer_order(candidates: Sequence[Candidate], reviewer: str, seed: int) -> tuple[str, ...]:
    """Give dialogue ids in one reviewer's order: random by the seed, two dialogues of one case kept far apart.

    The cases are shuffled, then one dialogue of each case is dealt per round, so that every other case stands between
    two dialogues of one case as far as their numbers allow. The same cases, names, reviewer (pseudonym) and seed always
    give the same order. Empty gives empty.
    """
    draw = random.Random(f"{seed}/{reviewer}")
    by_case: dict[str, list[str]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda c: (c.case_id, c.name, c.dialogue_id)):
        by_case[candidate.case_id].append(candidate.dialogue_id)
    cases = list(by_case)
    draw.shuffle(cases)
    for case_id in cases:
        draw.shuffle(by_case[case_id])
    # Cases with more dialogues start earlier, so that the last rounds are not one case alone.
    cases.sort(key=lambda case_id: -len(by_case[case_id]))
    rounds = max((len(ids) for ids in by_case.values()), default=0)
    return tuple(by_case[c][n] for n in range(rounds) for c in cases if n < len(by_case[c]))


def blinded_labels(candidates: Sequence[Candidate], seed: int) -> dict[str, str]:
    """Give dialogue id -> `Dialogue n`, numbered in an order that tells nothing of case, model or import."""
    shuffled = sorted(candidates, key=lambda c: (c.case_id, c.name, c.dialogue_id))
    random.Random(f"{seed}/labels").shuffle(shuffled)
    return {candidate.dialogue_id: f"Dialogue {n}" for n, candidate in enumerate(shuffled, start=1)}


def spread(
    candidates: Sequence[Candidate], reviewers: Sequence[str], overlap: int, seed: int
) -> dict[str, tuple[Candidate, ...]]:
    """Give each reviewer (by pseudonym) a balanced share, so that every dialogue goes to `overlap` of them.

    Dialogue by dialogue in an order drawn by the seed, those with the least work so far are chosen, ties by the draw;
    two reviewers' loads never differ by more than one. With as many as there are reviewers everyone gets everything.

    Args:
        candidates: the dialogues.
        reviewers: pseudonyms.
        overlap: reviewers for each dialogue, at least 1.
        seed: the same seed, dialogues and reviewers always give the same shares.
    """
    draw = random.Random(f"{seed}/overlap")
    dialogues = sorted(candidates, key=lambda c: (c.case_id, c.name, c.dialogue_id))
    draw.shuffle(dialogues)
    shares: dict[str, list[Candidate]] = {reviewer: [] for reviewer in reviewers}
    for dialogue in dialogues:
        lots = {reviewer: draw.random() for reviewer in reviewers}
        for reviewer in sorted(reviewers, key=lambda r: (len(shares[r]), lots[r]))[:overlap]:
            shares[reviewer].append(dialogue)
    return {reviewer: tuple(share) for reviewer, share in shares.items()}
