"""Extraction by a model: one structured call per field group, every quote looked up in the article by code.

A quote that is not in the article is kept aside as unsupported; nothing the model adds to its quotes is used.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from pydantic import Field

from core.domain.article import CASE_ROLES, CaseReport, Figure, PartKind, SectionRole
from core.domain.case import (
    CaseRepresentation,
    Element,
    FigureEvidence,
    FigureFlag,
    LeakPolicy,
    Modality,
    UnsupportedValue,
    Value,
)
from core.domain.model_call import ChatModel, FailedCall, ModelRequest, R, Role
from core.domain.record import MadeBy, Record
from core.extraction.case_text import CaseText, level
from core.extraction.eligibility import decide_eligibility
from core.extraction.figures import gather_figure_texts, read_figure
from core.extraction.leaks import audit_leaks
from core.extraction.modality import name_modality
from core.extraction.rules_engine import ABBREVIATION_PARTS, ValueMaker
from core.extraction.sort import sort_narrative
from core.extraction.spans import find_quote
from core.language.abbreviations import find_abbreviations
from core.prompting import Prompt, load_prompt

MAX_OUTPUT_TOKENS = 8192


class ExtractedElements(Record):
    """The clinical case elements as a model quotes them; empty lists where the article says nothing."""

    patient_information: tuple[str, ...] = ()
    primary_concern: tuple[str, ...] = ()
    present_illness: tuple[str, ...] = ()
    medical_history: tuple[str, ...] = ()
    family_history: tuple[str, ...] = ()
    psychosocial_history: tuple[str, ...] = ()
    physical_examination: tuple[str, ...] = ()
    routine_labs: tuple[str, ...] = ()
    key_findings: tuple[str, ...] = ()
    diagnostic_methods: tuple[str, ...] = ()
    timeline: tuple[str, ...] = ()
    interventions: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()


class ExtractedFigure(Record):
    """What a model quotes about one figure."""

    figure_id: str = Field(description="the id given, for example `fig1`")
    modality_text: str = Field(default="", description="the words that name its modality; empty when none do")
    findings: tuple[str, ...] = ()
    significance: tuple[str, ...] = ()


class ExtractedFigures(Record):
    """All figures, each once."""

    figures: tuple[ExtractedFigure, ...] = ()


class ExtractedReferences(Record):
    """The reference diagnosis and reasoning as a model quotes them."""

    final_diagnosis: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()


def extract_with_model(
    article: CaseReport,
    model: ChatModel,
    *,
    article_version: int,
    code_version: str,
    at: datetime,
    version: int = 1,
    leak_policy: LeakPolicy = LeakPolicy.HOLD,
) -> CaseRepresentation | FailedCall:
    """Give the case representation of an article as a model quotes it, audited for leaks; or the call that failed.

    Three calls: elements, figures (none when the article has no figure), references. When one fails after all
    permitted tries the whole extraction fails: a case with a missing group would look like an article that says
    nothing. Flags of figures and abbreviations are read by rules.

    Args:
        article: the case report as stored.
        model: the extractor of the model registry.
        article_version: the stored version of the article.
        code_version: version of this program, for the record.
        at: when, with its zone.
        version: number of the case version to make.
        leak_policy: what the audit does with what it finds.
    """
    text = CaseText(article)
    prompts = {name: load_prompt(f"extractor-{name}") for name in ("elements", "figures", "references")}
    narrative = {statement.part for statement in text.narrative}
    case_parts = [part.id for part in article.parts if part.id in narrative or _is_case_table(article, part.id)]
    body = [part.id for part in article.parts if part.kind in _BODY and part.role is not SectionRole.DECLARATION]

    settings: dict[str, str | int | float | bool | None] = {}
    elements = _ask(
        model,
        article.id,
        prompts["elements"],
        ExtractedElements,
        {"article": _parts_text(article, case_parts)},
        settings,
    )
    if isinstance(elements, FailedCall):
        return elements
    figures: ExtractedFigures | FailedCall = ExtractedFigures()
    if article.figures:
        ids = [figure.id for figure in article.figures]
        shown = "\n\n".join(_figure_text(article, figure) for figure in article.figures)
        check = _figures_check(ids)
        figures = _ask(model, article.id, prompts["figures"], ExtractedFigures, {"figures": shown}, settings, check)
    if isinstance(figures, FailedCall):
        return figures
    references = _ask(
        model, article.id, prompts["references"], ExtractedReferences, {"article": _parts_text(article, body)}, settings
    )
    if isinstance(references, FailedCall):
        return references

    unsupported: list[UnsupportedValue] = []
    values = {
        element: found
        for element in Element
        if (found := _values(article, element.value, getattr(elements, element.value), case_parts, unsupported))
    }
    evidence = _figure_evidence(article, text, figures, unsupported)
    diagnosis = _values(article, "final_diagnosis", references.final_diagnosis, None, unsupported)
    reasoning = _values(article, "reasoning", references.reasoning, body, unsupported)
    case = CaseRepresentation(
        case_id=article.id,
        version=version,
        article_version=article_version,
        elements=values,
        figures=evidence,
        final_diagnosis=diagnosis,
        reasoning=reasoning,
        abbreviations=find_abbreviations(
            "\n".join(part.text for part in article.parts if part.kind in ABBREVIATION_PARTS)
        ),
        unsupported=tuple(unsupported),
        eligibility=decide_eligibility(article, values, evidence, diagnosis, reasoning, text),
        leak_policy=leak_policy,
        made_by=MadeBy(
            engine=model.engine,
            model=model.name,
            prompts=tuple(prompt.ref for prompt in prompts.values()),
            settings=settings,
            code_version=code_version,
            at=at,
        ),
    )
    return audit_leaks(article, case, leak_policy)


_BODY = frozenset({PartKind.SECTION, PartKind.TABLE, PartKind.ABSTRACT, PartKind.TITLE})


def _is_case_table(article: CaseReport, part_id: str) -> bool:
    part = article.part(part_id)
    return part.kind is PartKind.TABLE and part.role in CASE_ROLES


def _ask(
    model: ChatModel,
    article_id: str,
    prompt: Prompt,
    record: type[R],
    data: dict[str, str],
    settings: dict[str, str | int | float | bool | None],
    check: Callable[[R], list[str]] | None = None,
) -> R | FailedCall:
    request = ModelRequest(
        role=Role.EXTRACTOR,
        subject=f"{article_id}/{prompt.name}",
        messages=prompt.messages(**data),
        prompts=(prompt.ref,),
        max_output_tokens=MAX_OUTPUT_TOKENS,
    )
    reply = model.answer(request, record, check)
    if isinstance(reply, FailedCall):
        return reply
    settings |= reply.facts.settings
    return reply.answer


def _parts_text(article: CaseReport, part_ids: Iterable[str]) -> str:
    parts = [article.part(part_id) for part_id in part_ids]
    return "\n\n".join(f"[{' / '.join(part.path) or part.kind}]\n{part.text}" for part in parts)


def _figure_text(article: CaseReport, figure: Figure) -> str:
    citing = "\n".join(article.text_at(span) for span in figure.citations)
    return (
        f"id: {figure.id}\nlabel: {figure.label or 'none'}\ncaption: {article.caption(figure) or 'none'}\n"
        f"citing sentences:\n{citing or 'none'}"
    )


def _figures_check(ids: Sequence[str]) -> Callable[[ExtractedFigures], list[str]]:
    def check(answer: ExtractedFigures) -> list[str]:
        given = [figure.figure_id for figure in answer.figures]
        problems = [f"There is no figure `{one}`." for one in given if one not in ids]
        problems += [f"Figure `{one}` is missing." for one in ids if one not in given]
        problems += [f"Figure `{one}` stands twice." for one in dict.fromkeys(given) if given.count(one) > 1]
        return problems

    return check


def _values(
    article: CaseReport,
    field: str,
    quotes: Iterable[str],
    parts: Sequence[str] | None,
    unsupported: list[UnsupportedValue],
) -> tuple[Value, ...]:
    """Give the quotes found in the article as values with the source's own words; the others go to `unsupported`."""
    found: dict[tuple[str, int, int], Value] = {}
    for quote in quotes:
        if not quote.strip():
            continue
        span = find_quote(article, quote, parts)
        if span is None:
            unsupported.append(UnsupportedValue(field=field, text=quote))
            continue
        key = (span.part, span.start, span.end)
        if key not in found:
            found[key] = Value(id=f"{field}-{len(found) + 1}", text=article.text_at(span), spans=(span,))
    return tuple(found.values())


def _figure_evidence(
    article: CaseReport, text: CaseText, answer: ExtractedFigures, unsupported: list[UnsupportedValue]
) -> tuple[FigureEvidence, ...]:
    by_id = {one.figure_id: one for one in answer.figures}
    texts, _ = gather_figure_texts(text, sort_narrative(text.narrative))
    by_rules = {one.figure.id: read_figure(one, text.discussion, ValueMaker()) for one in texts}
    evidence = []
    for figure in article.figures:
        said = by_id.get(figure.id, ExtractedFigure(figure_id=figure.id))
        parts = [figure.caption_part] if figure.caption_part else []
        parts += [part.id for part in article.parts if part.kind is PartKind.SECTION]
        named = [said.modality_text] if said.modality_text else []
        modality_text = _values(article, f"{figure.id}-modality", named, parts, unsupported)
        words = name_modality(level(modality_text[0].text)) if modality_text else None
        modality = words.modality if words else by_rules[figure.id].modality
        flags = [flag for flag in by_rules[figure.id].flags if flag is not FigureFlag.CHART]
        if modality is Modality.CHART_OR_DRAWING:
            flags.append(FigureFlag.CHART)
        evidence.append(
            FigureEvidence(
                figure_id=figure.id,
                label=figure.label,
                modality=modality,
                modality_text=modality_text[0] if modality_text else by_rules[figure.id].modality_text,
                findings=_values(article, f"{figure.id}-finding", said.findings, parts, unsupported),
                significance=_values(article, f"{figure.id}-significance", said.significance, parts, unsupported),
                flags=tuple(flags),
            )
        )
    return tuple(evidence)
