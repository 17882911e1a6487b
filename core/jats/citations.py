"""Where the text cites each figure: the sentences, the section, the order of first citation."""

import re
from dataclasses import dataclass

from core.domain.article import PartKind, Span
from core.jats.body import Draft
from core.jats.figures import FigureDraft, label_number
from core.language.sentences import split_sentences

_RANGE = re.compile(
    r"^\s*(?:[a-z]?\)?\s*)?(?:[-\u2010-\u2015\u2212]|to|through)\s*(?:figs?\.?|figures?)?\s*$", re.IGNORECASE
)
_NUMBER_RANGE = re.compile(
    r"(?<![\d.])(\d{1,2})[a-z]?\s*(?:[-\u2010-\u2015\u2212]|to|through)\s*(\d{1,2})(?![\d.])", re.IGNORECASE
)
_KINDS = (PartKind.SECTION, PartKind.TABLE)


@dataclass(frozen=True)
class Cited:
    """Where one figure is cited: sentences in reading order, path and rank of the first; nothing when never."""

    spans: tuple[Span, ...] = ()
    first_cited_in: str | None = None
    rank: int | None = None


def find_citations(drafts: list[Draft], figures: list[FigureDraft]) -> list[Cited]:
    """Give for each figure where sections and tables cite it.

    Links decide; a range between two links (`Figs. 1-4`, also with empty links between) cites the figures between
    them. A figure that no link names is looked for by its label in the text (`Figure 3`).
    """
    place = {element_id: index for index, figure in enumerate(figures) for element_id in figure.element_ids}
    numbers = [label_number(figure.label) for figure in figures]
    mentions: list[list[tuple[int, int]]] = [[] for _ in figures]
    sentences: dict[tuple[int, int], list[tuple[int, int]]] = {}
    order: list[int] = []
    read = [(at, draft) for at, draft in enumerate(drafts) if draft.kind in _KINDS and draft.in_body]
    for at, draft in read:
        for position, index in _cited_figures(draft, place, numbers):
            mentions[index].append((at, position))
            if index not in order:
                order.append(index)
    missing = [index for index in range(len(figures)) if not mentions[index] and numbers[index] is not None]
    if missing:
        for at, draft in read:
            for index in missing:
                for match in _label_pattern(figures[index].label, numbers[index]).finditer(draft.text):
                    mentions[index].append((at, match.start()))
        found = [index for index in range(len(figures)) if mentions[index]]
        order = sorted(found, key=lambda index: (mentions[index][0], order.index(index) if index in order else index))
    results = []
    for index in range(len(figures)):
        if not mentions[index]:
            results.append(Cited())
            continue
        spans: list[Span] = []
        for at, position in mentions[index]:
            text = drafts[at].text
            line = text.rfind("\n", 0, position) + 1
            if (at, line) not in sentences:
                line_end = text.find("\n", line)
                whole = text[line : line_end if line_end >= 0 else len(text)]
                sentences[at, line] = [(line + found.start, line + found.end) for found in split_sentences(whole)]
            start, end = _sentence_at(sentences[at, line], position, len(text))
            span = Span(part=drafts[at].id, start=start, end=end)
            if span not in spans:
                spans.append(span)
        path = drafts[mentions[index][0][0]].path
        results.append(Cited(tuple(spans), path[-1] if path else None, order.index(index) + 1))
    return results


def _cited_figures(draft: Draft, place: dict[str, int], numbers: list[int | None]) -> list[tuple[int, int]]:
    """Give (position in the text, index of the figure) for each citation of a part, ranges filled in."""
    found: list[tuple[int, int]] = []
    previous: tuple[int, int] | None = None
    for start, end, ids in draft.citations:
        indexes = [place[one] for one in ids if one in place]
        if indexes and previous is not None and _RANGE.match(draft.text[previous[0] : start]):
            found.extend((start, index) for index in range(previous[1] + 1, indexes[0]))
        found.extend((start, index) for index in indexes)
        for low, high in _NUMBER_RANGE.findall(draft.text[start:end]):
            between = range(int(low), int(high) + 1)
            found.extend(
                (start, index)
                for index, number in enumerate(numbers)
                if number in between and len(between) <= 30 and index not in indexes
            )
        if indexes:
            previous = (end, indexes[-1])
    return found


def _label_pattern(label: str, number: int | None) -> re.Pattern[str]:
    if re.match(r"fig", label, re.IGNORECASE):
        return re.compile(rf"\bfig(?:ur[ea])?s?\.?\s*{number}(?!\d)", re.IGNORECASE)
    word = re.escape(label.split()[0]) if label.split() else ""
    return re.compile(rf"\b{word}s?\.?\s*{number}(?!\d)" if word[:1].isalpha() else r"(?!)", re.IGNORECASE)


def _sentence_at(sentences: list[tuple[int, int]], position: int, length: int) -> tuple[int, int]:
    for start, end in sentences:
        if start <= position <= end:
            return start, end
    return max(0, min(position, length)), length
