from itertools import pairwise

from core.review.order import Candidate, blinded_labels, reviewer_order

CANDIDATES = [Candidate(dialogue_id=f"d{c}{m}", case_id=f"c{c}", name=f"model {m}") for c in range(6) for m in range(3)]


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


def test_labels_are_numbers_without_gaps_that_do_not_follow_cases_or_models() -> None:
    labels = [int(text.split()[-1]) for text in blinded_labels(CANDIDATES, 3).values()]
    assert labels == list(range(1, 19))
    assert list(blinded_labels(CANDIDATES, 3)) != [c.dialogue_id for c in CANDIDATES]


def test_order_and_labels_do_not_depend_on_ids_that_are_drawn_anew() -> None:
    again = [Candidate(dialogue_id=f"z{n}", case_id=c.case_id, name=c.name) for n, c in enumerate(reversed(CANDIDATES))]
    named = {c.dialogue_id: (c.case_id, c.name) for c in [*CANDIDATES, *again]}
    assert [named[d] for d in reviewer_order(CANDIDATES, "a", 7)] == [named[d] for d in reviewer_order(again, "a", 7)]
    assert [named[d] for d in blinded_labels(CANDIDATES, 7)] == [named[d] for d in blinded_labels(again, 7)]
