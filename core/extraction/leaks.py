"""The leak audit (protocol.md section 5): every text a model would see is searched for the answer.

How decisions are stored, for whoever discloses: a value without an entry in `case.disclosures` is disclosed as it is.
A value with entries is disclosed only as these say: `text=None` withholds it; `moved_to_synthesis=True` shows that text
at the synthesis turn instead of at its own stage; otherwise the text (a trimmed or edited wording) is shown at its own
stage. A value may have two entries: what stays and what moves.
"""

import re
from collections.abc import Sequence

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
from core.extraction.leak_search import Found, LeakSearch
from core.extraction.leak_terms import Strength, collect_leak_terms
from core.language.negation import Assertion, context_of
from core.language.sentences import split_clauses

SYNTHESIS_ELEMENTS = (Element.KEY_FINDINGS, Element.DIAGNOSTIC_METHODS, Element.TIMELINE)
AUTOMATIC = "automatic"
_ESTABLISHED = re.compile(
    r"\b(?:diagnos\w+|confirm\w+|consistent with|compatible with|in keeping with|established|proved|revealed|known|"
    r"due to|secondary to|caused by)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_CONCLUDING_TAIL = re.compile(
    r",?\s+(?:(?:which|that|findings?|features?|and|thus|thereby|strongly|highly|most|all|was|were|is|"
    r"are) )*(?:suggest(?:ing|ive of|ed|s)|consistent with|"
    r"compatible with|in keeping with|indicat(?:ing|ive of|ed)|confirm(?:ing|ed)|diagnostic of|characteristic of|"
    r"supporting|leading to|typical (?:of|for)|due to|"
    r"secondary to|caused by|because of|representing|corresponding to)\b",
    re.IGNORECASE,
)
# `no further obstruction` says that there was one.
_PRESUPPOSED = re.compile(
    r"\b(?:no|without|not|any|of) (?:\w+ ){0,3}?(?:further|residual|recurren\w+|remaining|additional|persistent|"
    r"more|relapse of)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3


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
    decided = {_key(hit): hit for hit in case.leaks if hit.decided_by and hit.decided_by != AUTOMATIC}
    by_person = {hit.value_id for hit in decided.values()}
    kept = {one.value_id for one in case.disclosures} & by_person
    disclosures = [one for one in case.disclosures if one.value_id in kept]
    hits: list[LeakHit] = []
    for turn, stage, element, value in _texts(case):
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
            for one in search.find(value.text)
            if (verdict := _verdict(one, value.text, stage, element)) is not None
        ]
        found = [decided.get(_key(hit), hit) for hit in found]
        if policy is LeakPolicy.AUTO and value.id not in by_person:
            found, changes = _clear(value, found, stage, element)
            disclosures += changes
        hits += found
    hits += _figure_hits(case, search)
    audited = case.model_copy(
        update={"leaks": tuple(hits), "disclosures": tuple(disclosures), "leak_policy": policy, "held_reason": ""}
    )
    held = _held_reason(audited) if policy is LeakPolicy.AUTO else ""
    return audited.model_copy(update={"held_reason": held})


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
    if stage == "synthesis" and found.term.is_evidence and element is Element.KEY_FINDINGS:
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


def _clear(
    value: Value, hits: Sequence[LeakHit], stage: str, element: Element
) -> tuple[list[LeakHit], list[Disclosure]]:
    """Decide automatically: cut what blocks, move what warns, keep the rest of the value where it was."""
    bad = [hit for hit in hits if hit.verdict is not Verdict.NOTES]
    if not bad:
        return list(hits), []
    if element is Element.TIMELINE or element is Element.DIAGNOSTIC_METHODS:
        return [_done(hit, LeakAction.WITHHELD) if hit in bad else hit for hit in hits], [
            Disclosure(value_id=value.id, text=None)
        ]
    blocking = [(hit.start, hit.end) for hit in bad if hit.verdict is Verdict.BLOCKS]
    warned = [(hit.start, hit.end) for hit in bad if hit.verdict is Verdict.WARNS]
    if stage == "synthesis":
        warned = []
    stays = cut_clauses(value.text, [*blocking, *warned])
    allowed = cut_clauses(value.text, blocking) if blocking else value.text
    changes: list[Disclosure] = []
    if stage == "synthesis" and not blocking:
        return list(hits), []
    if stays:
        changes.append(Disclosure(value_id=value.id, text=stays))
    moved = [hit for hit in bad if hit.verdict is Verdict.WARNS and stage != "synthesis"]
    can_move = bool(moved) and allowed is not None
    if can_move and allowed is not None:
        text = allowed if not stays else _difference(allowed, stays)
        if text:
            changes.append(Disclosure(value_id=value.id, text=text, moved_to_synthesis=True))
    if not changes:
        changes.append(Disclosure(value_id=value.id, text=None))
    result = []
    for hit in hits:
        if hit.verdict is Verdict.BLOCKS:
            result.append(_done(hit, LeakAction.TRIMMED if stays or can_move else LeakAction.WITHHELD))
        elif hit.verdict is Verdict.WARNS and stage != "synthesis":
            result.append(_done(hit, LeakAction.MOVED if can_move else LeakAction.WITHHELD))
        else:
            result.append(hit)
    return result, changes


def _done(hit: LeakHit, action: LeakAction) -> LeakHit:
    return hit.model_copy(update={"action": action, "decided_by": AUTOMATIC, "reason": "by the policy `auto`"})


def cut_clauses(text: str, ranges: Sequence[tuple[int, int]]) -> str | None:
    """Give the text without the clauses that hold any of the ranges; None when fewer than three words would be left.

    A concluding tail (`..., consistent with X`) is cut alone; else the whole clause goes.
    """
    if not ranges:
        return text
    kept: list[str] = []
    for clause in split_clauses(text):
        inside = [(start, end) for start, end in ranges if start < clause.end and end > clause.start]
        if not inside:
            kept.append(text[clause.start : clause.end])
            continue
        first = min(start for start, _ in inside)
        tails = [match for match in _CONCLUDING_TAIL.finditer(text, clause.start, clause.end) if match.start() < first]
        if tails and len(text[clause.start : tails[0].start()].split()) > _FEWEST_WORDS:
            kept.append(text[clause.start : tails[0].start()])
    kept = _without_fragment(text, kept)
    left = ", ".join(piece.strip(" ,;") for piece in kept)
    if len(left.split()) < _FEWEST_WORDS:
        return None
    return left if left.endswith((".", "?", "!")) or not text.rstrip().endswith(".") else f"{left}."


_OPENING_WORD = re.compile(
    r"^(?:and|or|but|which|who|whose|while|whereas|although|because|so that|"
    r"of)\s+",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^(?:had|has|have|was|were|is|are|did|does|been|with|without|by|underwent|started|received|revealed|showed|"
    r"denied|led|followed|"
    r"suggesting|indicating|showing|revealing)\b",
    re.IGNORECASE,
)


def _without_fragment(text: str, kept: list[str]) -> list[str]:
    """Give the clauses kept, without joining words at the front and without clauses that lost their subject."""
    while kept and not text.startswith(kept[0]):
        opened = _OPENING_WORD.sub("", kept[0])
        if not _NO_SUBJECT.match(opened):
            return [opened, *kept[1:]]
        kept = kept[1:]
    return kept


def _difference(whole: str, stays: str) -> str:
    """Give the clauses of `whole` that `stays` lacks."""
    gone = [whole[one.start : one.end] for one in split_clauses(whole)]
    return ", ".join(piece for piece in gone if piece.strip(" ,;.") not in stays) or ""


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


def _held_reason(case: CaseRepresentation) -> str:
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
