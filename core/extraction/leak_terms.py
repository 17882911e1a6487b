"""The words that give a case's answer away, from its diagnosis, figures, treatment and reasoning."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from core.domain.article import CaseReport, PartKind
from core.domain.case import CaseRepresentation, Element
from core.extraction.anatomy import is_anatomy, is_qualifier
from core.extraction.case_text import level
from core.extraction.vocabulary import DISEASE, DRUG, GENE, MICROBE, OPERATION, ROUTINE_TEST, UNSPECIFIC_DISEASE
from core.language.terms import STOP_WORDS, Token, expand_abbreviations, stem, tokenise


class Strength(IntEnum):
    """How much of the answer a term gives."""

    UNSPECIFIC = 0
    HINT = 1
    COMPONENT = 2
    ANSWER = 3


@dataclass(frozen=True)
class LeakTerm:
    """A term to look for.

    Attributes:
        text: the term as people read it.
        stems: stems of its words, in order; all must be found close together.
        strength: how much of the answer it gives.
        is_short_form: an abbreviation, found with its letter case only.
        is_evidence: an organism or gene: named by a test, it is a result, which a key finding keeps at synthesis.
    """

    text: str
    stems: tuple[str, ...]
    strength: Strength
    is_short_form: bool = False
    is_evidence: bool = False


_GENERIC_DRUGS = """
antibiotic antibiotics steroid steroids corticosteroid corticosteroids insulin heparin aspirin paracetamol
acetaminophen morphine fentanyl warfarin
immunoglobulin chemotherapy analgesic vitamin lidocaine metformin anticoagulant anticoagulants diuretics amlodipine
atorvastatin simvastatin omeprazole
pantoprazole levothyroxine ceftriaxone ibuprofen diclofenac insulin antihistamine antihistamines one done medicine
routine baseline
"""
_GENERIC_OPERATIONS = frozenset(
    "repair drainage graft grafting bypass resection resected excision excised fixation reconstruction "
    "radiotherapy radiation "
    "laparotomy laparoscopy dialysis amputation transplantation transplant biopsy decompression excisional "
    "curettage stent stenting "
    "debridement phototherapy ablation".split()
)
_SIGN_ENDINGS = (
    "penia",
    "emia",
    "aemia",
    "uria",
    "algia",
    "megaly",
    "cytosis",
    "rrhea",
    "rrhoea",
    "paresis",
    "plegia",
    "ptosis",
    "trophy",
)
_INDUCED = re.compile(r"\b([\w-]+?)[- ](?:induced|associated|related)\b", re.IGNORECASE)
_SYNONYM = re.compile(
    r"(?:,|\(|;)?\s*(?:also|otherwise|formerly|previously|commonly|sometimes)?\s*(?:known|called|termed|"
    r"referred to|named|designated)\s+(?:as\s+)?(?:the\s+|an?\s+)?"
    r"[\"']?([A-Za-z][\w' -]{3,50}?)[\"']?(?=[,.;)]|\s(?:is|are|was|were|which|and|or|has|have|that|in|by)\b)",
    re.IGNORECASE,
)
_BRACKET_NAME = re.compile(r"\(([a-z][a-z -]{4,50}?)\)")


@lru_cache(maxsize=1)
def _generic_drug_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _GENERIC_DRUGS.split())


def is_distinctive(token: Token) -> bool:
    """Tell whether a word of a diagnosis is neither anatomy nor a qualifier found in many diagnoses."""
    return (
        not is_anatomy(token.stem)
        and not is_qualifier(token.stem)
        and token.word not in STOP_WORDS
        and token.word not in UNSPECIFIC_DISEASE
        and len(token.word) >= 4
        and not token.word[0].isdigit()
        and (bool(_CLINICAL_FORM.search(token.word)) or bool(DISEASE.fullmatch(token.word)))
        and not ROUTINE_TEST.fullmatch(token.word)
        and token.stem not in _routine_stems()
    )


# How clinical words are built; everyday words (`border`, `food`, `bolus`) are not built so.
_CLINICAL_FORM = re.compile(
    r"(?:itis|osis|oses|oma|omas|emia|pathy|penia|plasia|ous|otic|itic|oid|ic|iac|genic|ase|in|ine|ide|one|ella|"
    r"cocc\w*|myc\w*|"
    r"bacter\w*|ium|cele|lith|cyst\w*|trophy|sclerosis|stenosis|itary|ary|ular|eal|ial|uria|ism|ism|algia|ectasia|"
    r"ectasis|ysm|ema|"
    r"rrhage|thorax|phagia|mycosis|virus|viral)$"
)


@lru_cache(maxsize=1)
def _routine_stems() -> frozenset[str]:
    words = (
        "eosinophil neutrophil lymphocyte erythrocyte leukocyte monocyte platelet glucose sodium potassium calcium "
        "protein eosinophilic lymphocytic neutrophilic"
    )
    return frozenset(stem(word) for word in words.split())


def collect_leak_terms(article: CaseReport, case: CaseRepresentation) -> tuple[LeakTerm, ...]:
    """Give every term that gives the answer away, strongest first, each once.

    From the diagnosis: its whole wording, its disease words with their modifiers, its distinctive words and proper
    names, abbreviations the article defines for them and other names it gives. Then disease words of title, keywords,
    figure interpretations and reasoning, organisms and genes, and drugs and operations of the interventions and
    outcome. A case without a diagnosis gives no terms.
    """
    terms: list[LeakTerm] = []
    for value in case.final_diagnosis:
        terms += _from_diagnosis(expand_abbreviations(level(value.text), case.abbreviations))
    if not terms:
        return ()
    answers = [term for term in terms if term.strength is Strength.ANSWER]
    terms += _proper_names(article, case)
    terms += _other_names(article, answers)
    terms += _short_forms(case.abbreviations, terms)
    terms += _from_head(article)
    terms += _from_interpretations(case)
    terms += _from_treatment(case)
    best: dict[tuple[tuple[str, ...], bool], LeakTerm] = {}
    for term in terms:
        key = (term.stems, term.is_short_form)
        if term.stems and (key not in best or best[key].strength < term.strength):
            best[key] = term
    return tuple(sorted(best.values(), key=lambda term: (-term.strength, -len(term.stems), term.text)))


def _term(tokens: Iterable[Token], strength: Strength, text: str = "") -> LeakTerm:
    tokens = [token for token in tokens if token.word not in STOP_WORDS]
    return LeakTerm(text or " ".join(token.word for token in tokens), tuple(token.stem for token in tokens), strength)


def _from_diagnosis(text: str) -> list[LeakTerm]:
    tokens = [token for token in tokenise(text) if token.word not in STOP_WORDS]
    if not tokens:
        return []
    culprits = {stem(match.group(1).lower()) for match in _INDUCED.finditer(text)}
    terms = [_term(tokens, Strength.ANSWER, text)]
    diseases = [(match.start(), match.end()) for match in DISEASE.finditer(text)]
    for start, end in diseases:
        inside = [at for at, token in enumerate(tokens) if start <= token.start < end]
        if not inside:
            continue
        head = tokens[inside[-1]]
        modifiers = _modifiers_before(tokens, inside[0], text)
        own = [one for one in modifiers if is_distinctive(one)]
        for size in range(1, len(modifiers) + 1):
            terms.append(_term([*modifiers[-size:], *(tokens[at] for at in inside)], Strength.ANSWER))
        if head.word in UNSPECIFIC_DISEASE:
            terms.append(_term([head], Strength.UNSPECIFIC))
        elif own and head.word.endswith(_SIGN_ENDINGS):
            terms.append(_term([head], Strength.UNSPECIFIC))
        elif own:
            terms.append(_term([head], Strength.COMPONENT))
        else:
            terms.append(_term([head], Strength.ANSWER))
    if not diseases:  # a name without a known disease word: what is neither place nor qualifier names it
        terms.append(
            _term([one for one in tokens if not is_anatomy(one.stem) and not is_qualifier(one.stem)], Strength.ANSWER)
        )
    for token in tokens:
        if is_distinctive(token):
            strength = (
                Strength.UNSPECIFIC if token.stem in culprits or DRUG.fullmatch(token.word) else Strength.COMPONENT
            )
            terms.append(_term([token], strength))
    for match in MICROBE.finditer(text):
        words = tokenise(match.group())
        terms.append(replace(_term(words, Strength.ANSWER, match.group()), is_evidence=True))
        terms.append(replace(_term(words[:1], Strength.ANSWER, match.group().split()[0]), is_evidence=True))
    return terms


_FEWEST_NAME = 4


def _proper_names(article: CaseReport, case: CaseRepresentation) -> list[LeakTerm]:
    """Words of the diagnosis that the article writes with a capital only, also inside a sentence: eponyms."""
    texts = [level(part.text) for part in article.parts if part.kind in (PartKind.SECTION, PartKind.ABSTRACT)]
    found = []
    for token in (one for value in case.final_diagnosis for one in tokenise(level(value.text))):
        if len(token.word) < _FEWEST_NAME or is_anatomy(token.stem) or is_qualifier(token.stem):
            continue
        if token.word in STOP_WORDS or token.word in UNSPECIFIC_DISEASE:
            continue
        name = re.escape(token.word.capitalize())
        inside = re.compile(rf"[a-z,;)] {name}\b")
        small = re.compile(rf"\b{re.escape(token.word)}\b")
        if any(inside.search(text) for text in texts) and not any(small.search(text) for text in texts):
            # A genus is such a name too: found by a test, it is a result.
            found.append(replace(_term([token], Strength.ANSWER), is_evidence=True))
    return found


def _modifiers_before(tokens: list[Token], at: int, text: str) -> list[Token]:
    """Give up to three words straight before a disease word, not over a comma or bracket."""
    found: list[Token] = []
    later = tokens[at]
    for token in reversed(tokens[max(0, at - 3) : at]):
        if re.search(r"[,;:()]|\b(?:of|with|in|to|by|and|or|secondary|due)\b", text[token.end : later.start]):
            break
        found.insert(0, token)
        later = token
    return found


def _other_names(article: CaseReport, answers: list[LeakTerm]) -> list[LeakTerm]:
    """Other names the article gives: `X, also known as Y`, `X (y)`."""
    heads = {term.stems for term in answers if len(term.stems) <= 3}
    found: list[LeakTerm] = []
    for part in article.parts:
        if part.kind not in (PartKind.SECTION, PartKind.ABSTRACT):
            continue
        plain = level(part.text)
        for pattern in (_SYNONYM, _BRACKET_NAME):
            for match in pattern.finditer(plain):
                before = [token.stem for token in tokenise(plain[max(0, match.start() - 60) : match.start()])]
                tokens = tokenise(match.group(1))
                if not any(is_distinctive(token) for token in tokens) or not DISEASE.search(match.group(1)):
                    continue
                if any(before[-len(head) :] == list(head) for head in heads):
                    found.append(_term(tokens, Strength.ANSWER))
    return found


def _short_forms(abbreviations: dict[str, str], terms: list[LeakTerm]) -> list[LeakTerm]:
    found = []
    for short, long in abbreviations.items():
        if not (DISEASE.search(long) or MICROBE.search(long)):
            continue
        stems = [token.stem for token in tokenise(long) if token.word not in STOP_WORDS]
        best = Strength.UNSPECIFIC
        for term in terms:
            if term.strength >= Strength.COMPONENT and term.stems and contains(stems, term.stems):
                whole = len(term.stems) >= 0.6 * len(stems)
                best = max(best, term.strength if whole else Strength.COMPONENT)
            if term.strength is Strength.ANSWER and _lacks_only_where(stems, term.stems):
                best = Strength.ANSWER
        if best > Strength.UNSPECIFIC:
            found.append(LeakTerm(short, (short,), best, is_short_form=True))
            found.append(LeakTerm(long, tuple(stems), best))
    return found


def _lacks_only_where(stems: list[str], answer: tuple[str, ...]) -> bool:
    """Tell whether two or more stems are the whole answer but for its site and qualifiers."""
    rest = [one for one in answer if one not in stems]
    return (
        len(stems) > 1
        and contains(list(answer), tuple(stems))
        and all(is_anatomy(one) or is_qualifier(one) for one in rest)
    )


def contains(stems: list[str], wanted: tuple[str, ...]) -> bool:
    """Tell whether all wanted stems stand in `stems`, in any order."""
    return all(one in stems for one in wanted)


def _from_head(article: CaseReport) -> list[LeakTerm]:
    """Disease words of title and keywords: they nearly always name the answer, also where it was read differently."""
    texts = [part.text for part in article.parts if part.kind in (PartKind.TITLE, PartKind.KEYWORDS)]
    found = []
    for text in [article.title, *texts]:
        plain = level(text)
        for match in DISEASE.finditer(plain):
            tokens = tokenise(match.group())
            if all(map(is_distinctive, tokens)) and not match.group().lower().endswith(_SIGN_ENDINGS):
                found.append(_term(tokens, Strength.HINT))
        for match in MICROBE.finditer(plain):
            found.append(replace(_term(tokenise(match.group()), Strength.HINT, match.group()), is_evidence=True))
    return found


def _from_interpretations(case: CaseRepresentation) -> list[LeakTerm]:
    texts = [value.text for figure in case.figures for value in (*figure.significance, *figure.findings)]
    texts += [value.text for value in case.reasoning]
    texts += [value.text for value in case.values(Element.KEY_FINDINGS)]
    found = []
    for text in texts:
        plain = level(text)
        for match in DISEASE.finditer(plain):
            tokens = tokenise(match.group())
            word = match.group().lower()
            if word not in UNSPECIFIC_DISEASE and not word.endswith(_SIGN_ENDINGS) and all(map(is_distinctive, tokens)):
                found.append(_term(tokens, Strength.HINT))
        for match in MICROBE.finditer(plain):
            found.append(_term(tokenise(match.group()), Strength.HINT, match.group()))
        for match in GENE.finditer(plain):
            found.append(LeakTerm(match.group(), (match.group(),), Strength.HINT, is_short_form=True))
    return found


def _from_treatment(case: CaseRepresentation) -> list[LeakTerm]:
    texts = [value.text for key in (Element.INTERVENTIONS, Element.OUTCOME) for value in case.values(key)]
    found = []
    for text in texts:
        plain = level(text)
        for match in DRUG.finditer(plain):
            tokens = tokenise(match.group())
            if tokens and tokens[0].stem not in _generic_drug_stems():
                found.append(_term(tokens, Strength.HINT))
        for match in OPERATION.finditer(plain):
            if match.group().lower() not in _GENERIC_OPERATIONS:
                found.append(_term(tokenise(match.group()), Strength.HINT))
    return found
