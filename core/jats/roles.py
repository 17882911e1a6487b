"""What a section is for, from the words of its title: the vocabulary of case reports."""

import re
import unicodedata
from functools import lru_cache

from core.domain.article import SectionRole

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
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

# First rule that fits wins; each is a pattern over the lower-case title without its number.
_RULES: tuple[tuple[SectionRole, str], ...] = (
    (
        SectionRole.DECLARATION,
        r"^(?:.*\b)?(?:informed consent|(?:patient|written|ethics?|ethical) (?:consent|approval|statements?|considerations?|"
        r"clearance|declarations?|permission)|consents?(?: (?:for|to) .*| statements?)?$|statement of (?:ethics|consent)|"
        r"conflicts? of interests?|competing (?:financial )?interests?|declarations?(?: of .*)?$|disclosures?(?: statements?)?$|"
        r"disclaimers?$|fundings?\b(?: .*)?$|sources? of (?:funding|support)|financial (?:support|disclosure)|grant support|"
        r"acknowledge?ments?|authors?['\u2019]?s?['\u2019]? (?:contributions?|information|details|note)|"
        r"contributorship|contributors$|guarantors?|provenance|peer review|"
        r"(?:data|code|availability)(?: and materials?| of data| sharing)?(?: availability|sharing statement)|"
        r"availability of (?:supporting )?data|data (?:sharing|accessibility)|registration of research|research registration|"
        r"trial registration|publisher[\u2019']?s note|open access|ethics$|ethical (?:issues|standards?)|orcid|footnotes?$|"
        r"transparency|licen[cs]e|abbreviations?(?: used)?$|list of abbreviations|supplementa(?:l|ry) (?:materials?|information|"
        r"data|files?|figures?|tables?|content|digital content)|supporting information|additional (?:files?|information)|"
        r"electronic supplementary|appendix\b|keywords?$|key words$|references?$|about this supplement|prior presentation|"
        r"institutional review board|irb\b|patient and public involvement|equator|"
        r"crediT authorship)",
    ),
    (
        SectionRole.LEARNING_POINTS,
        r"^(?:key (?:points?|messages?|clinical messages?|teaching points?|learning points?|words and)|"
        r"(?:key )?(?:clinical )?learning (?:points?|objectives?)|learning|"
        r"lessons?(?: learn(?:ed|t))?|take[- ]home (?:messages?|points?)|teaching points?|clinical (?:pearls?|messages?|"
        r"implications? box)|practice points?|highlights?|summary points?|what (?:was|is) (?:already )?known.*|"
        r"what (?:this|does this|are) .*add.*|established facts|novel insights|core tips?|.*capsules?)$",
    ),
    (SectionRole.TIMELINE, r"^(?:case )?(?:timeline|time line|chronology|calendar)\b.*$"),
    (
        SectionRole.DISCUSSION,
        r"^(?:(?:results? and |case )?discussions?\b.*|denouement|comments?|commentary|(?:brief |narrative )?"
        r"(?:literature review|review of (?:the )?literature)|literature (?:search|survey).*|expert opinion|"
        r"(?:clinical )?(?:relevance|implications?)|limitations?.*|strengths and limitations|perspectives?|"
        r"future (?:directions?|perspectives?))$",
    ),
    (
        SectionRole.CONCLUSION,
        r"^(?:(?:summary and |final )?conclusions?\b.*|concluding remarks|summary|final remarks|outlook)$",
    ),
    (
        SectionRole.DIFFERENTIAL,
        r"^(?:.*\b)?(?:differential(?: diagnos[ie]s)?|differential considerations?|working diagnos[ie]s)\b.*$",
    ),
    (
        SectionRole.OUTCOME,
        r"^(?:outcomes?|(?:clinical |patient )?(?:outcomes?|course|evolution|progress)|(?:hospital|clinical|postoperative) course|"
        r"outcomes? and follow[- ]?ups?|(?:.*\band )?follow[- ]?ups?(?: and outcomes?)?|prognosis|recovery|"
        r"autopsy(?: findings?)?|post[- ]?mortem.*|.*\boutcome)$",
    ),
    (
        SectionRole.TREATMENT,
        r"^(?:.*\b)?(?:treatments?|therap(?:y|ies)|therapeutic(?: \w+){0,2}|interventions?|(?:surgical |medical |"
        r"clinical )?management|surgery|surgical (?:procedure|technique)s?|operation|operative (?:technique|procedure|findings?)|"
        r"procedure)\b.*$",
    ),
    (
        SectionRole.DIAGNOSIS,
        r"^(?:(?:final |definitive |clinical |diagnosis and |pathological )?diagnos[ei]s(?: and (?:classification|"
        r"staging))?|answers?(?: to .*)?|(?:diagnosis|diagnostic) (?:reasoning|considerations?))$",
    ),
    (
        SectionRole.INVESTIGATIONS,
        r"^(?:.*\b)?(?:investigations?|diagnostic (?:\w+ )?(?:assessments?|tests?|testing|work[- ]?up|evaluations?|focus|findings|"
        r"imaging|procedures?|methods?|focus and assessment)|laborator(?:y|ies)\b.*|(?:blood|genetic|molecular|imaging|radiolog\w*|"
        r"patholog\w*|histo\w+|microbiolog\w*|microscop\w*|immuno\w+|cytogenetic\w*|cytolog\w*|endoscop\w*|"
        r"echocardiogra\w*|electro\w+|ultraso\w+|mri|ct|magnetic resonance.*|computed tomography.*|x-ray|serolog\w*|"
        r"exome sequencing|sequencing)(?: \w+){0,3}|imaging|tests?(?: results?)?|assessments?|work[- ]?up|evaluation|paraclinical.*)$",
    ),
    (
        SectionRole.EXAMINATION,
        r"^(?:.*\b)?(?:physical (?:examination|exam|findings)(?:s)?|clinical (?:examination|findings?|features|signs)|"
        r"(?:initial |general |ophthalmic |neurological |oral |extraoral |intraoral )?examinations?(?: findings?)?|on examination|"
        r"findings?|signs and symptoms)$",
    ),
    (
        SectionRole.HISTORY,
        r"^(?:(?:clinical |medical |past |patient |family |social |surgical |past medical |personal |psychosocial |present |"
        r"case |drug |medication |birth )*(?:history|histories|anamnesis|antecedents)\b.*|history of .*|"
        r"patients?['\u2019]?s? (?:information|characteristics|demographics?|details|concerns?|data)|"
        r"(?:presenting|chief|main|primary|patient) (?:concerns?|complaints?|symptoms?|problem)|presenting (?:concerns?|complaints?)|"
        r"(?:clinical |initial )?presentation|presenting (?:features|illness)|symptoms?|presentation at .*)$",
    ),
    (
        SectionRole.CASE,
        r"^(?:.*\b)?(?:cases?(?: (?:reports?|presentations?|descriptions?|stud(?:y|ies)|summar(?:y|ies)|records?|series|details?|"
        r"overview|illustration|vignettes?|findings|information|examples?))?(?: (?:no\.? ?)?(?:\d{1,2}|[ivx]{1,4}|one|two|three|"
        r"four|five|a|b|c))?(?:[:.,\-(].*)?|(?:presentation|report|description|summary) of (?:the |a |our |clinical )?(?:cases?|patients?)|"
        r"case (?:report|presentation|description|study|summary|history)s? .*|clinical (?:case|vignette|summary|report|observation)s?.*|"
        r"(?:our |the |index |first |second |third )?(?:patients?|probands?)(?: (?:\d{1,2}|[ivx]{1,4}|one|two|three|presentation|"
        r"description|report|[a-d]))?(?:[:.,\-(].*)?|patients? (?:presentation|report|description|and methods?)|"
        r"observations?|vignette|the case|image presentation|illustrative case)$",
    ),
    (
        SectionRole.METHODS,
        r"^(?:.*\b)?(?:methods?|methodology|materials?(?: and methods?)?|patients and methods|study (?:design|population)|"
        r"statistical analys[ie]s|search strategy|experimental.*|subjects?)\b.*$",
    ),
    (SectionRole.RESULTS, r"^(?:main |key )?results?\b.*$"),
    (
        SectionRole.INTRODUCTION,
        r"^(?:introductions?\b.*|background\b.*|objectives?|aims?|purpose|rationale|preface|overview|to the editor.*|dear editor.*)$",
    ),
)
_COMPILED = tuple((role, re.compile(pattern, re.IGNORECASE)) for role, pattern in _RULES)


def plain_title(title: str) -> str:
    """Give a section title without its number, typographic spaces and dashes made plain; empty stays empty."""
    text = " ".join(unicodedata.normalize("NFKC", title).split())
    return _NUMBER.sub("", text).strip()


@lru_cache(maxsize=4096)
def role_of_title(title: str) -> SectionRole | None:
    """Give the role a title names; None when its words name none (the section then inherits)."""
    words = title.translate(_DASHES).strip(" .:;-\u2019'\"").lower()
    if not words:
        return None
    return next((role for role, pattern in _COMPILED if pattern.match(words)), None)


def role_of_section(title: str, sec_type: str, inherited: SectionRole | None) -> SectionRole:
    """Give the role of a section from its title, else its `sec-type`, else the section around it.

    A result, treatment or discussion inside a case section keeps its own role; a subsection of a declaration, a
    discussion or learning points always stays with the section around it, whatever its title says.
    """
    if inherited in (SectionRole.DECLARATION, SectionRole.DISCUSSION, SectionRole.LEARNING_POINTS, SectionRole.METHODS):
        own = role_of_title(title)
        return own if own in (SectionRole.DECLARATION, SectionRole.LEARNING_POINTS) else inherited
    own = role_of_title(title) or _SEC_TYPES.get(sec_type.strip())
    return own or inherited or SectionRole.OTHER
