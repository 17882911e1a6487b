from dataclasses import dataclass
from datetime import UTC, datetime

from core.domain.instrument import Dimension
from core.domain.items import Level, Side, Target, TargetResult
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import Unscored
from core.scoring.assign import resolve
from core.scoring.changes import changed_pairs, changed_scores
from core.scoring.evaluate import Evaluation
from core.scoring.panel import first_valid, panel_scores
from tests.scoring.builders import MADE_BY, numbered, proposals


def judgement(judge, value, repeat=0, mode="summary") -> Judgement:
    score = Unscored(reason="invalid") if value is None else JudgedScore(score=value, justification="words")
    return Judgement(
        id=f"{judge}-{repeat}-{mode}",
        evaluation_id="e",
        dialogue_id="d",
        judge=judge,
        mode=mode,
        instrument_version="1",
        repeat=repeat,
        scores=dict.fromkeys(Dimension, score),
        made_by=MADE_BY,
    )


def test_a_judge_counts_once_however_often_it_was_asked():
    found = panel_scores([judgement("a", 5, 0), judgement("a", 4, 1), judgement("a", 3, 2), judgement("b", 2)])
    utility = found[Dimension.UTILITY]
    assert utility.by_judge == {"a": 4, "b": 2} and utility.mean == 3
    assert (utility.lowest, utility.highest, utility.scored, utility.submitted) == (2, 5, 4, 4)


def test_an_unscored_judgement_lowers_the_number_and_no_mean():
    found = panel_scores([judgement("a", None), judgement("b", 4)])[Dimension.UTILITY]
    assert (found.mean, found.scored, found.submitted) == (4, 1, 2)
    nothing = panel_scores([judgement("a", None)])[Dimension.UTILITY]
    assert nothing.mean is None and nothing.lowest is None
    assert panel_scores([])[Dimension.UTILITY].submitted == 0


def test_the_two_modes_of_a_judge_are_two_voices():
    found = panel_scores([judgement("a", 5), judgement("a", 1, mode="evidence")])[Dimension.OVERALL]
    assert found.by_judge == {"a": 5, "a (evidence)": 1}


@dataclass(frozen=True)
class Given:
    score: int | None
    repeat: int = 0
    mode: str = "summary"
    made_at: datetime = datetime(2026, 1, 1, tzinfo=UTC)


def test_agreement_takes_the_first_valid_repeat():
    repeats = [Given(2, 2), Given(None, 0), Given(4, 1)]
    assert first_valid(repeats) == Given(4, 1)
    assert first_valid(repeats[1:2]).score is None
    assert first_valid([]) is None


def test_the_summary_mode_comes_before_the_evidence_mode_for_agreement():
    assert first_valid([Given(1, 0, "evidence"), Given(5, 3)]) == Given(5, 3)
    assert first_valid([Given(1, 0, "evidence"), Given(None, 0)]).score == 1


def evaluation(text: str, n_outputs=2, unscored=None) -> Evaluation:
    sides = numbered(2, Side.REFERENCE), numbered(n_outputs, Side.OUTPUT)
    result = TargetResult(
        target=Target.FINAL_DIAGNOSIS,
        reference_items=sides[0],
        output_items=sides[1],
        matching=resolve(proposals(text), *sides),
        unscored=unscored,
    )
    return Evaluation(id="e", dialogue_id="d", reference_set_id="r", results=(result,), made_by=MADE_BY)


def test_changed_levels_new_pairs_and_lost_pairs_are_named():
    found = changed_pairs(evaluation("S(R1,G1) X(R2,G2)"), evaluation("L(R1,G1) L(R2,G2)"))
    assert [(c.first, c.second) for c in found] == [
        (Level.STRICT, Level.LENIENT),
        (Level.CONTRADICTION, Level.LENIENT),
    ]
    lost = changed_pairs(evaluation("S(R1,G1) S(R2,G2)"), evaluation("S(R1,G1)", n_outputs=1))
    assert [(c.output, c.second) for c in lost] == [("statement 1", None)]
    assert changed_pairs(evaluation("S(R1,G1)"), evaluation("S(R1,G1)")) == []


def test_an_unscored_target_is_no_change_of_pairs():
    assert changed_pairs(evaluation("S(R1,G1)"), evaluation("", unscored=Unscored(reason="timeout"))) == []


def test_unscored_differs_from_every_score():
    found = changed_scores(judgement("a", 3), judgement("b", None))
    assert len(found) == len(Dimension) and (found[0].first, found[0].second) == (3, None)
    assert changed_scores(judgement("a", 3), judgement("b", 3)) == []
