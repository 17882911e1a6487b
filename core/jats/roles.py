"""What a section is for, from the words of its title: the vocabulary of case reports."""

import re
import unicodedata
from functools import lru_cache

from core.domain.article import CASE_ROLES, SectionRole

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
# "2. Case", "2.1 Findings", "III. Course", "A) History"; a bare number needs white space after it ("5 years later" is
# rare enough in titles, "1,1-diphenyl" is not).
_NUMBER = re.compile(
    r"^\s*(?:(?:\d{1,2}(?:\.\d{1,2})*[.):]?|[IVX]{1,5}[.):]|[A-H][.)])\s+|\d{1,2}(?:\.\d{1,2})*[.):]\s*)(?=\S)"
)
_SEC_TYPES = {
    "intro": SectionRole.INTRODUCTION,
    "discussion": SectionRole.DISCUSSION,
    "conclusion": SectionRole.CONCLUSION,
    "conclusions": SectionRole.CONCLUSION,
    "cases": SectionRole.CASE,
    "case": SectionRole.CASE,
    "methods": SectionRole.METHODS,
    "materials|methods": SectionRole.METHODS,
    "materials": SectionRole.METHODS,
    "results": SectionRole.RESULTS,
    "supplementary-material": SectionRole.DECLARATION,
    "COI-statement": SectionRole.DECLARATION,
    "coi-statement": SectionRole.DECLARATION,
    "data-availability": SectionRole.DECLARATION,
    "ethics-statement": SectionRole.DECLARATION,
    "author-contributions": SectionRole.DECLARATION,
    "funding-information": SectionRole.DECLARATION,
}

# Phrases by role, as patterns over the lower-case title without its number. The phrase that begins first decides, the
# longest of several that begin at one place. `^` holds a phrase to the beginning of the title, `$` to its end.
_PHRASES: dict[SectionRole, tuple[str, ...]] = {
    SectionRole.DECLARATION: (
        r"^(?:statement of |declaration of )?(?:written |patients?['’]?s? )?(?:informed )?consents?\b(?! form)",
        r"^(?:statement of )?ethic(?:s|al)?\b(?! dilemma)",
        r"^(?:declaration of |potential )?(?:conflicts?|competing|financial|duality|declaration)s? "
        r"(?:of |financial )?interests?",
        r"^declarations?\b",
        r"^disclosures?\b",
        r"^disclaimer",
        r"^(?:sources? of )?(?:fundings?\b|financial support|grant support|support$)",
        r"^financial (?:support|disclosure)",
        r"^acknowledge?ments?",
        r"^authors?['’]?s?['’]? (?:cont\w+|information|details|notes?|disclosure|statement)",
        r"^(?:credit )?(?:authorship|author statement|contributorship|contributors$|contributions?$)",
        r"^guarantors?\b",
        r"^provenance",
        r"^peer[- ]review",
        r"^(?:data|code|material)s?(?:,? (?:and|code|materials?))* (?:availability|sharing|accessibility|access)",
        r"^availability of (?:data|supporting|materials?|code)",
        r"^(?:research )?registration",
        r"^registration of research",
        r"^(?:clinical )?trial registration",
        r"^publisher['’]?s note",
        r"^open access",
        r"^orcid",
        r"^footnotes?$",
        r"^transparency",
        r"^licen[cs]e",
        r"^(?:list of |non-?standard )?abbreviations?\b",
        r"^(?:electronic |online |appendix\b.*)?supplement(?:al|ary|s)?\b",
        r"^supporting information",
        r"^additional (?:files?|information)",
        r"^associated data",
        r"^appendi(?:x|ces)",
        r"^key ?words?$",
        r"^references?$",
        r"^about this (?:supplement|article)",
        r"^(?:prior|previous) (?:presentation|publication)s?",
        r"^institutional review board",
        r"^irb\b",
        r"^patient and public involvement",
        r"^human (?:and|or) animal rights",
        r"^(?:conflitos? de interesses?|agradecimentos|agradecimientos|conflictos? de intereses|financiamiento|"
        r"remerciements|danksagung|interessenkonflikt)",
    ),
    SectionRole.LEARNING_POINTS: (
        r"^key (?:points?|messages?|clinical|teaching|learning|lessons?|facts?)\b",
        r"^(?:clinical )?learning (?:points?|objectives?|messages?)",
        r"^lessons?\b",
        r"^take[- ]home",
        r"^teaching points?",
        r"^clinical (?:pearls?|messages?|practice points?)",
        r"^practice points?",
        r"^highlights?$",
        r"^summary points?",
        r"^what (?:is|was) (?:already )?known",
        r"^what (?:this|does this|do we|are the new)\b",
        r"^(?:established facts|novel insights|core tips?|essentials)\b",
        r"\bcapsules?$",
    ),
    SectionRole.TIMELINE: (r"\btime ?lines?\b", r"^chronology", r"^calendar"),
    SectionRole.DISCUSSION: (
        r"^case discussions?\b",
        r"\bdiscussions?\b",
        r"^denouement",
        r"^comment(?:s|ary)?\b",
        r"\bliterature (?:review|search|survey)",
        r"\breview of (?:the )?literature",
        r"^(?:brief |short |narrative )?review\b",
        r"^expert opinion",
        r"^(?:strengths and )?limitations?\b",
        r"^(?:clinical )?(?:implications?|relevance|significance)\b",
        r"^(?:future )?(?:perspectives?|directions?)\b",
        r"^(?:discuss[aã]o|discusi[oó]n|diskussion|discussione)\b",
    ),
    SectionRole.CONCLUSION: (
        r"\bconclu(?:sions?|ding remarks)\b",
        r"^(?:final remarks|summary|outlook)\b",
        r"^(?:conclus[aãoõ]+e?s?|conclusi[oó]n(?:es)?|schlussfolgerung|fazit|conclusioni)\b",
    ),
    SectionRole.DIFFERENTIAL: (
        r"\bdifferential(?: diagnos[ie]s| considerations?)?\b",
        r"^(?:working|provisional|tentative) diagnos[ie]s",
    ),
    SectionRole.DIAGNOSIS: (
        r"\b(?:final |definitive |clinical |pathological )?diagnos[ie]s\b",
        r"^answers?\b",
        r"^diagnostic (?:reasoning|considerations?|challenges?)",
    ),
    SectionRole.OUTCOME: (
        r"\b(?:clinical |patient |treatment )?outcomes?\b",
        r"\bfollow[- ]?ups?\b",
        r"\b(?:clinical|hospital|post-?operative|subsequent|further|disease) (?:course|evolution|progress)\b",
        r"^(?:course|evolution|progress|prognosis|recovery)$",
        r"^(?:autopsy|post-?mortem|necropsy)\b",
        r"^patients?['’]?s? perspectives?\b",
    ),
    SectionRole.TREATMENT: (
        r"\b(?:surgical |medical |initial )?(?:treatments?|therap(?:y|ies)|therapeutic|interventions?|management)\b",
        r"^(?:surgery|surgical (?:procedure|technique|approach|intervention)s?|operations?|operative|procedures?)\b",
    ),
    SectionRole.INVESTIGATIONS: (
        r"\binvestigations?\b",
        r"\bdiagnostic (?:assessments?|tests?|testing|work-?ups?|evaluations?|focus|findings|imaging|"
        r"procedures?|methods?|studies)",
        r"\blaborator(?:y|ies)\b",
        r"^(?:blood|genetic|molecular|ancillary|paraclinical|additional|complementary)\b.*\b(?:tests?|testing|analys[ie]s|exams?|"
        r"examinations?|investigations?|findings|work-?up|studies)",
        r"\b(?:imaging|radiolog|patholog|histopatholog|histolog|microbiolog|microscop|immunohisto|immunolog|immunofluor|cytolog|"
        r"cytogenetic|endoscop|echocardiogra|electrocardiogra|electroencephalogra|electromyogra|electrophysiolog|ultraso|"
        r"serolog)\w*",
        r"\b(?:mri|ct scans?|ecg|eeg|magnetic resonance|computed tomography|x-rays?|exome sequencing|"
        r"genome sequencing)\b",
        r"^(?:tests?|test results|assessments?|work-?up|evaluations?)$",
    ),
    SectionRole.EXAMINATION: (
        r"\b(?:physical|clinical|general|neurological|ophthalmic|ocular|intraoral|extraoral|systemic|local|initial) "
        r"(?:examinations?|exam|findings?|signs)\b",
        r"^(?:on )?examinations?\b",
        r"^(?:clinical )?findings?$",
        r"^signs and symptoms",
    ),
    SectionRole.HISTORY: (
        r"\b(?:medical |clinical |past |family |social |surgical |personal |psychosocial |present )*"
        r"(?:history|histories)\b",
        r"^(?:anamnesis|antecedents)\b",
        r"^patients?['’]?s? (?:information|characteristics|demographics?|details|concerns?|data|profile)\b",
        r"^(?:presenting|chief|main|primary) (?:concerns?|complaints?|symptoms?|problems?)\b",
        r"^(?:clinical |initial )?presentation$",
        r"^presenting (?:features|illness)",
        r"^symptoms?$",
    ),
    SectionRole.CASE: (
        r"\bcases?(?: (?:reports?|presentations?|descriptions?|stud(?:y|ies)|summar(?:y|ies)|records?|series|"
        r"histor(?:y|ies)|details?|vignettes?|illustrations?))?\b",
        r"\b(?:presentation|report|description|summary|history) of (?:the |a |our |two |three )?(?:clinical )?"
        r"(?:cases?|patients?)\b",
        r"^(?:our |the |index |first |second |third )?(?:patients?|probands?)\b(?! (?:and|or) method)",
        r"^patients? (?:presentation|report|description)",
        r"^(?:clinical )?(?:observations?|vignettes?)\b",
        r"\b(?:relatos? (?:de|do|dos) casos?|casos? cl[ií]nicos?|descri[cç][aã]o do caso|reporte de caso|"
        r"presentaci[oó]n del caso|cas clinique|fallbericht|kasuistik|caso clinico)\b",
    ),
    SectionRole.METHODS: (
        r"\b(?:methods?|methodology|study (?:design|population)|statistical analys[ie]s|search strategy)\b",
        r"^(?:materials?|experimental|subjects?|participants?)\b",
        r"^patients? and methods?",
        r"\b(?:m[eé]todos?|metodolog[ií]a|methoden|m[eé]thodes)\b",
    ),
    SectionRole.RESULTS: (r"^(?:main |key )?results?\b", r"^(?:resultados?|ergebnisse|r[eé]sultats|risultati)\b"),
    SectionRole.INTRODUCTION: (
        r"^(?:introductions?|backgrounds?|objectives?|aims?|purpose|rationale|preface|overview)\b",
        r"^(?:to the editor|dear (?:editor|sir))",
        r"^(?:introdu[cç][aã]o|introducci[oó]n|einleitung|einf[uü]hrung|introduzione)\b",
    ),
}
_COMPILED = {role: re.compile("|".join(phrases)) for role, phrases in _PHRASES.items()}
_OWN_INSIDE_RESULTS = frozenset({SectionRole.CASE, SectionRole.DISCUSSION, SectionRole.DECLARATION})
_KEEP_INSIDE = frozenset(
    {
        SectionRole.DECLARATION,
        SectionRole.DISCUSSION,
        SectionRole.LEARNING_POINTS,
        SectionRole.METHODS,
        SectionRole.CONCLUSION,
    }
)


def plain_title(title: str) -> str:
    """Give a section title without its number, typographic spaces and dashes made plain; empty stays empty."""
    text = " ".join(unicodedata.normalize("NFKC", title).split())
    number = _NUMBER.match(text)
    return text[number.end() :].strip() if number else text


@lru_cache(maxsize=4096)
def role_of_title(title: str) -> SectionRole | None:
    """Give the role a title names; None when its words name none (the section then inherits)."""
    words = title.translate(_DASHES).strip(" .:;-\u2019'\"").lower()
    best: tuple[int, int] | None = None
    found: SectionRole | None = None
    for role, pattern in _COMPILED.items():
        match = pattern.search(words)
        if match is None:
            continue
        rank = (match.start(), -max(len(m.group()) for m in pattern.finditer(words) if m.start() == match.start()))
        if best is None or rank < best:
            best, found = rank, role
    return found


def role_of_section(title: str, sec_type: str, inherited: SectionRole | None) -> SectionRole:
    """Give the role of a section from its title, else its `sec-type`, else the section around it.

    A treatment or outcome inside a case section keeps its own role; a subsection of a declaration, a discussion,
    learning points, methods or results stays with the section around it, whatever an ordinary title says.
    """
    own = role_of_title(title)
    if inherited in _KEEP_INSIDE:
        return own if own in (SectionRole.DECLARATION, SectionRole.LEARNING_POINTS) else inherited
    if inherited is SectionRole.RESULTS:
        return own if own in _OWN_INSIDE_RESULTS else inherited
    if own is SectionRole.CASE and inherited in CASE_ROLES:
        return inherited or own
    return own or _SEC_TYPES.get(sec_type.strip()) or inherited or SectionRole.OTHER
