"""What the text says about each figure: modality, findings, significance, flags. Never anything from pixels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.article import Figure
from core.domain.case import FigureEvidence, FigureFlag, Modality, Value
from core.extraction.case_text import CaseText, Statement
from core.extraction.cues import Kind
from core.extraction.modality import ModalityWords, name_modality
from core.extraction.sort import Sorted
from core.extraction.vocabulary import OPERATION

SIGNIFICANCE = re.compile(
    r"\b(?:suggest\w*|suggestive|confirm\w*|consistent with|compatible with|in keeping with|indicat(?:ed|ing|es|"
    r"ive)|diagnostic (?:of|for)|"
    r"diagnosis|diagnosed|pathognomonic|characteristic of|typical (?:of|for)|support(?:s|ed|ing)|rul(?:ed?|"
    r"ing) out|exclud\w+|"
    r"highly suspicious|suspicious (?:of|for)|suspect\w*|in favou?r of|correspond\w+ to|established|proved|proven|"
    r"led to|"
    r"raised (?:the )?(?:suspicion|concern)|classic(?:al)? (?:of|for)|concerning for|representing|presumed)\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"^(?:it|there|the (?:mass|lesion|tumou?r|cyst|nodule|structure|same|image|scan|study|examination|upper|lower|"
    r"left|right|surrounding|"
    r"adjacent|overlying|underlying|remaining|rest|enlarged|masse?s|lesions|tubular|cells|fluid|complex|wall|"
    r"findings?|margins?|latter)|these|this|"
    r"those|no (?:evidence|other|sign|abnormal|focal|definite)|also|in addition|additionally|moreover|furthermore|"
    r"both|an?other|multiple|they)\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?:\bfig(?:ure)?s?\b\.?|\bimages?\b|\bphotos?\b|\bplates?\b)\s*(\d{1,2}|[A-D]\b)((?:[^.;()]|"
    r"\([a-z]\)){0,40}?)(?=[).;,]|$)",
    re.IGNORECASE,
)
_MORE_NUMBERS = re.compile(r"\b(\d{1,2})\b|(-|to|through)\s*(?=\d)")
_TREATMENT = re.compile(
    r"\b(?:(?:during|after|following|post)[- ]?(?:the )?(?:surgery|operation|treatment|procedure|repair|reduction|"
    r"fixation|stent\w*|resection|"
    r"excision|therapy)|post-?(?:operative\w*|treatment|procedur\w+|resection)|\w+ectomy (?:done|performed|"
    r"specimen)|stent|implant|reconstruction|"
    r"sutur\w+|prosthe\w+|surgical (?:technique|repair|removal|procedure)|graft|before and after|(?:\w*ectomy|"
    r"surgery) (?:was )?(?:done|performed))\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"\b(?:follow(?:ed)?[- ]?up|(?:days?|weeks?|months?|years?) (?:after|post|following|later)|at (?:\d+|one|two|"
    r"three|six|twelve) (?:weeks?|months?|years?)|"
    r"post-?operative\w*|no (?:evidence of |sign of )?recurrence|healed|healing|resolution of|complete resolution|"
    r"recovery|after (?:\w+ ){0,3}"
    r"(?:treatment|therapy|surgery|months|weeks)|after (?:completion|discharge))\b",
    re.IGNORECASE,
)
_OTHER_PERSON = re.compile(
    r"\b(?:(?:patient's|his|her) (?:mother|father|brother|sister|son|daughter|parents|uncle|aunt|cousin)|"
    r"healthy (?:control|volunteer|subject)|normal "
    r"(?:control|subject|volunteer)|unrelated patient|another patient|pedigree)\b",
    re.IGNORECASE,
)
_FURTHEST_CONTINUATION = 1
_NEW_STUDY_WITHIN = 40
"""A study named within so many characters of a sentence's start is a new study, not more of the one shown."""


@dataclass
class FigureText:
    """The statements that speak of one figure."""

    figure: Figure
    caption: tuple[Statement, ...]
    citing: list[Sorted] = field(default_factory=list)
    following: list[Sorted] = field(default_factory=list)
    before: list[Sorted] = field(default_factory=list)


def gather_figure_texts(text: CaseText, pieces: Sequence[Sorted]) -> tuple[list[FigureText], set[int]]:
    """Give the statements of each figure, and which pieces of the narrative (by index) belong to a figure alone.

    A piece that cites a figure belongs to it, and so does the piece of the same paragraph after it that goes on
    describing the image. Treatment and outcome stay with their elements too.
    """
    texts = {figure.id: FigureText(figure, text.captions.get(figure.id, ())) for figure in text.article.figures}
    taken: set[int] = set()
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        if not piece.statement.figures or not _is_cited_here(piece, text):
            at += 1
            continue
        shares = split_by_figure(piece.statement, text.article.figures)
        for figure_id, share in shares:
            texts[figure_id].citing.append(Sorted(share, piece.kind))
            texts[figure_id].before.extend(pieces[max(0, at - 2) : at])
        if not piece.is_patient and piece.kind not in (Kind.TREATMENT, Kind.OUTCOME, Kind.CONCERN):
            taken.add(at)
        last = shares[-1][0]
        step = at + 1
        while step < len(pieces) and step - at <= _FURTHEST_CONTINUATION and _goes_on(pieces[step], pieces[at], text):
            texts[last].following.append(pieces[step])
            taken.add(step)
            step += 1
        at = step
    return list(texts.values()), taken


def _is_cited_here(piece: Sorted, text: CaseText) -> bool:
    """A clause counts when the citation stands in it; the sentence's other clauses do not belong to the figure."""
    return bool(_MARK.search(piece.statement.plain)) or all(
        not _label_number(figure) for figure in text.article.figures if figure.id in piece.statement.figures
    )


def _goes_on(piece: Sorted, cited: Sorted, text: CaseText) -> bool:
    statement = piece.statement
    if statement.paragraph != cited.statement.paragraph or (statement.figures and _is_cited_here(piece, text)):
        return False
    if piece.kind not in (Kind.IMAGING, Kind.SPECIAL, Kind.DIAGNOSIS) and piece.kind is not cited.kind:
        return False
    if cited.kind in (Kind.EXAMINATION, Kind.TREATMENT, Kind.OUTCOME, Kind.ROUTINE):
        return False
    named = name_modality(statement.plain, only_named=True)
    before = name_modality(cited.statement.plain, only_named=True)
    if named and (named.start < _NEW_STUDY_WITHIN or not before or named.modality is not before.modality):
        return False
    return bool(_CONTINUES.match(statement.plain))


def _label_number(figure: Figure) -> str:
    found = re.search(r"(\d{1,2}|\b[A-D]\b)\W*$", figure.label)
    return found.group(1) if found else ""


def split_by_figure(statement: Statement, figures: Sequence[Figure]) -> list[tuple[str, Statement]]:
    """Give (figure id, piece) for a statement: the piece up to each citation, or else the whole."""
    by_number = {_label_number(figure): figure.id for figure in figures if _label_number(figure)}
    marks: list[tuple[int, list[str]]] = []
    for match in _MARK.finditer(statement.plain):
        numbers = [match.group(1)]
        is_range = False
        for more in _MORE_NUMBERS.finditer(match.group(2)):
            if more.group(2):
                is_range = True
            elif (
                is_range
                and more.group(1).isdigit()
                and numbers[-1].isdigit()
                and 0 < int(more.group(1)) - int(numbers[-1]) < 9
            ):
                numbers.extend(str(one) for one in range(int(numbers[-1]) + 1, int(more.group(1)) + 1))
                is_range = False
            else:
                numbers.append(more.group(1))
        ids = [by_number[number] for number in dict.fromkeys(numbers) if number in by_number]
        if ids:
            marks.append((match.end(), ids))
    here = {figure_id for _, ids in marks for figure_id in ids}
    if len(marks) < 2 or len(here) < 2:
        cited = [figure_id for figure_id in dict.fromkeys([*here, *statement.figures]) if not here or figure_id in here]
        return [(figure_id, statement) for figure_id in cited]
    shares, start = [], 0
    for at, (end, ids) in enumerate(marks):
        end = len(statement.text) if at == len(marks) - 1 else end
        piece = statement.cut(start, end)
        if len(piece.plain.split()) < 4:
            piece = statement
        shares.extend((figure_id, piece) for figure_id in ids)
        start = end
    return shares


def read_figure(texts: FigureText, discussion: Sequence[Statement], make_value: "ValueMaker") -> FigureEvidence:
    """Give what the article says about one figure.

    Findings are the caption's sentences and the citing sentences with what goes on describing; significance are the
    pieces of these, and of the discussion's citing sentences, that say what a finding supports.
    """
    figure = texts.figure
    words, source = _find_modality(texts)
    modality = words.modality if words else Modality.OTHER
    modality_text = None
    if words and source:
        modality_text = make_value(f"{figure.id}-modality", [source.cut(words.start, words.end)])
    findings: list[Statement] = list(_caption_pieces(texts.caption))
    significance = [one for one in texts.caption if SIGNIFICANCE.search(one.plain)]
    for piece in [*texts.citing, *texts.following]:
        if piece.kind is not Kind.ARGUMENT:
            findings.append(piece.statement)
        if SIGNIFICANCE.search(piece.statement.plain):
            significance.append(piece.statement)
    significance += [one for one in discussion if figure.id in one.figures and SIGNIFICANCE.search(one.plain)]
    for one in discussion:
        if figure.id in one.figures and one not in significance and not texts.citing:
            findings.append(one)
    return FigureEvidence(
        figure_id=figure.id,
        label=figure.label,
        modality=modality,
        modality_text=modality_text,
        findings=tuple(make_value(f"{figure.id}-finding-{n}", [one]) for n, one in enumerate(_unique(findings), 1)),
        significance=tuple(
            make_value(f"{figure.id}-significance-{n}", [one]) for n, one in enumerate(_unique(significance), 1)
        ),
        flags=_flags(texts, modality),
    )


class ValueMaker:
    """Makes values whose text is the source text of their statements."""

    def __call__(self, value_id: str, statements: Sequence[Statement]) -> Value:
        """Give a value of one or more statements; several are joined by a space."""
        return Value(
            id=value_id,
            text=" ".join(one.text for one in statements),
            spans=tuple(one.span for one in statements),
        )


def _caption_pieces(caption: Sequence[Statement]) -> list[Statement]:
    return [one for one in caption if len(re.findall(r"[A-Za-z]{3,}", one.plain)) >= 2]


def _find_modality(texts: FigureText) -> tuple[ModalityWords | None, Statement | None]:
    """Give the modality and where it is named: caption, citing sentences, description, then what was said before."""
    caption_words = [(name_modality(one.plain), one) for one in texts.caption]
    for words, one in caption_words:
        if words and words.is_certain:
            return words, one
    for piece in texts.citing:
        if words := name_modality(piece.statement.plain, only_named=True):
            return words, piece.statement
    if operation := _operation(texts):
        return operation
    for words, one in caption_words:
        if words:
            return words, one
    paragraph = texts.citing[0].statement.paragraph if texts.citing else -1
    for piece in reversed(texts.before):
        if piece.statement.paragraph == paragraph:
            if words := name_modality(piece.statement.plain, only_named=True):
                return words, piece.statement
    for piece in texts.citing:
        if words := name_modality(piece.statement.plain):
            return words, piece.statement
    if any(piece.kind is Kind.EXAMINATION for piece in texts.citing) or any(
        _OUTCOME.search(one.plain) for one in texts.caption
    ):
        return ModalityWords(Modality.CLINICAL_PHOTOGRAPH, 0, 0, False), None
    return None, None


def _operation(texts: FigureText) -> tuple[ModalityWords, Statement] | None:
    """Give an intraoperative photograph where the words around the figure tell of the operation itself."""
    near = [piece.statement for piece in texts.citing]
    near += [piece.statement for piece in texts.before if piece.kind in (Kind.SPECIAL, Kind.TREATMENT)]
    for one in [*texts.caption, *near]:
        words = name_modality(one.plain, only_named=True)
        if words and words.modality is Modality.INTRAOPERATIVE_PHOTOGRAPH:
            return words, one
        done = _OPERATION_DONE.search(one.plain)
        if done and not _OUTCOME.search(one.plain):
            return ModalityWords(Modality.INTRAOPERATIVE_PHOTOGRAPH, done.start(), done.end(), False), one
    return None


_OPERATION_DONE = re.compile(
    rf"(?:{OPERATION.pattern})(?: of (?:the )?\w+)? (?:(?:was|were|being) )?(?:done|performed|carried out|"
    rf"undertaken)",
    re.IGNORECASE,
)


def _flags(texts: FigureText, modality: Modality) -> tuple[FigureFlag, ...]:
    caption = " ".join(one.plain for one in texts.caption)
    citing = " ".join(piece.statement.plain for piece in texts.citing)
    kinds = {piece.kind for piece in texts.citing}
    said = caption or citing
    flags = []
    if _TREATMENT.search(said) or (kinds == {Kind.TREATMENT} and modality is not Modality.GROSS_PATHOLOGY):
        flags.append(FigureFlag.TREATMENT)
    if _OUTCOME.search(said) or kinds == {Kind.OUTCOME}:
        flags.append(FigureFlag.OUTCOME)
    if _OTHER_PERSON.search(caption):
        flags.append(FigureFlag.OTHER_PERSON)
    if modality is Modality.CHART_OR_DRAWING:
        flags.append(FigureFlag.CHART)
    return tuple(flags)


def _unique(statements: Sequence[Statement]) -> list[Statement]:
    kept: dict[tuple[str, int, int], Statement] = {}
    for one in statements:
        if one.text:
            kept.setdefault((one.part, one.start, one.end), one)
    return list(kept.values())
