"""What holds for any two reports: random word salad from the lexicon, fixed seeds, and the sample pairs."""

import random
import tomllib
from pathlib import Path

import pytest

import core.reports
from core.domain.reports import Given, ReportPair
from core.reports.evaluate import evaluate_pair
from core.reports.pairs_csv import read_pairs
from core.reports.readers import RulesReader
from core.reports.rules import answer_questions, read_facts
from core.services.reports import DEMO_PAIRS
from tests.reports.made import NOW

RULES = RulesReader(clock=lambda: NOW)
JOINTS = "no not without and or , . ; with in the of is are normal clear left right both small 3 cm 2.1 mm but possible"


def words() -> list[str]:
    lexicon = tomllib.loads((Path(core.reports.__file__).parent / "lexicon.toml").read_text(encoding="utf-8"))
    entries = (*lexicon["findings"].values(), *lexicon["regions"].values())
    return [word for entry in entries for word in entry["words"]] + JOINTS.split() * 6


def evaluated(reference: str, prediction: str):
    pair = ReportPair(
        id="rp-1", pair="P", dataset="D", modality="", model="M", reference=reference, prediction=prediction
    )
    return evaluate_pair(pair, RULES.read(reference, ""), RULES, lambda: NOW)


@pytest.mark.parametrize("seed", range(8))
def test_any_two_texts_give_grounded_answers_and_bounded_scores(seed: int) -> None:
    chance, known = random.Random(seed), words()
    for _ in range(30):
        one, other = (" ".join(chance.choice(known) for _ in range(chance.randint(1, 25))) for _ in range(2))
        facts, _ = read_facts(one)
        assert len({fact.id for fact in facts}) == len(facts)
        assert all(fact.sentence in one for fact in facts)
        for answer in answer_questions(facts, other):
            assert answer.given is Given.NOT_STATED or (answer.quote and answer.quote in other)
        score = evaluated(one, other).score
        assert 0 <= score.open.f1 <= 1 and 0 <= score.closed.f1 <= 1
        for side in ("matched_prediction", "matched_reference"):
            assert getattr(score.closed.disease, side) >= getattr(score.open.disease, side)


def test_a_report_agrees_with_itself() -> None:
    found = read_pairs(DEMO_PAIRS.read_bytes(), "pairs.csv")
    for text in {text for entry in found for text in (entry.pair.reference, entry.pair.prediction)}:
        assert evaluated(text, text).score.open.f1 == 1.0, text


def test_swapping_the_reports_swaps_precision_and_recall() -> None:
    for entry in read_pairs(DEMO_PAIRS.read_bytes(), "pairs.csv"):
        forward = evaluated(entry.pair.reference, entry.pair.prediction).score.open
        back = evaluated(entry.pair.prediction, entry.pair.reference).score.open
        assert (forward.precision, forward.recall) == pytest.approx((back.recall, back.precision))
