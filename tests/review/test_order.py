from itertools import pairwise

from core.review.order import Candidate, blinded_labels, reviewer_order

CANDIDATES = [Candidate(dialogue_id=f"d{c}{m}", case_id=f"c{c}") for c in range(6) for m in range(3)]


def test_the_order_is_the_same_for_the_same_seed_and_differs_between_reviewers() -> None:
    first = reviewer_order(CANDIDATES, "a", 7)
    assert first == reviewer_order(list(reversed(CANDIDATES)), "a", 7)
    assert first != reviewer_order(CANDIDATES, "b", 7)
    assert sorted(first) == sorted(c.dialogue_id for c in CANDIDATES)


def test_two_dialogues_of_one_case_are_never_neighbours_when_others_are_there() -> None:
    for seed in range(50):
        order = reviewer_order(CANDIDATES, "a", seed)
        assert all(one[1] != other[1] for one, other in pairwise(order))


def test_nothing_gives_nothing() -> None:
    assert reviewer_order([], "a", 1) == ()
    assert blinded_labels([], 1) == {}


def test_labels_are_numbers_without_gaps_that_do_not_follow_the_ids() -> None:
    labels = blinded_labels([f"d{n:02}" for n in range(20)], 3)
    assert sorted(int(v.split()[-1]) for v in labels.values()) == list(range(1, 21))
    assert [int(labels[f"d{n:02}"].split()[-1]) for n in range(20)] != list(range(1, 21))
