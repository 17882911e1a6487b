"""Which values of a case may be disclosed, in which words: the leak audit's decisions and the fixed prohibitions."""

from dataclasses import dataclass

from core.domain.article import CaseReport, PartKind, SectionRole, Span
from core.domain.case import CaseRepresentation, Element, LeakAction, Value, Verdict
from core.domain.dialogue import DisclosedValue, WithheldValue
from core.errors import InvalidInput

CLOSED_ROLES = frozenset(
    {
        SectionRole.INTRODUCTION,
        SectionRole.DISCUSSION,
        SectionRole.CONCLUSION,
        SectionRole.LEARNING_POINTS,
        SectionRole.DECLARATION,
    }
)
# A protected value of one short word ("stable") says nothing about the words around it.
_SHORTEST_SHARED = 12
# A caption's sentence may be repeated in the body; a term of it ("atrial fibrillation") may be history by itself.
_SHORTEST_REPEATED = 40
_OPEN_KINDS = frozenset({PartKind.SECTION, PartKind.TABLE})


@dataclass(frozen=True)
class Disclosable:
    """What the values of some elements come to.

    Attributes:
        here: disclosed at their own stage.
        moved: kept for the synthesis turn by the leak audit.
        withheld: never disclosed, each with its reason.
    """

    here: tuple[DisclosedValue, ...]
    moved: tuple[DisclosedValue, ...]
    withheld: tuple[WithheldValue, ...]


def disclosable(case: CaseRepresentation, article: CaseReport, elements: tuple[Element, ...]) -> Disclosable:
    """Give the disclosable values of `elements`, in the elements' order and then the article's.

    A value is withheld when the audit said so, when it stands in a part of the article that no model receives
    (protocol.md section 3: title, abstract, captions, introduction, discussion, boxes ...), when it shares words with
    an intervention, the outcome, or what the article says about a figure, and, for the timeline, when the audit
    objects to it and nobody has dealt with that.

    Raises:
        InvalidInput: a value points into a part that this version of the article does not have.
    """
    here: list[DisclosedValue] = []
    moved: list[DisclosedValue] = []
    withheld: list[WithheldValue] = []
    for element in elements:
        for value in case.values(element):
            reason = _place_problem(value, article) or _timeline_problem(element, value, case)
            wordings = [(value.text, False)]
            changes = [change for change in case.disclosures if change.value_id == value.id]
            if changes:
                wordings = [(change.text, change.moved_to_synthesis) for change in changes if change.text]
                reason = reason or ("withheld by the leak audit" if not wordings else "")
            # Spans speak of the words before the audit changed them. And the name of a procedure is disclosed although
            # it stands in the sentence with its result: only words that bring the result along are withheld.
            compare_words = bool(changes) or element is Element.DIAGNOSTIC_METHODS
            texts = tuple(text for text, _ in wordings)
            reason = reason or _shared_words(value, texts, compare_words, case, article)
            if reason:
                withheld.append(WithheldValue(field=element, value_id=value.id, reason=reason))
                continue
            for text, is_moved in wordings:
                row = DisclosedValue(field=element, value_id=value.id, text=text)
                (moved if is_moved else here).append(row)
    return Disclosable(tuple(here), tuple(moved), tuple(withheld))


def _place_problem(value: Value, article: CaseReport) -> str:
    for span in value.spans:
        try:
            part = article.part(span.part)
        except KeyError as error:
            raise InvalidInput(
                f"The value {value.id} points to the part {span.part}, which this version of the article lacks.",
                "Extract the case again from the article's current version.",
            ) from error
        if part.kind not in _OPEN_KINDS:
            return f"stands in the article's {part.kind}"
        if part.role in CLOSED_ROLES:
            return f"stands in the article's {part.role}"
    return ""


def _timeline_problem(element: Element, value: Value, case: CaseRepresentation) -> str:
    if element is not Element.TIMELINE:
        return ""
    open_hits = [
        hit
        for hit in case.leaks
        if hit.value_id == value.id and hit.action is LeakAction.NONE and hit.verdict is not Verdict.NOTES
    ]
    return "this timeline entry did not pass the leak audit" if open_hits else ""


def _shared_words(
    value: Value, wordings: tuple[str, ...], compare_words: bool, case: CaseRepresentation, article: CaseReport
) -> str:
    for name, protected in _protected(case):
        shortest = _SHORTEST_SHARED if compare_words else _SHORTEST_REPEATED
        shares = any(_holds(text, protected.text, shortest) for text in wordings)
        if not compare_words:
            shares = shares or any(_overlap(a, b, article) for a in value.spans for b in protected.spans)
        if shares:
            return f"shares words with {name}"
    return ""


def _protected(case: CaseRepresentation) -> list[tuple[str, Value]]:
    named = [("an intervention", value) for value in case.values(Element.INTERVENTIONS)]
    named += [("the outcome", value) for value in case.values(Element.OUTCOME)]
    for figure in case.figures:
        named += [(f"what the article says about {figure.figure_id}", value) for value in figure.findings]
        named += [(f"what the article concludes from {figure.figure_id}", value) for value in figure.significance]
    return named


def _overlap(first: Span, second: Span, article: CaseReport) -> bool:
    if first.part != second.part:
        return False
    start, end = max(first.start, second.start), min(first.end, second.end)
    return start < end and any(letter.isalnum() for letter in article.part(first.part).text[start:end])


def _holds(text: str, protected: str, shortest: int) -> bool:
    words = level(protected)
    return len(words) >= shortest and f" {words} " in f" {level(text)} "


def level(text: str) -> str:
    """Give the words of a text for comparison: letters and digits in lower case, single spaces."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())
