"""The rows of `--json` that scripts rely on (design.md section 6): import, extract, evaluate and pipeline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.dialogue import RULES_BASELINE
from core.domain.article import CaseReport, Figure, PartKind
from core.domain.case import CaseRepresentation, Element, Value
from core.domain.dialogue import DisclosurePlan
from core.domain.items import HEADLINE_LEVEL, Counts, Evaluation, Item, Level, Target, TargetResult
from core.domain.judgement import JudgedScore, Judgement
from core.export.bundle import as_csv
from core.export.tables import IMPORT_REPORT
from core.services.cases import article_of
from core.services.importing import ImportOutcome
from core.services.workspace import Workspace
from core.storage import dialogues, evaluations, judgements


def import_row(outcome: ImportOutcome) -> dict:
    """Give an outcome as the stable row of `import --json` (design.md section 6).

    A refused article has empty texts, zero counts and empty lists: nothing of it was kept.
    """
    report = outcome.report
    if report is None:
        figures, sections, set_aside = [], [], []
    else:
        figures = [_figure_row(report, figure) for figure in report.figures]
        sections = [
            {"part": part.id, "path": list(part.path), "role": part.role.value, "chars": len(part.text)}
            for part in report.parts
            if part.kind in (PartKind.SECTION, PartKind.TABLE)
        ]
        set_aside = [{"name": part.name, "chars": part.chars} for part in report.set_aside]
    return {
        "id": outcome.id,
        "source": outcome.source,
        "status": outcome.status,
        "reason": " ".join(filter(None, (outcome.reason, outcome.next_step))),
        "version": outcome.version,
        "title": report.title if report else "",
        "article_type": report.article_type if report else "",
        "licence": report.licence.code if report else "",
        "published_on": report.published_on if report else "",
        "body_chars": report.body_chars if report else 0,
        "kept_chars": report.kept_chars if report else 0,
        "set_aside": set_aside,
        "sections": sections,
        "figures": figures,
        "warnings": list(outcome.warnings),
    }


def report_csv(rows: Iterable[Mapping]) -> bytes:
    """Give rows of `import_row` as a CSV report with one line per article."""
    return as_csv(IMPORT_REPORT, map(_report_row, rows))


def _report_row(row: Mapping) -> dict:
    images = [name for figure in row["figures"] for name in figure["images"]]
    names = ("id", "source", "status", "reason", "title", "article_type", "licence", "published_on")
    return {name: row[name] for name in names} | {
        "body_chars": row["body_chars"],
        "kept_chars": row["kept_chars"],
        "n_figures": len(row["figures"]),
        "n_images": sum(name is not None for name in images),
        "n_images_missing": sum(name is None for name in images),
        "n_captions": sum(figure["has_caption"] for figure in row["figures"]),
        "warnings": tuple(row["warnings"]),
    }


def _figure_row(report: CaseReport, figure: Figure) -> dict:
    caption = report.caption(figure)
    names = [graphic.file_name for graphic in figure.graphics if graphic.image]
    return {
        "label": figure.label,
        "hrefs": [graphic.href for graphic in figure.graphics],
        "image": names[0] if names else None,
        "images": [graphic.file_name if graphic.image else None for graphic in figure.graphics],
        "problems": [graphic.problem for graphic in figure.graphics if graphic.problem],
        "has_caption": figure.caption_part is not None,
        "caption": caption,
        "panels": [panel.letter for panel in figure.panels],
        "first_cited_in": figure.first_cited_in,
        "citation_rank": figure.citation_rank,
    }


def extract_row(workspace: Workspace, case: CaseRepresentation, with_parts: bool = False) -> dict:
    """Give a case as the stable row of `extract --json` (design.md section 6).

    Every value stands at `text[start:end]` of the part it names, in characters. With parts, the row also holds these
    texts, so that a script can resolve the spans without the store.
    """
    article = article_of(workspace, case)

    def value_rows(values: tuple[Value, ...]) -> list[dict]:
        return [_value_row(value) for value in values]

    return {
        "id": case.case_id,
        "source": article.source,
        "version": case.version,
        "eligible": case.eligibility.is_eligible,
        "eligibility": case.eligibility.state,
        "reasons": list(case.eligibility.reasons),
        "warnings": list(case.eligibility.warnings),
        "elements": {element.value: value_rows(case.values(element)) for element in Element},
        "figures": [
            {
                "id": figure.figure_id,
                "label": figure.label,
                "modality": figure.modality.value,
                "modality_text": _value_row(figure.modality_text) if figure.modality_text else None,
                "findings": value_rows(figure.findings),
                "significance": value_rows(figure.significance),
                "flags": [flag.value for flag in figure.flags],
            }
            for figure in case.figures
        ],
        "final_diagnosis": value_rows(case.final_diagnosis),
        "reasoning": value_rows(case.reasoning),
        "unsupported": [{"field": one.field, "text": one.text} for one in case.unsupported],
        "leaks": [
            {
                "turn": hit.turn,
                "stage": hit.stage,
                "term": hit.term,
                "text": hit.text,
                "value": hit.value_id,
                "verdict": hit.verdict.value,
                "action": hit.action.value,
                "decided_by": hit.decided_by,
            }
            for hit in case.leaks
        ],
        "held_reason": case.held_reason,
        "released": case.is_released,
    } | ({"parts": _part_rows(article)} if with_parts else {})


def _part_rows(article: CaseReport) -> list[dict]:
    return [
        {"id": part.id, "kind": part.kind.value, "role": part.role.value, "path": list(part.path), "text": part.text}
        for part in article.parts
    ]


def _value_row(value: Value) -> dict:
    first = value.spans[0]
    return {
        "id": value.id,
        "text": value.text,
        "part": first.part,
        "start": first.start,
        "end": first.end,
        "found": first.found,
        "spans": [span.model_dump() for span in value.spans],
    }


def plan_rows(plan: DisclosurePlan) -> list[dict]:
    """Give the turns of a plan as the stable rows of `dialogue --preview --json`: exactly what a model receives."""
    rows, n_images = [], 0
    for turn in plan.turns:
        images = [
            {"name": f"image-{n_images + number}.png", "sha256": image.original.sha256}
            for number, image in enumerate(turn.images, start=1)
        ]
        n_images += len(images)
        rows.append(
            {
                "case": plan.case_id,
                "case_version": plan.case_version,
                "turn": turn.index,
                "stage": turn.stage.value,
                "figure": turn.figure_id,
                "prompt": turn.prompt,
                "system_prompt": plan.system_prompt,
                "disclosed": [{"field": v.field, "value": v.value_id, "text": v.text} for v in turn.disclosed],
                "images": images,
            }
        )
    return rows


def result_row(workspace: Workspace, evaluation_id: str, judgement_id: str | None = None) -> dict:
    """Give one evaluated dialogue as the stable row of `evaluate --json` and `pipeline --json` (design.md section 6).

    For image findings the counts are sums over the evaluable image turns, precision, recall and F1 follow from these
    sums at the headline level, and `figures` holds each turn by itself.
    """
    with workspace.store.read() as session:
        evaluation = evaluations.get_evaluation(session, evaluation_id)
        dialogue = dialogues.get_dialogue(session, evaluation.dialogue_id)
        judgement = judgements.get_judgement(session, judgement_id) if judgement_id else None
    results: dict[Target, list[TargetResult]] = defaultdict(list)
    for result in evaluation.results:
        results[result.target].append(result)
    return {
        "case": dialogue.case_id,
        "case_version": dialogue.case_version,
        "dialogue": dialogue.id,
        "kind": dialogue.kind.value,
        "setting": dialogue.setting,
        "evaluation": evaluation.id,
        "judge": judgement.judge if judgement else None,
        "targets": {target.value: _target_row(target, results[target]) for target in Target},
        "fvcu": _fvcu_row(judgement),
        "coverage": _coverage_row(dialogue.turns, evaluation, judgement),
        "is_demonstration": dialogue.is_demonstration,
        "is_rules_baseline": dialogue.made_by.model == RULES_BASELINE,
    }


def _target_row(target: Target, results: list[TargetResult]) -> dict:
    scored = [result for result in results if result.unscored is None]
    unscored = [result.unscored for result in results if result.unscored is not None]
    row: dict = {}
    totals: dict[Level, Counts] = {}
    for level in (Level.STRICT, Level.LENIENT):
        counts = [count for result in scored if (count := result.counts(level)) is not None]
        totals[level] = Counts(tp=sum(c.tp for c in counts), fp=sum(c.fp for c in counts), fn=sum(c.fn for c in counts))
        for name in ("tp", "fp", "fn"):
            row[f"{name}_{level.value}"] = getattr(totals[level], name) if scored else None
    headline = totals[HEADLINE_LEVEL[target]]
    row |= {
        "level": HEADLINE_LEVEL[target].value,
        "precision": headline.precision if scored else None,
        "recall": headline.recall if scored else None,
        "f1": headline.f1 if scored else None,
        "vacuous": headline.is_vacuous if scored else None,
        "items": [
            _item_row(result, item) for result in results for item in (*result.reference_items, *result.output_items)
        ],
        "matches": [match for result in scored for match in _match_rows(result)],
    }
    if unscored:
        row["unscored"] = sorted({one.reason for one in unscored})
    if target is Target.IMAGE_FINDINGS:
        row["n_turns"], row["n_turns_scored"] = len(results), len(scored)
        row["figures"] = [_turn_row(result) for result in results]
    return row


def _turn_row(result: TargetResult) -> dict:
    counts = result.counts(HEADLINE_LEVEL[Target.IMAGE_FINDINGS])
    if counts is None:
        return {"figure": result.figure_id, "unscored": result.unscored.reason if result.unscored else ""}
    return {"figure": result.figure_id, "precision": counts.precision, "recall": counts.recall, "f1": counts.f1}


def _item_row(result: TargetResult, item: Item) -> dict:
    return {
        "id": item.id,
        "side": item.side.value,
        "text": item.text,
        "figure": result.figure_id,
        "is_annotation": item.is_annotation,
    }


def _match_rows(result: TargetResult) -> list[dict]:
    return [
        {
            "reference": match.reference_id,
            "output": match.output_id,
            "level": match.level.value,
            "figure": result.figure_id,
            "reason": match.reason,
        }
        for match in (*result.matching.matches, *result.matching.contradictions)
    ]


def _fvcu_row(judgement: Judgement | None) -> dict:
    if judgement is None:
        return {}
    return {
        dimension.value: {"score": value.score, "justification": value.justification}
        if isinstance(value, JudgedScore)
        else {"unscored": value.reason, "detail": value.detail}
        for dimension, value in judgement.scores.items()
    }


def _coverage_row(turns: tuple, evaluation: Evaluation, judgement: Judgement | None) -> dict:
    scores_given = judgement.scores.values() if judgement else ()
    return {
        "turns": len(turns),
        "answered": sum(turn.response is not None for turn in turns),
        "targets": len(evaluation.results),
        "targets_scored": sum(result.unscored is None for result in evaluation.results),
        "dimensions": len(scores_given),
        "dimensions_scored": sum(isinstance(value, JudgedScore) for value in scores_given),
    }
