"""An extraction compared with the same case as a person corrected it, field by field."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.domain.case import CaseRepresentation, Element, Value
from core.language.terms import normalise


@dataclass(frozen=True)
class FieldAgreement:
    """One field over all compared cases.

    Attributes:
        field: key of an element, `final_diagnosis`, `reasoning`, `image_findings`, `significance`, `modality` or
            `flags`.
        n_corrected: values (or figures) that the corrected cases have.
        n_extracted: values (or figures) that the extractions have.
        n_same: values that both have: the same words, at the same place in the same field.
        n_cases: cases in which the field has a value on either side.
        missed: what a person added or reworded, `case: text`.
        wrong: what a person removed or reworded, `case: text`.
    """

    field: str
    n_corrected: int
    n_extracted: int
    n_same: int
    n_cases: int
    missed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def recall(self) -> float | None:
        """Share of the corrected values that the extraction had, 0-1; None when there are none."""
        return self.n_same / self.n_corrected if self.n_corrected else None

    @property
    def precision(self) -> float | None:
        """Share of the extracted values that a person left as they are, 0-1; None when there are none."""
        return self.n_same / self.n_extracted if self.n_extracted else None


@dataclass
class _Count:
    corrected: int = 0
    extracted: int = 0
    same: int = 0
    cases: set[str] = field(default_factory=set)
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def compare_with_corrections(
    pairs: Iterable[tuple[CaseRepresentation, CaseRepresentation]],
) -> tuple[FieldAgreement, ...]:
    """Give each field's agreement over (extraction, corrected case) pairs, in the order of the flow.

    Values are the same when their words are, whatever their case, spacing and punctuation. Only fields with a value on
    either side are given; empty without pairs. A person who corrected only one field has not said that the others are
    right: the figures describe what was changed, not what was checked.
    """
    counts: dict[str, _Count] = {}
    for extraction, corrected in pairs:
        ours, theirs = _fields(extraction), _fields(corrected)
        for name in ours:
            count = counts.setdefault(name, _Count())
            left = [normalise(text) for text in ours[name]]
            for text in theirs[name]:
                key = normalise(text)
                if key in left:
                    left.remove(key)
                    count.same += 1
                else:
                    count.missed.append(f"{corrected.case_id}: {text}")
            kept = [normalise(text) for text in theirs[name]]
            for text in ours[name]:
                key = normalise(text)
                if key in kept:
                    kept.remove(key)
                else:
                    count.wrong.append(f"{corrected.case_id}: {text}")
            count.extracted += len(ours[name])
            count.corrected += len(theirs[name])
            if ours[name] or theirs[name]:
                count.cases.add(corrected.case_id)
    return tuple(
        FieldAgreement(
            name, one.corrected, one.extracted, one.same, len(one.cases), tuple(one.missed), tuple(one.wrong)
        )
        for name, one in counts.items()
        if one.cases
    )


def _fields(case: CaseRepresentation) -> dict[str, list[str]]:
    def texts(values: Iterable[Value]) -> list[str]:
        return [value.text for value in values]

    fields = {element.value: texts(case.values(element)) for element in Element}
    figures = case.figures
    fields["modality"] = [f"{one.figure_id} {one.modality}" for one in figures]
    fields["flags"] = [f"{one.figure_id} {flag}" for one in figures for flag in one.flags]
    fields["image_findings"] = [f"{one.figure_id} {text}" for one in figures for text in texts(one.findings)]
    fields["significance"] = [f"{one.figure_id} {text}" for one in figures for text in texts(one.significance)]
    fields["final_diagnosis"] = texts(case.final_diagnosis)
    fields["reasoning"] = texts(case.reasoning)
    return fields
