"""Matching, scoring and agreement at size, and reference dialogues of annotated articles against their references."""

import json
import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from core.dialogue.reference import write_reference
from core.domain.article import Span
from core.domain.case import CaseRepresentation, Eligibility, FigureEvidence, Modality, Value
from core.domain.dialogue import DisclosurePlan, Stage, StagedTurn
from core.domain.instrument import Dimension
from core.domain.items import Counts, Item, Level, Proposal, Side, Target
from core.domain.record import MadeBy
from core.scoring.assign import resolve
from core.scoring.decompose import Draft, number_items
from core.scoring.decompose_rules import RulesDecomposer
from core.scoring.evaluate import build_reference_set, evaluate_dialogue
from core.scoring.match_rules import RulesMatcher
from core.scoring.scores import METRICS, DialogueScores, Measure, UnitScores, dialogue_scores
from core.scoring.table import score_table
from core.settings import PROJECT_ROOT
from core.stats.alpha import krippendorff_alpha
from core.stats.differences import differences
from core.stats.gwet import gwet_ac
from core.stats.kappa import weighted_kappa
from tests.benchmarks.line import bench_line

AT = datetime(2026, 11, 30, tzinfo=UTC)
MADE_BY = MadeBy(engine="import", model="reference annotations", code_version="bench", at=AT)
PUBLISHED_F1 = {"final_diagnosis": 0.99, "diagnostic_reasoning": 0.69, "image_findings": 0.67}


def _best_of(work: Callable[[], object], times: int = 3) -> float:
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def match_s() -> Iterator[str]:
    """Seconds to resolve 2,000 proposals between 200 reference and 200 output items."""
    draw = random.Random(0)
    references, outputs = (_numbered(200, side) for side in (Side.REFERENCE, Side.OUTPUT))
    levels = list(Level)
    proposals = [
        Proposal(
            reference_id=f"R{draw.randint(1, 200)}", output_id=f"G{draw.randint(1, 200)}", level=draw.choice(levels)
        )
        for _ in range(2000)
    ]
    seconds = _best_of(lambda: resolve(proposals, references, outputs))
    yield bench_line("match_s", seconds, "s", 0.2, items="200 x 200", proposals=2000)


def _numbered(n: int, side: Side) -> tuple[Item, ...]:
    drafts = [Draft(f"statement {at}", f"statement {at}") for at in range(n)]
    return number_items(drafts, side, Target.DIAGNOSTIC_REASONING)


def score_s() -> Iterator[str]:
    """Seconds for the score table of 2,000 dialogues with intervals: 400 cases x 5 settings, 1-6 image turns each."""
    draw = random.Random(0)

    def unit(target: Target, figure_id: str | None = None) -> UnitScores:
        counts = Counts(tp=draw.randint(0, 3), fp=draw.randint(0, 3), fn=draw.randint(0, 3))
        return UnitScores(target, figure_id, "CT" if figure_id else "", counts, counts)

    scores = [
        DialogueScores(
            dialogue_id=f"{setting}/{case}",
            case_id=f"case-{case}",
            setting=f"setting-{setting}",
            repeat=0,
            units=(
                unit(Target.FINAL_DIAGNOSIS),
                unit(Target.DIAGNOSTIC_REASONING),
                *(unit(Target.IMAGE_FINDINGS, f"fig{n}") for n in range(draw.randint(1, 6))),
            ),
            fvcu={dimension: float(draw.randint(1, 5)) for dimension in Dimension},
            has_judge=True,
        )
        for setting in range(5)
        for case in range(400)
    ]
    yield bench_line("score_s", _best_of(lambda: score_table(scores)), "s", 2.0, dialogues=len(scores), draws=2000)


def agreement_s() -> Iterator[str]:
    """Seconds for kappa, alpha, AC2 and bias with intervals: 5 dimensions x 10 models, 2,000 ratings in all."""
    draw = random.Random(0)
    blocks = [
        [[draw.randint(1, 5) for _ in range(3)] for _ in range(40)]  # 40 dialogues, a judge and two reviewers
        for _ in range(50)
    ]
    cases = [at // 2 for at in range(40)]

    def work() -> None:
        for block in blocks:
            judge, reviewer = [row[0] for row in block], [row[1] for row in block]
            weighted_kappa(judge, reviewer, cases=cases)
            differences(judge, reviewer, cases=cases)
            krippendorff_alpha(block, cases=cases)
            gwet_ac(block, cases=cases)

    yield bench_line("agreement_s", _best_of(work), "s", 1.0, ratings=2000, draws=2000)


def reference_f1() -> Iterator[str]:
    """F1 of the rules engine's reference dialogues, made from hand annotations, against their own references.

    It measures the construction: the dialogue says what the references say, joined to prose and split again. The
    published row was made by models that rewrite, so its reasoning and image items lose more.
    """
    gold = PROJECT_ROOT.parent / "shared" / "corpus" / "gold.json"
    if not gold.is_file():
        yield bench_line("reference_f1", None, "F1", 0.9, at_most=False, reason="no annotated articles on this machine")
        return
    cases = [_case(entry) for entry in json.loads(Path(gold).read_text(encoding="utf-8"))]
    scores, items = [], 0
    for case in cases:
        if case is None:
            continue
        references = build_reference_set(case, RulesDecomposer(), at=AT)
        dialogue = write_reference(case, _plan(case), at=AT)
        evaluation = evaluate_dialogue(dialogue, case, references, RulesDecomposer(), RulesMatcher(), at=AT)
        items += len(references.items)
        scores.append(dialogue_scores(dialogue, evaluation, case=case))
    table = score_table(scores)
    rows = {
        metric.key: table.row(metric.key, "reference")
        for metric in METRICS
        if metric.is_headline and metric.target is not None and metric.measure is not Measure.EXTRA_RATE
    }
    found = {key: {"value": round(row.value, 3), "n": row.n} for key, row in rows.items() if row.value is not None}
    lowest = min(entry["value"] for key, entry in found.items() if key.endswith(".f1"))
    yield bench_line(
        "reference_f1",
        lowest,
        "F1",
        0.9,
        at_most=False,
        cases=len(scores),
        items=items,
        **found,
        published=PUBLISHED_F1,
    )


def _values(kind: str, texts: list[str]) -> tuple[Value, ...]:
    span = Span(part="s1", start=0, end=1)
    return tuple(Value(id=f"{kind}-{at}", text=text, spans=(span,)) for at, text in enumerate(texts, start=1))


def _case(entry: dict) -> CaseRepresentation | None:
    if not entry["eligible"] or not entry["final_diagnosis"]:
        return None
    figures = tuple(
        FigureEvidence(
            figure_id=f"fig{number}",
            label=figure["label"],
            modality=Modality.OTHER,
            findings=_values(f"fig{number}-finding", figure["quotes"]),
            significance=_values(f"fig{number}-significance", figure["significance"]),
        )
        for number, figure in enumerate(entry["image_findings"], start=1)
    )
    return CaseRepresentation(
        case_id=entry["id"],
        version=1,
        article_version=1,
        elements={},
        figures=figures,
        final_diagnosis=_values("final_diagnosis", entry["final_diagnosis"]),
        reasoning=_values("reasoning", entry["reasoning"]),
        eligibility=Eligibility(state="eligible"),
        made_by=MADE_BY,
    )


def _plan(case: CaseRepresentation) -> DisclosurePlan:
    images = [
        StagedTurn(index=at, stage=Stage.IMAGE, figure_id=figure.figure_id, figure_label=figure.label, prompt="")
        for at, figure in enumerate(case.figures, start=1)
    ]
    last = StagedTurn(index=len(images) + 1, stage=Stage.SYNTHESIS, prompt="")
    return DisclosurePlan(
        case_id=case.case_id, case_version=case.version, system_prompt="", prompts=(), turns=(*images, last)
    )
