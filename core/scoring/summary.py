"""What the FVCU judge is shown: the item-level summary of a dialogue, or the dialogue beside the references."""

import re
from collections.abc import Iterable

from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue, Turn
from core.domain.items import Evaluation, Item, Level, Target, TargetResult

_TARGET_NAMES = {
    Target.FINAL_DIAGNOSIS: "Final diagnosis",
    Target.DIAGNOSTIC_REASONING: "Diagnostic reasoning",
    Target.IMAGE_FINDINGS: "Image findings",
}


def summarise_items(case: CaseRepresentation, dialogue: Dialogue, evaluation: Evaluation) -> str:
    """Give the structured item-level summary that the judge reads in summary mode.

    It holds the reported diagnosis and evidence, the full synthesis text, the diagnosis items under judgement, and for
    each target the matched, missing, extra and contradictory items. It names no model: the dialogue's setting and the
    models of its calls are masked wherever an answer names them. The same input gives the same text.

    Args:
        case: the case version; its reported diagnosis, reasoning and figure findings are the reference.
        dialogue: the dialogue under judgement; a synthesis without an answer is said so.
        evaluation: its atomic evaluation; an unscored target is said so with its reason.
    """
    synthesis = dialogue.synthesis
    answer = synthesis.response if synthesis is not None and synthesis.response else "(no answer)"
    diagnosis = evaluation.result(Target.FINAL_DIAGNOSIS)
    sections = [
        _section("Reported diagnosis", (value.text for value in case.final_diagnosis)),
        _section("Reported evidence and reasoning", (value.text for value in case.reasoning)),
        *(
            _section(f"Reported findings of {figure.label or figure.figure_id}", (v.text for v in figure.findings))
            for figure in case.figures
            if figure.findings and not figure.is_excluded
        ),
        f"## Answer under judgement: full text of the synthesis\n{_quote(answer)}",
        _section("Answer under judgement: final diagnosis", _texts(diagnosis.output_items if diagnosis else ())),
        *(alignment_text(result, case) for result in evaluation.results),
    ]
    return _mask("\n\n".join(sections), _names(dialogue))


def alignment_text(result: TargetResult, case: CaseRepresentation | None = None) -> str:
    """Give the alignment of one target (and figure) as lines: matched, missing, extra, contradictory."""
    name = _TARGET_NAMES[result.target]
    if result.figure_id:
        label = next((f.label for f in case.figures if f.figure_id == result.figure_id), "") if case else ""
        name = f"{name} of {label or result.figure_id}"
    if result.unscored is not None:
        return f"## {name}: not compared ({result.unscored.reason})"
    references = {item.id: item for item in result.reference_items}
    outputs = {item.id: item for item in result.output_items}
    contradicted = result.matching.contradictions
    used_references = {m.reference_id for m in (*result.matching.matches, *contradicted)}
    used_outputs = {m.output_id for m in (*result.matching.matches, *contradicted)}

    def pairs(level: Level) -> list[str]:
        return [
            f"reported: {references[m.reference_id].text} | answer: {outputs[m.output_id].text}"
            for m in (*result.matching.matches, *contradicted)
            if m.level is level
        ]

    return "\n".join(
        (
            f"## {name}",
            _section("Matched in full", pairs(Level.STRICT), "###"),
            _section("Matched in part", pairs(Level.LENIENT), "###"),
            _section("Contradictory", pairs(Level.CONTRADICTION), "###"),
            _section(
                "Missing from the answer", _texts(i for i in references.values() if i.id not in used_references), "###"
            ),
            _section("Extra in the answer", _texts(i for i in outputs.values() if i.id not in used_outputs), "###"),
        )
    )


def show_evidence(case: CaseRepresentation, dialogue: Dialogue) -> str:
    """Give what the judge reads in evidence mode: every turn of the dialogue, and the article's references.

    Nothing of the item results is in it, so that this mode is a check of its own. It names no model.
    """
    turns = [_turn_text(turn) for turn in dialogue.turns]
    sections = [
        _section("Reported diagnosis", (value.text for value in case.final_diagnosis)),
        _section("Reported evidence and reasoning", (value.text for value in case.reasoning)),
        *(
            _section(
                f"Reported findings of {figure.label or figure.figure_id}",
                (value.text for value in (*figure.findings, *figure.significance)),
            )
            for figure in case.figures
            if not figure.is_excluded
        ),
        "## Dialogue under judgement",
        *turns,
    ]
    return _mask("\n\n".join(sections), _names(dialogue))


def _turn_text(turn: Turn) -> str:
    staged = turn.staged
    shown = [f"- {value.text}" for value in staged.disclosed]
    if staged.images:
        shown.append(f"- {len(staged.images)} image(s), {staged.figure_label} {staged.modality or ''}".rstrip())
    answer = _quote(turn.response) if turn.response is not None else f"(no answer: {turn.status.value})"
    return "\n".join(
        (f"### Turn {staged.index}, {staged.stage.value}: disclosed", *(shown or ["- nothing"]), "Answer:", answer)
    )


def _section(title: str, lines: Iterable[str], mark: str = "##") -> str:
    listed = [f"- {line}" for line in lines]
    return "\n".join((f"{mark} {title}", *(listed or ["- none"])))


def _quote(answer: str) -> str:
    """Mark every line as the answer's, so that a heading written into an answer is not taken for one of the summary."""
    return "\n".join(f"> {line}" for line in answer.splitlines())


def _texts(items: Iterable[Item]) -> list[str]:
    return [item.text for item in items]


def _names(dialogue: Dialogue) -> set[str]:
    names = {dialogue.setting, dialogue.made_by.model}
    for turn in dialogue.turns:
        if turn.facts is not None:
            names |= {turn.facts.model_asked, turn.facts.model_answered}
    return {name for name in names if len(name) > 2 and name.lower() not in {"reference", "rules baseline"}}


def _mask(text: str, names: set[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "[name removed]", text, flags=re.IGNORECASE)
    return text
