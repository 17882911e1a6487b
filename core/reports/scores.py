"""Scores of one report pair from its facts and answers (AtomiMed section 2.2; evaluation.md section 5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from core.domain.reports import (
    Answer,
    Direction,
    Expected,
    Fact,
    FactLevel,
    Flag,
    Given,
    GroupScore,
    PairScore,
    Preset,
    Reading,
    ReadingScore,
    ReportFacts,
    ReportSide,
    Tally,
    TraceRow,
    harmonic,
)
from core.language.guards import guarded_similarity, similarity

ALIGNMENT_SIMILARITY = 0.8
SIMILARITY: Mapping[Preset, Callable[[str, str], float]] = {
    Preset.OURS: guarded_similarity,
    Preset.AS_PUBLISHED: similarity,
}


def is_matched(fact: Fact, answer: Answer | None, reading: Reading) -> bool:
    """True when the other report answers a question as its own report does.

    `not_stated` meets an expected no in the closed reading only. No answer is no match; a pair with unanswered
    questions is not scored at all (`core.reports.evaluate`).
    """
    if answer is None:
        return False
    if answer.given is Given.NOT_STATED:
        return reading is Reading.CLOSED and fact.expected is Expected.NO
    return answer.given.value == fact.expected.value


def aligned_findings(
    own: Sequence[Fact],
    own_answers: Direction,
    other: Sequence[Fact],
    other_answers: Direction,
    preset: Preset = Preset.OURS,
) -> dict[str, str]:
    """Give the findings of one report that are aligned with a finding of the other: own finding id -> other's.

    A pair is aligned when both presence questions are expected yes and answered yes, and it is either named as a
    counterpart by the verifier in one of the two directions, or its entities are at least 0.8 alike with equal guard
    tokens (as published: without guards). Several findings may be aligned with one. Empty input gives an empty mapping.
    """
    ours, theirs = _confirmed(own, own_answers), _confirmed(other, other_answers)
    by_finding = {fact.finding_id: fact for fact, _ in theirs}
    aligned = {}
    for fact, answer in ours:
        named = [answer.counterpart_id] if answer.counterpart_id in by_finding else []
        named += [their.finding_id for their, reply in theirs if reply.counterpart_id == fact.finding_id]
        if not named:
            alike = [(SIMILARITY[preset](fact.entity, their.entity), their.finding_id) for their, _ in theirs]
            named = [finding for ratio, finding in sorted(alike, reverse=True) if ratio >= ALIGNMENT_SIMILARITY]
        if named:
            aligned[fact.finding_id] = named[0]
    return aligned


def score_pair(
    reference: ReportFacts,
    prediction: ReportFacts,
    from_reference: Direction,
    from_prediction: Direction,
    preset: Preset = Preset.OURS,
) -> PairScore:
    """Give the score of a pair in both readings.

    Args:
        reference: facts of the reference report.
        prediction: facts of the evaluated report.
        from_reference: the prediction's questions answered from the reference.
        from_prediction: the reference's questions answered from the prediction.
        preset: how findings without a named counterpart are aligned.
    """
    presence = [f for f in (*reference.facts, *prediction.facts) if f.level is FactLevel.DISEASE]
    rows = trace(reference, prediction, from_reference, from_prediction, preset)
    is_aligned = bool(aligned_findings(prediction.facts, from_reference, reference.facts, from_prediction, preset))
    scores = {reading: _reading_score(rows, reading, is_aligned) for reading in Reading}
    return PairScore(
        open=scores[Reading.OPEN],
        closed=scores[Reading.CLOSED],
        negatives=sum(f.expected is Expected.NO for f in presence),
        n_disease=len(presence),
    )


def combine(disease: Tally, attribute: Tally, attribute_sides: frozenset[ReportSide]) -> tuple[float | None, ...]:
    """Give precision, recall and F1 over both levels.

    P = (P_disease + P_attribute) / 2 and R likewise; a side without attribute questions of aligned findings has its
    disease value alone. F1 = 2PR / (P + R). An undefined precision or recall stays None and F1 is 0.
    """
    precision, recall = disease.precision, disease.recall
    if ReportSide.PREDICTION in attribute_sides and precision is not None and attribute.precision is not None:
        precision = (precision + attribute.precision) / 2
    if ReportSide.REFERENCE in attribute_sides and recall is not None and attribute.recall is not None:
        recall = (recall + attribute.recall) / 2
    return precision, recall, harmonic(precision, recall)


def trace(
    reference: ReportFacts,
    prediction: ReportFacts,
    from_reference: Direction,
    from_prediction: Direction,
    preset: Preset = Preset.OURS,
) -> tuple[TraceRow, ...]:
    """Give every question of both reports with its answer and both sentences, the reference's first."""
    rows: list[TraceRow] = []
    for side, own, own_direction, other, other_direction in (
        (ReportSide.REFERENCE, reference, from_prediction, prediction, from_reference),
        (ReportSide.PREDICTION, prediction, from_reference, reference, from_prediction),
    ):
        aligned = aligned_findings(own.facts, own_direction, other.facts, other_direction, preset)
        presence = {fact.finding_id: fact for fact in other.facts if fact.level is FactLevel.DISEASE}
        replies = {answer.fact_id: answer for answer in own_direction.answers}
        sentences = tuple(dict.fromkeys([*(fact.sentence for fact in other.facts), *other.unread]))
        for fact in own.facts:
            answer = replies.get(fact.id)
            partner = presence.get((answer.counterpart_id if answer else None) or aligned.get(fact.finding_id) or "")
            rows.append(
                TraceRow(
                    side=side,
                    fact=fact,
                    answer=answer,
                    counterpart=partner,
                    other_sentence=_sentence_of(answer, partner, sentences),
                    is_matched_open=is_matched(fact, answer, Reading.OPEN),
                    is_matched_closed=is_matched(fact, answer, Reading.CLOSED),
                    is_counted=fact.level is FactLevel.DISEASE or fact.finding_id in aligned,
                )
            )
    return tuple(rows)


def _sentence_of(answer: Answer | None, partner: Fact | None, sentences: Sequence[str]) -> str:
    if answer is None or answer.given is Given.NOT_STATED:
        return ""
    holding = [sentence for sentence in sentences if answer.quote and answer.quote in sentence]
    if partner is not None and (not holding or partner.sentence in holding):
        return partner.sentence
    return holding[0] if holding else ""


def _confirmed(facts: Sequence[Fact], direction: Direction) -> list[tuple[Fact, Answer]]:
    replies = {answer.fact_id: answer for answer in direction.answers}
    return [
        (fact, replies[fact.id])
        for fact in facts
        if fact.level is FactLevel.DISEASE
        and fact.expected is Expected.YES
        and fact.id in replies
        and replies[fact.id].given is Given.YES
    ]


def _reading_score(rows: Sequence[TraceRow], reading: Reading, is_aligned: bool) -> ReadingScore:
    counted = [row for row in rows if row.is_counted]
    disease = _tally((row for row in counted if row.fact.level is FactLevel.DISEASE), reading)
    attributes = [row for row in counted if row.fact.level is FactLevel.ATTRIBUTE]
    attribute = _tally(attributes, reading)
    sides = frozenset(row.side for row in attributes)
    precision, recall, f1 = combine(disease, attribute, sides)
    return ReadingScore(
        disease=disease,
        attribute=attribute,
        precision=precision,
        recall=recall,
        f1=f1,
        facets=_groups(attributes, lambda row: row.fact.facet.value if row.fact.facet else "", reading),
        systems=_groups(
            (row for row in counted if row.fact.level is FactLevel.DISEASE), lambda row: row.fact.system.value, reading
        ),
        flags=_flags(disease, sides, is_aligned),
    )


def _flags(disease: Tally, sides: frozenset[ReportSide], is_aligned: bool) -> tuple[Flag, ...]:
    if disease.is_vacuous:
        return ("both_empty",)
    if not disease.n_prediction:
        return ("no_prediction_facts",)
    if not disease.n_reference:
        return ("no_reference_facts",)
    flags: list[Flag] = []
    if not is_aligned:
        flags.append("no_aligned_finding")
    if ReportSide.PREDICTION not in sides:
        flags.append("no_prediction_attributes")
    if ReportSide.REFERENCE not in sides:
        flags.append("no_reference_attributes")
    return tuple(flags)


def _tally(rows: Iterable[TraceRow], reading: Reading) -> Tally:
    matched, total = dict.fromkeys(ReportSide, 0), dict.fromkeys(ReportSide, 0)
    for row in rows:
        total[row.side] += 1
        matched[row.side] += row.is_matched_open if reading is Reading.OPEN else row.is_matched_closed
    return Tally(
        matched_prediction=matched[ReportSide.PREDICTION],
        n_prediction=total[ReportSide.PREDICTION],
        matched_reference=matched[ReportSide.REFERENCE],
        n_reference=total[ReportSide.REFERENCE],
    )


def _groups(rows: Iterable[TraceRow], name_of: Callable[[TraceRow], str], reading: Reading) -> tuple[GroupScore, ...]:
    grouped: dict[str, list[TraceRow]] = {}
    for row in rows:
        grouped.setdefault(name_of(row), []).append(row)
    return tuple(GroupScore(name=name, tally=_tally(group, reading)) for name, group in sorted(grouped.items()))
