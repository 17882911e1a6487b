"""Score tables for groups of cases or figures: what differs by modality, specialty, date or disclosure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from core.domain.article import CaseReport
from core.domain.case import CaseRepresentation, LeakAction, Verdict
from core.domain.dialogue import Stage
from core.errors import AppError
from core.llm import read_registry, registry_path
from core.scoring.scores import DialogueScores
from core.scoring.table import ScoreTable, score_table, tables_by_case_group, tables_by_modality
from core.services.workspace import Workspace
from core.storage.case_facts import newest_articles, newest_cases

DRAWS = 1000
NOT_STATED = "not stated"
NO_FLAG = "no flag"
NAMED, NOT_NAMED = "synthesis turn names the diagnosis", "synthesis turn does not name it"
BEFORE, AFTER = "published up to the training cut-off", "published after the training cut-off"
NO_CUTOFF = "training cut-off or date of publication not known"


class By(StrEnum):
    """What a table can be broken down by."""

    MODALITY = "modality of the figure"
    FLAG = "flag of the figure"
    SPECIALTY = "specialty"
    CUTOFF = "publication and training cut-off"
    SYNTHESIS = "diagnosis named in the synthesis turn"


@dataclass(frozen=True)
class CaseFacts:
    """What a case is grouped by.

    Attributes:
        subjects: specialties as the article states them; empty when it states none.
        published_on: `2019`, `2019-05` or `2019-05-14`; empty when not known.
        is_named: the synthesis turn states the final diagnosis, by a recorded decision or before any.
        modalities: figure id -> modality.
        flags: figure id -> flags; figures without one are left out.
    """

    subjects: tuple[str, ...]
    published_on: str
    is_named: bool
    modalities: Mapping[str, str]
    flags: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Breakdown:
    """One score table per group.

    Attributes:
        by: what the groups are.
        tables: group -> table, by name of the group.
        is_images_only: True when the groups hold image turns alone.
        note: how the groups were made, one sentence.
    """

    by: By
    tables: Mapping[str, ScoreTable]
    is_images_only: bool
    note: str


NOTES = {
    By.MODALITY: "Image turns alone, by the modality of their figure in the newest case version.",
    By.FLAG: "Image turns alone, by the flags of their figure; a figure with two flags stands in the first.",
    By.SPECIALTY: "By the first subject that the article states.",
    By.CUTOFF: (
        "A case is taken as published after a model's training cut-off (from the model registry) when the whole of "
        "its stated date lies after it; each setting has its own cut-off."
    ),
    By.SYNTHESIS: (
        "Named: a text that the synthesis turn discloses states the diagnosis, kept by a recorded decision or not yet "
        "decided."
    ),
}


def case_facts(workspace: Workspace) -> dict[str, CaseFacts]:
    """Give case id -> facts, from the newest version of every case and article."""
    with workspace.store.read() as session:
        reports = {report.id: report for report in newest_articles(session)}
        return {case.case_id: _facts(case, reports.get(case.case_id)) for case in newest_cases(session)}


def _facts(case: CaseRepresentation, report: CaseReport | None) -> CaseFacts:
    kept = (LeakAction.NONE, LeakAction.WAIVED, LeakAction.MOVED)
    return CaseFacts(
        subjects=report.subjects if report else (),
        published_on=report.published_on if report else "",
        is_named=any(
            hit.stage == Stage.SYNTHESIS and hit.verdict is Verdict.BLOCKS and hit.action in kept for hit in case.leaks
        ),
        modalities={figure.figure_id: figure.modality.value for figure in case.figures},
        flags={f.figure_id: tuple(flag.value for flag in f.flags) for f in case.figures if f.flags},
    )


def cutoffs(workspace: Workspace) -> dict[str, date]:
    """Give setting -> training cut-off of its model, where the registry knows one; empty when it cannot be read."""
    try:
        registry = read_registry(registry_path(workspace.settings))
    except AppError:
        return {}
    return {entry.name: entry.trained_until for entry in registry.models if entry.trained_until is not None}


def with_modalities(scores: Iterable[DialogueScores], facts: Mapping[str, CaseFacts]) -> tuple[DialogueScores, ...]:
    """Give the same numbers with the modality of every image turn filled in where it is known."""
    found = []
    for one in scores:
        known = facts[one.case_id].modalities if one.case_id in facts else {}
        units = tuple(replace(u, modality=known.get(u.figure_id, "")) if u.figure_id else u for u in one.units)
        found.append(replace(one, units=units))
    return tuple(found)


def broken_down(
    scores: Sequence[DialogueScores], by: By, facts: Mapping[str, CaseFacts], cutoffs: Mapping[str, date]
) -> Breakdown:
    """Give one score table per group.

    Args:
        scores: of any settings, image turns with their modality.
        by: what to group by.
        facts: case id -> facts; a case without is `not stated`.
        cutoffs: setting -> training cut-off.
    """
    if by is By.MODALITY:
        tables = tables_by_modality(scores, DRAWS)
    elif by is By.FLAG:
        tables = _by_flag(scores, facts)
    elif by is By.CUTOFF:
        tables = _by_cutoff(scores, facts, cutoffs)
    else:
        groups = {}
        for case_id, known in facts.items():
            if by is By.SPECIALTY:
                groups[case_id] = known.subjects[0] if known.subjects else NOT_STATED
            else:
                groups[case_id] = NAMED if known.is_named else NOT_NAMED
        tables = tables_by_case_group(scores, groups, DRAWS)
    return Breakdown(by, tables, by in (By.MODALITY, By.FLAG), NOTES[by])


def _by_flag(scores: Sequence[DialogueScores], facts: Mapping[str, CaseFacts]) -> dict[str, ScoreTable]:
    groups: dict[str, list[DialogueScores]] = {}
    for one in scores:
        flags = facts[one.case_id].flags if one.case_id in facts else {}
        units: dict[str, list] = {}
        for unit in one.units:
            if unit.figure_id:
                units.setdefault(flags.get(unit.figure_id, (NO_FLAG,))[0], []).append(unit)
        for flag, mine in units.items():
            only = DialogueScores(one.dialogue_id, one.case_id, one.setting, one.repeat, tuple(mine))
            groups.setdefault(flag, []).append(only)
    return {name: score_table(groups[name], DRAWS) for name in sorted(groups)}


def _by_cutoff(
    scores: Sequence[DialogueScores], facts: Mapping[str, CaseFacts], cutoffs: Mapping[str, date]
) -> dict[str, ScoreTable]:
    groups: dict[str, list[DialogueScores]] = {}
    for one in scores:
        published = facts[one.case_id].published_on if one.case_id in facts else ""
        groups.setdefault(_side_of(published, cutoffs.get(one.setting)), []).append(one)
    return {name: score_table(groups[name], DRAWS) for name in (BEFORE, AFTER, NO_CUTOFF) if name in groups}


def _side_of(published_on: str, cutoff: date | None) -> str:
    if not published_on or cutoff is None:
        return NO_CUTOFF
    # `2024` may be any day of 2024: only what lies after the cut-off as a whole counts as after it.
    return AFTER if published_on > cutoff.isoformat()[: len(published_on)] else BEFORE
