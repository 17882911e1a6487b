"""Who the patient is: the noun phrase with age and sex, and where the presenting complaint begins after it."""

import re
from typing import NamedTuple

_NUMBER = (
    r"(?:\d{1,3}(?:[.,]\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|"
    r"three|four|five|six|seven|eight|nine))?)"
)
AGE = (
    rf"(?:{_NUMBER}[ -]*(?:and a half )?(?:years?|yrs?|months?|weeks?|days?|y)[- .]*(?:olds?|aged|of[- ]age)\b|"
    rf"\baged {_NUMBER}\b"
    rf"(?: years?| months?| days?)?|\b{_NUMBER} ?(?:y/o|yo|yrs?)\b|\bin (?:his|her|their) (?:early |mid-?|late )?"
    r"(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|\d0s)|\bnewborn\b|\bneonate\b)"
)
SEX = (
    r"(?:wom[ae]n|m[ae]n|males?|females?|boys?|girls?|gentlem[ae]n|lad(?:y|ies)|primigravida|multigravida|"
    r"housewife|nun|"
    r"infant|newborn|neonate|toddler|child|adolescent|teenager|patient|student|farmer|worker|athlete|soldier|"
    r"mother|nurse)"
)
_NO_VERB = (
    r"(?!(?:was|were|is|are|had|has|who|with|presented|presents|came|admitted|referred|visited|complained|suffering|"
    r"suffered|reported|and|in|at|on|to|from|for|we|report|reports|present|describe|here|herein|case|of|this)\b)"
)
PATIENT_PHRASE = re.compile(
    rf"\b(?:(?:an?|the|our|this|mrs?\.?|ms\.?)\s+)?(?:{_NO_VERB}[\w'/-]+,?\s+){{0,5}}?{AGE},?"
    rf"(?:\s+{_NO_VERB}[\w'()/-]+,?){{0,6}}?\s+{SEX}\b(?:\s+(?:patient|infant|child|athlete|student|smoker|farmer)\b)?",
    re.IGNORECASE,
)
_AFTER_SEX = re.compile(
    rf"\b(?:an?|the|our|this)?\s*(?:[\w'-]+\s+){{0,4}}?{SEX}\b(?:\s+patient)?,?\s+(?:who was\s+)?(?:\(|of\s+)?{AGE}",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"\b(?:mrs?|ms|"
    rf"miss)\b\.? ?[A-Z]\w{{0,12}}\.?(?: [A-Z]\w{{0,12}}\.?)?,? (?:an? )?{AGE}",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"\b(?:patient|subject)\b,? (?:\w+ ){{0,3}}?{AGE}|{AGE}(?=,? (?:\w+ )?(?:presented|was|with|"
    rf"complain))",
    re.IGNORECASE,
)
_AGE_ALONE = re.compile(rf"\b(?:an?|the|our|this)\s+(?:[\w'-]+\s+){{0,3}}?{AGE}", re.IGNORECASE)

# The age comes with the visit: `a boy, the second child of ..., who was evaluated at the age of 4 years`.
_AGE_AT_VISIT = re.compile(
    rf"\b(?:an?|the|our|this)\s+(?:[\w'-]+\s+){{0,4}}?{SEX}\b[^.;]{{0,120}}?\b(?:presented|came|referred|seen|"
    rf"evaluated|"
    rf"admitted|brought|examined|assessed|investigated)\b[^.;,]{{0,50}}?\bat (?:the )?age of {_NUMBER}"
    rf"(?:[- ](?:years?|months?|weeks?|days?)(?: and {_NUMBER} (?:months?|weeks?|days?))?)?",
    re.IGNORECASE,
)
# Who the patient is by calling, up to the word that says what happened or was had.
_CALLING = re.compile(
    rf"(?:\s+{_NO_VERB}(?!(?:fell|collapsed|developed|sustained|noticed|experienced|felt|lost|woke|awoke|began)\b)"
    r"[a-z'-]+){1,3}?(?=,?\s+(?:who|was|with|had|has|is|fell|felt|came|sought|began|awoke|woke|lost|took|went|"
    r"presents|[a-z]{3,}ed)\b)",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r",?\s+(?=(?:fell|collapsed|developed|sustained|noticed|experienced|felt|lost|woke|awoke|began|suffered|"
    r"was (?:hit|struck|stabbed|bitten|found|injured|kicked|thrown|involved))\b)",
    re.IGNORECASE,
)

# Cheap to look for, and part of every wording of an age.
_MAY_NAME_AGE = re.compile(
    r"old\b|aged\b|\by/?o\b|yrs?\b|newborn|neonate|of[ -]age|\bin (?:his|her|their)\b|years?\b", re.IGNORECASE
)

COMPLAINT_START = re.compile(
    r"\b(?:with|complaining of|complained of|complaints? of|due to|because of|for(?! the (?:first|past|last))|"
    r"after|following|"
    r"suffering from|affected by|who (?:complained|had|was|presented|developed|noticed|reported|suffered)|"
    r"(?:reporting|developed|having|experiencing) )\b|,\s+(?=(?:he|she|who|was|had)\b)",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:presented|presents|admitted|referred|attended|consulted|hospitali[sz]ed|brought|seen|visited|came|arrived|"
    r"transferred|presenting|evaluated|was found|sought|reported)\b",
    re.IGNORECASE,
)

# Something is said of the patient before the move to the clinic: `, affected by X, was referred ...`.
_APART = re.compile(r",?\s+(?:with|who had|who has|affected by|known|suffering from|having|diagnosed)\b", re.IGNORECASE)

_NOTHING_KNOWN = re.compile(r",? (?:with no|without|with an? un\w+)\b[^,;]{3,60}$", re.IGNORECASE)


class Presentation(NamedTuple):
    """A sentence that introduces the patient, as offsets into it: who (with the move to the clinic), and what for."""

    who_start: int
    who_end: int
    complaint_start: int | None


def find_patient_phrase(plain: str) -> tuple[int, int] | None:
    """Give where a sentence names the patient's age with sex (or age alone), as (start, end); None when it does not."""
    if not _MAY_NAME_AGE.search(plain):
        return None
    for pattern in (PATIENT_PHRASE, _AFTER_SEX, _AGE_AT_VISIT, _NAMED, _AGE_ALONE, _BARE):
        if match := pattern.search(plain):
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            calling = _CALLING.match(plain, match.end()) if pattern is _AGE_ALONE else None
            return start, calling.end() if calling else match.end()
    return None


def read_presentation(plain: str) -> Presentation | None:
    """Give the parts of a sentence that introduces the patient; None when it holds no age.

    The patient's part reaches to the word that opens the complaint (`with`, `complaining of`, `because of` ...) when
    a verb of coming stands between, else to the end of the noun phrase.
    """
    found = find_patient_phrase(plain)
    if found is None:
        return None
    start, end = found
    if event := _EVENT.match(plain, end):
        return Presentation(start, end, event.end())
    move = _MOVES.search(plain, end, min(len(plain), end + 220))
    apart = _APART.match(plain, end)
    if move and apart and apart.end() < move.start():
        # What he does not have belongs to who he is: `a man with no past history of note presented ...`.
        if _NOTHING_KNOWN.match(plain[end : move.start()]):
            return Presentation(start, move.start(), move.start())
        return Presentation(start, end, end)
    if move and move.start() - end > 90:
        move = None
    opening = COMPLAINT_START.search(plain, move.end() if move else end)
    if move and opening and opening.start() - end <= 160:
        return Presentation(start, opening.start(), opening.start())
    if move:
        return Presentation(start, len(plain), None)
    if opening and opening.start() - end <= 60:
        return Presentation(start, opening.start(), opening.start())
    return Presentation(start, end, None)
