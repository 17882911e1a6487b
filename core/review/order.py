"""The order in which a reviewer meets the dialogues of a study, and their blinded labels."""

import random
from collections import defaultdict
from collections.abc import Sequence

from core.domain.record import Record


class Candidate(Record):
    """A dialogue to be put in order; only its id and case matter."""

    dialogue_id: str
    case_id: str


def reviewer_order(candidates: Sequence[Candidate], reviewer_id: str, seed: int) -> tuple[str, ...]:
    """Give dialogue ids in one reviewer's order: random by the seed, two dialogues of one case kept far apart.

    The cases are shuffled, then one dialogue of each case is dealt per round, so that every other case stands between
    two dialogues of one case as far as their numbers allow. The same arguments always give the same order. Empty
    gives empty.
    """
    draw = random.Random(f"{seed}/{reviewer_id}")
    by_case: dict[str, list[str]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda c: (c.case_id, c.dialogue_id)):
        by_case[candidate.case_id].append(candidate.dialogue_id)
    cases = list(by_case)
    draw.shuffle(cases)
    for case_id in cases:
        draw.shuffle(by_case[case_id])
    # Cases with more dialogues start earlier, so that the last rounds are not one case alone.
    cases.sort(key=lambda case_id: -len(by_case[case_id]))
    rounds = max((len(ids) for ids in by_case.values()), default=0)
    return tuple(by_case[c][n] for n in range(rounds) for c in cases if n < len(by_case[c]))


def blinded_labels(dialogue_ids: Sequence[str], seed: int) -> dict[str, str]:
    """Give each dialogue its label `Dialogue n`, numbered in an order that tells nothing of case, model or import."""
    shuffled = sorted(dialogue_ids)
    random.Random(f"{seed}/labels").shuffle(shuffled)
    return {dialogue_id: f"Dialogue {n}" for n, dialogue_id in enumerate(shuffled, start=1)}
