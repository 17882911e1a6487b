"""The leak audit (protocol.md section 5): every text a model would see is searched for the answer.

How decisions are stored, for whoever discloses: a value without an entry in `case.disclosures` is disclosed as it is.
A value with entries is disclosed only as these say: `text=None` withholds it; `moved_to_synthesis=True` shows that text
at the synthesis turn instead of at its own stage; otherwise the text (a trimmed or edited wording) is shown at its own
stage. A value may have two entries: what stays and what moves.
"""

import re
from collections.abc import Sequence, Set

from core.domain.article import CaseReport
from core.domain.case import (
    EXAMINATION_ELEMENTS,
    HISTORY_ELEMENTS,
    CaseRepresentation,
    Disclosure,
    Element,
    LeakAction,
    LeakHit,
    LeakPolicy,
    Value,
    Verdict,
)
from core.extraction.clearing import cleared_wording, cut_clauses
from core.extraction.leak_search import Found, LeakSearch
from core.extraction.leak_terms import Strength, collect_leak_terms
from core.extraction.vocabulary import DISEASE, MICROBE
from core.language.negation import Assertion, context_of

SYNTHESIS_ELEMENTS = (Element.KEY_FINDINGS, Element.DIAGNOSTIC_METHODS, Element.TIMELINE)
AUTOMATIC = "automatic"
_ESTABLISHED = re.compile(
    r"\b(?:diagnos\w+|confirm\w+|consistent with|compatible with|in keeping with|established|proved|revealed|known|"
    r"due to|secondary to|caused by)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
# `no further obstruction` says that there was one.
_PRESUPPOSED = re.compile(
    r"\b(?:no|without|not|any|of) (?:\w+ ){0,3}?(?:further|residual|recurren\w+|remaining|additional|persistent|"
    r"more|relapse of)\b[^.;]{0,40}$",
    re.IGNORECASE,
)


def audit_leaks(article: CaseReport, case: CaseRepresentation, policy: LeakPolicy | None = None) -> CaseRepresentation:
    """Give the case with its leak hits, disclosures and `held_reason` made anew.

    Decisions of persons on hits that are still there are kept with their disclosures; automatic ones are made again.
    Under `hold` nothing is changed by itself: blocking hits stay open and the case is not released. Under `auto`
    blocking clauses are trimmed (or the value withheld), warned clauses moved to synthesis, and a case that would lose
    more than half of its history or examination is held.

    Args:
        article: the article version the case was extracted from; gives synonyms and abbreviations.
        case: any version of the case.
        policy: the policy to follow; the case's own when None.
    """
    policy = policy or case.leak_policy
    search = LeakSearch(collect_leak_terms(article, case))
    by_person = {hit.value_id for hit in case.leaks if hit.decided_by and hit.decided_by != AUTOMATIC}
    decided = {_key(hit): hit for hit in case.leaks if hit.decided_by and hit.value_id in by_person}
    disclosures: list[Disclosure] = []
    hits: list[LeakHit] = []
    for turn, stage, element, value in _texts(case):
        named = search.find(value.text)
        answers = {(one.start, one.end) for one in named if one.term.strength is Strength.ANSWER}
        found = [
            LeakHit(
                turn=turn,
                stage=stage,
                value_id=value.id,
                term=one.term.text,
                text=value.text[one.start : one.end],
                start=one.start,
                end=one.end,
                verdict=verdict,
            )
            for one in named
            if (verdict := _verdict(one, value.text, stage, element)) is not None
        ]
        found = [decided.get(_key(hit), hit) for hit in found]
        if value.id in by_person:
            own = [one for one in case.disclosures if one.value_id == value.id]
            if _says_what_was_decided(search, found, own, stage, element):
                found = [_as_disclosed(hit, own) for hit in found]
                disclosures += own
            else:
                found = [_opened(hit) for hit in found]
        if policy is LeakPolicy.AUTO and value.id not in by_person:
            found, changes = _clear(value, found, stage, element, answers)
            disclosures += changes
        hits += found
    of_figures = _figure_hits(case, search)
    if policy is LeakPolicy.AUTO:
        # Only the number of a label is ever passed on, so nothing is left to decide.
        of_figures = [_done(hit, LeakAction.TRIMMED) if hit.value_id == "label" else hit for hit in of_figures]
    hits += [decided.get(_key(hit), hit) for hit in of_figures]
    audited = case.model_copy(
        update={"leaks": tuple(hits), "disclosures": tuple(disclosures), "leak_policy": policy, "held_reason": ""}
    )
    held = held_reason(audited) if policy is LeakPolicy.AUTO else ""
    return audited.model_copy(update={"held_reason": held})


def wording_problems(article: CaseReport, case: CaseRepresentation, value_id: str, text: str) -> tuple[str, ...]:
    """Give the words of a wording that would name the answer as established at the value's own turn; empty if none.

    Args:
        article: the article version the case was extracted from.
        case: the case.
        value_id: the value that the wording would stand for.
        text: the wording.
    """
    search = LeakSearch(collect_leak_terms(article, case))
    for _, stage, element, value in _texts(case):
        if value.id == value_id:
            return tuple(dict.fromkeys(_blocking_words(search, text, stage, element)))
    return ()


def _blocking_words(search: LeakSearch, text: str, stage: str, element: Element) -> list[str]:
    return [
        text[one.start : one.end] for one in search.find(text) if _verdict(one, text, stage, element) is Verdict.BLOCKS
    ]


def _says_what_was_decided(
    search: LeakSearch, hits: Sequence[LeakHit], own: Sequence[Disclosure], stage: str, element: Element
) -> bool:
    """True unless a wording that a person chose names the answer in words nobody has seen and left there."""
    left = {hit.text for hit in hits if hit.action in (LeakAction.NONE, LeakAction.WAIVED)}
    return not any(
        word not in left
        for one in own
        if one.text
        for word in _blocking_words(search, one.text, "synthesis" if one.moved_to_synthesis else stage, element)
    )


def _as_disclosed(hit: LeakHit, own: Sequence[Disclosure]) -> LeakHit:
    """Give a new hit closed when the words it found are not disclosed any more by an earlier decision."""
    if hit.action is not LeakAction.NONE or not own or any(hit.text in (one.text or "") for one in own):
        return hit
    return hit.model_copy(
        update={"action": LeakAction.WITHHELD, "decided_by": AUTOMATIC, "reason": "an earlier decision took it away"}
    )


def _opened(hit: LeakHit) -> LeakHit:
    if hit.action is LeakAction.WAIVED:
        return hit
    return hit.model_copy(update={"action": LeakAction.NONE, "decided_by": "", "reason": ""})


def _key(hit: LeakHit) -> tuple[str, int, int, str]:
    return (hit.value_id, hit.start, hit.end, hit.text)


def _texts(case: CaseRepresentation) -> list[tuple[int, str, Element, Value]]:
    """Give (turn, stage, element, value) of everything that would be disclosed, turns counted without gaps."""
    rows: list[tuple[int, str, Element, Value]] = []
    turn = 0
    for stage, elements in (("history", HISTORY_ELEMENTS), ("examination", EXAMINATION_ELEMENTS)):
        values = [(element, value) for element in elements for value in case.values(element)]
        turn += bool(values)
        rows += [(turn, stage, element, value) for element, value in values]
    turn += sum(not figure.is_excluded for figure in case.figures) + 1
    rows += [(turn, "synthesis", element, value) for element in SYNTHESIS_ELEMENTS for value in case.values(element)]
    return rows


def _verdict(found: Found, text: str, stage: str, element: Element) -> Verdict | None:
    """Give how bad a hit is; None where it is no hit at its stage (hints and parts of the answer in the synthesis)."""
    strength = found.term.strength
    if stage == "synthesis" and element is not Element.TIMELINE and strength < Strength.ANSWER:
        return None
    is_result = stage == "synthesis" and element is Element.KEY_FINDINGS
    if is_result and (found.term.is_evidence or _is_in_organism(found, text)):
        return Verdict.NOTES
    context = context_of(text, found.start, found.end)
    if strength is Strength.UNSPECIFIC:
        return Verdict.NOTES
    if context.is_family or (context.assertion is Assertion.NEGATED and not _PRESUPPOSED.search(text[: found.start])):
        # To deny the very diagnosis, with its modifiers, is to name it.
        names_it = strength is Strength.ANSWER and len(found.term.stems) > 1
        return Verdict.WARNS if names_it and stage != "synthesis" else Verdict.NOTES
    is_past = context.is_past or element is Element.MEDICAL_HISTORY
    if strength is Strength.ANSWER:
        if element is Element.DIAGNOSTIC_METHODS:
            return Verdict.WARNS
        return Verdict.WARNS if context.assertion is Assertion.SUSPECTED else Verdict.BLOCKS
    if strength is Strength.COMPONENT:
        if not is_past and _ESTABLISHED.search(text[: found.start]) and context.assertion is Assertion.STATED:
            return Verdict.BLOCKS
        return Verdict.WARNS
    return Verdict.NOTES if is_past else Verdict.WARNS


def _is_in_organism(found: Found, text: str) -> bool:
    """Tell whether a hit is part of an organism's name (`Mycobacterium tuberculosis`), which is what a test found."""
    return any(
        match.start() <= found.start and found.end <= match.end()
        for match in MICROBE.finditer(text)
        if not DISEASE.fullmatch(match.group().split()[0])
    )


def _clear(
    value: Value, hits: Sequence[LeakHit], stage: str, element: Element, answers: Set[tuple[int, int]]
) -> tuple[list[LeakHit], list[Disclosure]]:
    """Decide automatically: cut what blocks, move what warns, keep the rest of the value where it was.

    What only warns and yet is the answer's own name (suspected, denied) is cut as well: moved, or left beside a key
    finding, it would answer the synthesis turn's question.
    """
    bad = [hit for hit in hits if hit.verdict is not Verdict.NOTES]
    if not bad:
        return list(hits), []
    if element is Element.TIMELINE or element is Element.DIAGNOSTIC_METHODS:
        return [_done(hit, LeakAction.WITHHELD) if hit in bad else hit for hit in hits], [
            Disclosure(value_id=value.id, text=None)
        ]
    cut = [hit for hit in bad if hit.verdict is Verdict.BLOCKS or (hit.start, hit.end) in answers]
    blocking = [(hit.start, hit.end) for hit in cut]
    warned = [(hit.start, hit.end) for hit in bad if hit not in cut]
    if stage == "synthesis":
        warned = []
    if stage == "synthesis" and not blocking:
        return list(hits), []
    changes = cleared_wording(value, blocking, warned)
    stays = any(one.text and not one.moved_to_synthesis for one in changes)
    # A part that cannot be told apart from what stays is gone from the turn all the same.
    can_move = bool(warned) and (not blocking or cut_clauses(value.text, blocking) is not None)
    result = []
    for hit in hits:
        if hit in cut:
            result.append(_done(hit, LeakAction.TRIMMED if stays or can_move else LeakAction.WITHHELD))
        elif hit.verdict is Verdict.WARNS and stage != "synthesis":
            result.append(_done(hit, LeakAction.MOVED if can_move else LeakAction.WITHHELD))
        else:
            result.append(hit)
    return result, changes


def _done(hit: LeakHit, action: LeakAction) -> LeakHit:
    return hit.model_copy(update={"action": action, "decided_by": AUTOMATIC, "reason": "by the policy `auto`"})


def _figure_hits(case: CaseRepresentation, search: LeakSearch) -> list[LeakHit]:
    hits = []
    first = 1 + len({turn for turn, stage, _, _ in _texts(case) if stage in ("history", "examination")})
    for at, figure in enumerate(one for one in case.figures if not one.is_excluded):
        for name, text in (("label", figure.label), ("modality", str(figure.modality))):
            for one in search.find(text):
                if one.term.strength is Strength.ANSWER:
                    hits.append(
                        LeakHit(
                            turn=first + at,
                            stage="image",
                            value_id=name,
                            term=one.term.text,
                            text=text[one.start : one.end],
                            start=one.start,
                            end=one.end,
                            verdict=Verdict.BLOCKS,
                        )
                    )
    return hits


def held_reason(case: CaseRepresentation) -> str:
    """Give why a person has to look at what is left after clearing; empty when at least half is disclosed early."""
    changed: dict[str, list[Disclosure]] = {}
    for one in case.disclosures:
        changed.setdefault(one.value_id, []).append(one)
    for name, elements in (("history", HISTORY_ELEMENTS), ("examination", EXAMINATION_ELEMENTS)):
        values = [value for element in elements for value in case.values(element)]
        before = sum(len(value.text) for value in values)
        after = sum(
            len(value.text)
            if value.id not in changed
            else sum(len(one.text or "") for one in changed[value.id] if not one.moved_to_synthesis)
            for value in values
        )
        if before and after < 0.5 * before:
            return (
                f"Clearing the leaks would take away more than half of the {name} "
                f"({before - after} of {before} characters); a person has to decide."
            )
    return ""
