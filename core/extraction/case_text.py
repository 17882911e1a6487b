"""The article's text as statements: sentences with their part, section role, paragraph and cited figures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.domain.article import CASE_ROLES, CaseReport, Part, PartKind, SectionRole, Span
from core.extraction.vocabulary import IMAGING_STUDY, ROUTINE_TEST, SPECIAL_TEST
from core.language.sentences import split_sentences

# One character for one character, so that offsets stay true.
_LEVEL = str.maketrans(
    {
        "\u00a0": " ",
        "\u2009": " ",
        "\u2002": " ",
        "\u2003": " ",
        "\u202f": " ",
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": "-",
        "\u2212": "-",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
    }
)
_PATIENT = re.compile(r"\b(?:patient|he|she|his|her|year[- ]old|(?:wo)?man|boy|girl|(?:fe)?male)\b", re.IGNORECASE)
_FIRST_MENTION = re.compile(
    r"\b(?:\d{1,3}|[a-z]+)[- ](?:year|month|week|day)s?[- ]old\b|\baged \d|\b(?:newborn|neonate)\b", re.IGNORECASE
)
_TEST_TOLD = re.compile(rf"(?:{ROUTINE_TEST.pattern})|(?:{SPECIAL_TEST.pattern})|(?:{IMAGING_STUDY.pattern})", re.I)
_OF_MANY = re.compile(r"\b(?:patients|studies|literature|et al|reported cases|incidence|prevalence)\b", re.IGNORECASE)
_FEWEST_CASE_CHARS = 250


def level(text: str) -> str:
    """Give the text with dashes, quotes and spaces levelled to plain ones; the same length, so offsets stay true."""
    return text.translate(_LEVEL)


@dataclass(frozen=True)
class Statement:
    """One sentence, clause or table row of the article.

    Attributes:
        part: id of its part.
        start: offset in the part's text.
        end: exclusive.
        text: the words as they stand.
        plain: the same words levelled for matching; the same length.
        role: what its section is for.
        title: the innermost section title, lower case.
        paragraph: running number of its paragraph in the whole article.
        figures: ids of the figures it cites.
        is_row: it is a row of a table.
    """

    part: str
    start: int
    end: int
    text: str
    plain: str
    role: SectionRole
    title: str
    paragraph: int
    figures: tuple[str, ...] = ()
    is_row: bool = False

    @property
    def span(self) -> Span:
        """Where it stands in the article."""
        return Span(part=self.part, start=self.start, end=self.end)

    def cut(self, start: int, end: int) -> "Statement":
        """Give the piece `text[start:end]`, trimmed, with its own offsets."""
        while start < end and self.text[start] in " \t\n,;:":
            start += 1
        while end > start and self.text[end - 1] in " \t\n,;:":
            end -= 1
        return replace(
            self, start=self.start + start, end=self.start + end, text=self.text[start:end], plain=self.plain[start:end]
        )


class CaseText:
    """The statements of an article by what its parts are for. Made once for an extraction.

    Attributes:
        article: the case report read.
        narrative: statements of the case sections in reading order; where an article has no such section, of the
            paragraphs from the first mention of the patient on.
        rows: statements of the tables.
        captions: statements of each figure's caption, by figure id.
    """

    def __init__(self, article: CaseReport) -> None:
        self.article = article
        self._cited = _citations_by_part(article)
        self._paragraph = 0
        self.narrative = self._read_narrative()
        self.rows = tuple(
            replace(statement, is_row=True)
            for part in article.parts
            if part.kind is PartKind.TABLE
            for statement in self._lines(part)
        )
        self.captions = {
            figure.id: self._sentences(article.part(figure.caption_part))
            for figure in article.figures
            if figure.caption_part
        }

    @cached_property
    def discussion(self) -> tuple[Statement, ...]:
        """Statements of discussion, conclusion, learning points and introduction-like sections with their role."""
        roles = {SectionRole.DISCUSSION, SectionRole.CONCLUSION, SectionRole.LEARNING_POINTS}
        read = {statement.part for statement in self.narrative}
        return tuple(
            statement
            for part in self.article.parts
            if part.id not in read
            and part.kind in (PartKind.SECTION, PartKind.BOX)
            and (part.role in roles or part.role is SectionRole.OTHER)
            for statement in self._sentences(part)
        )

    @cached_property
    def abstract(self) -> tuple[Statement, ...]:
        """Statements of the abstracts."""
        return self._of_kind(PartKind.ABSTRACT)

    @cached_property
    def title(self) -> tuple[Statement, ...]:
        """The title as one statement; empty when it has no part of its own."""
        return tuple(
            statement
            for part in self.article.parts
            if part.kind is PartKind.TITLE
            for statement in [self._statement(part, 0, len(part.text))]
            if statement.text
        )

    @cached_property
    def introduction(self) -> tuple[Statement, ...]:
        """Statements of the introduction."""
        return tuple(
            statement
            for part in self.article.parts
            if part.kind is PartKind.SECTION and part.role is SectionRole.INTRODUCTION
            for statement in self._sentences(part)
        )

    def _of_kind(self, kind: PartKind) -> tuple[Statement, ...]:
        return tuple(
            statement for part in self.article.parts if part.kind is kind for statement in self._sentences(part)
        )

    def _read_narrative(self) -> tuple[Statement, ...]:
        sections = [part for part in self.article.parts if part.kind is PartKind.SECTION]
        case = [part for part in sections if part.role in CASE_ROLES]
        if sum(len(part.text) for part in case) >= _FEWEST_CASE_CHARS:
            return tuple(statement for part in case for statement in self._sentences(part))
        outside = {
            SectionRole.INTRODUCTION,
            SectionRole.DISCUSSION,
            SectionRole.CONCLUSION,
            SectionRole.DECLARATION,
            SectionRole.LEARNING_POINTS,
        }
        found: list[Statement] = []
        for part in sections:
            if part.role in outside:
                continue
            statements = self._sentences(part)
            begin = next((at for at, one in enumerate(statements) if _FIRST_MENTION.search(one.plain)), None)
            if begin is None and not found:
                continue
            taken = statements[begin or 0 :]
            told = _told_of_patient(taken)
            found.extend(one for one in taken if one.paragraph in told)
        return tuple(found)

    def _sentences(self, part: Part) -> tuple[Statement, ...]:
        statements: list[Statement] = []
        last_end = 0
        self._paragraph += 1
        for found in split_sentences(part.text):
            if "\n" in part.text[last_end : found.start]:
                self._paragraph += 1
            last_end = found.end
            statements.append(self._statement(part, found.start, found.end))
        return tuple(statements)

    def _lines(self, part: Part) -> tuple[Statement, ...]:
        statements, at = [], 0
        self._paragraph += 1
        for line in part.text.split("\n"):
            if line.strip():
                lead = len(line) - len(line.lstrip())
                statements.append(self._statement(part, at + lead, at + len(line.rstrip())))
            at += len(line) + 1
        return tuple(statements)

    def _statement(self, part: Part, start: int, end: int) -> Statement:
        text = part.text[start:end]
        figures = tuple(
            figure_id for figure_id, from_, to in self._cited.get(part.id, ()) if from_ < end and start < to
        )
        return Statement(
            part=part.id,
            start=start,
            end=end,
            text=text,
            plain=level(text),
            role=part.role,
            title=level(part.path[-1]).lower() if part.path else "",
            paragraph=self._paragraph,
            figures=tuple(dict.fromkeys(figures)),
        )


def _told_of_patient(statements: Sequence[Statement]) -> set[int]:
    """Give the paragraphs that speak of the patient, and those of tests between them, which need not name anyone."""
    speaks = {one.paragraph for one in statements if _PATIENT.search(one.plain)}
    general = {one.paragraph for one in statements if _OF_MANY.search(one.plain)}
    tests = {one.paragraph for one in statements if _TEST_TOLD.search(one.plain)}
    return speaks | {one for one in tests - general if speaks and one < max(speaks)}


def _citations_by_part(article: CaseReport) -> dict[str, list[tuple[str, int, int]]]:
    cited: dict[str, list[tuple[str, int, int]]] = {}
    for figure in article.figures:
        for span in figure.citations:
            cited.setdefault(span.part, []).append((figure.id, span.start, span.end))
    return cited
