"""Answers that no clinician would write must neither stop nor slow the evaluation."""

import time

import pytest

from core.domain.items import Side, Target
from core.scoring.clauses import MAX_SENTENCE, sentences_of
from core.scoring.decompose_rules import RulesDecomposer
from core.scoring.requests import find_score_requests
from core.scoring.synthesis import split_synthesis

HOSTILE = {
    "no full stop": "ct image of mass and lesion with " * 600,
    "only commas": "a, " * 5000,
    "only brackets": "(" * 5000,
    "only spaces": " " * 20_000 + "x",
    "only line breaks": "\n" * 20_000,
    "one word": "score " * 3000,
    "null and control characters": "\x00\x07 mass \x1b[31m" * 200,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_bounded_time(name):
    text = HOSTILE[name]
    start = time.process_time()
    for target in Target:
        figure_id = "fig1" if target is Target.IMAGE_FINDINGS else None
        RulesDecomposer().decompose(target, text, side=Side.OUTPUT, figure_id=figure_id)
    split_synthesis(text)
    find_score_requests(text)
    assert time.process_time() - start < 5


def test_a_run_without_full_stop_is_cut_at_white_space_and_loses_nothing():
    text = "word " * 500
    pieces = sentences_of(text)
    assert max(len(piece) for piece in pieces) <= MAX_SENTENCE
    assert " ".join(pieces).split() == text.split()


def test_five_hundred_statements_give_five_hundred_items():
    text = "\n".join(f"- Nodule {n} of zone {n} is round." for n in range(500))
    found = RulesDecomposer().decompose(Target.IMAGE_FINDINGS, text, side=Side.OUTPUT, figure_id="fig1")
    assert len(found.items) == 500
