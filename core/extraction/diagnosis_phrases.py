"""How articles word a diagnosis: the expressions that report one, and where its words begin and end."""

import re

from core.extraction.anatomy import is_anatomy, is_qualifier
from core.extraction.case_text import Statement
from core.extraction.vocabulary import DISEASE, MICROBE
from core.language.terms import expand_abbreviations, tokenise

_END = re.compile(
    r"""[.;:]|\s-\s|,\s+(?:which|who|that|and\s+(?:he|she|the\s+patient|was|started|treated|treatment)|he|she|based|because|a\s+rare|an\s+uncommon|
    treated|successfully|confirmed|so|therefore|thus|although|but|where|with\s+(?:no|the\s+patient|subsequent)|after
    |following|in\s+(?:a|an|our|this)|we)\b
    |\s(?:based\s+on|on\s+the\s+bas[ei]s|was|were|is|are|has|had|have|be|been|being|who|which|that|because|since
    |given|by\s+(?:means|histo\w+|biops\w+|
    using|the|immuno\w+|ct|mri)|on\s+(?:histo\w+|biops\w+|the|ct|mri|imaging|ultraso\w+|immuno\w+|admission|day)|upon
    |according|as\s+(?:evidenced|shown|
    suggested|well\s+as)|after|following|before|treated|successfully|misdiagnosed|detected|diagnosed|discovered
    |identified|presenting|presented|
    manifest(?:ing|ed)|mimicking|masquerading|managed|requiring|for\s+which|from\s+(?:our|the\s+(?:literature|hospital|clinic))|through|via|when|while
    |where|whose|without\s+(?:any|the)|
    rather\s+than|as\s+(?:the|an?)\s+(?:\w+\s+){0,2}?(?:manifestation|presentation|sign|cause|complication|feature
    |result|sequela)|including|such\s+as|mimics|could|can|may|might|should|must|would|will|to\s+(?:be|our)|at\s+(?:the
    |our|a)|during
    |within|until|despite|whom
    |made|established|confirmed|
    (?:in|of|affecting)\s+(?:a|an|our|this|his|her|the|one|two)\s+(?:(?!in\b|with\b|of\b
    |by\b)[\w-]+\s+){0,4}?(?:patients?|wom[ae]n|m[ae]n
    |boys?|girls?|child|infant|females?|males?|
    lady|gentleman|adolescent|neonate|newborn|adult|case|literature|setting|context|years?[- ]old|\d+[- ]\w+[- ]old
    |\d+)|in\s+(?:a|an)\s+\d|
    in\s+(?:pregnancy|childhood|adults|children)|and\s+(?:was|were|he|she|is|the\s+patient|underwent|started|treated
    |received|discuss\w*|review\w*|to|its|
    their|reported|literature|a\s+review|were|has|had))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAD = re.compile(
    r"""^(?:\W+|(?:an?|the|our|his|her|their|this|that|extremely|very|rare|unusual|uncommon|interesting|unique|first|typical|classic(?:al)?|challenging|
    documented|reported|known|new|single|such|atypical|peculiar|exceptional|remarkable|complex|fatal|another|one|new
    |case|cases|clinical|diagnosis|form|
    example|occurrence|presence|having|being|changed\s+to|revised\s+to|established\s+as|made|with|as|of|to\s+be|with\s+a|suffering|from|affected|by|variant|entity
    |patient|is|was|be|following)\b[\s,]*)+""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = re.compile(
    r"(?:[\s,;:(]+(?:and|or|with|of|in|a|an|the|as|by|on|at|to|for|from|case|cases|report|patient|due|secondary|"
    r"also|then|only|which|who))+$",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\s*(?:\((?:fig|table|image)[^)]*\)|\[[\d,\s-]+\])", re.IGNORECASE)

# Expressions that report a diagnosis, with how much they say; the diagnosis begins where the match ends.
PATTERNS: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.IGNORECASE))
    for weight, pattern in (
        (
            8,
            r"\b(?:final|definit(?:ive|e)|confirmed|ultimate) diagnos[ei]s(?: of the patient)?(?: (?:was|is|were|"
            r"of|made was|as)|\s*[:=-])+ ",
        ),
        (
            6,
            r"\bdiagnosis of (?=[^.;]{3,110}\b(?:was|were|is|has been) (?:finally |then |thus |subsequently |"
            r"therefore |definitively |"
            r"further |histologically |later |also )?(?:made|confirmed|established|reached|given|proven|proved|"
            r"rendered|verified|supported|achieved))",
        ),
        (
            6,
            r"\b(?:established|confirmed|confirming|made|reached|supported|supporting|yielded|rendered|clinched|"
            r"secured|verified) (?:the |a |our |this )?"
            r"(?:final |definitive |definite |histological |pathological |clinical )?diagnosis (?:of|as) ",
        ),
        (
            5,
            r"\b(?:led to|leading to|resulted in|allowed|in) (?:the |a |us to make the )?(?:final |definitive |"
            r"correct )?diagnosis of ",
        ),
        (
            5,
            r"\b(?:was|were|is|been|being) (?:finally |then |subsequently |eventually |therefore |thus |"
            r"ultimately |definitively |later |histologically |"
            r"pathologically |clinically |further )?(?:diagnosed|labell?ed|classified|identified) (?:as|with|"
            r"to have|as having|to be) ",
        ),
        (
            5,
            r"\bwe (?:finally |therefore |thus |then )?(?:diagnosed|made (?:the|a) diagnosis)(?: (?:this|the|our|"
            r"her|him)(?: \w+)?)? (?:with|as|of) ",
        ),
        (4, r"\bdiagnos(?:ed|is) (?:as|with|of) "),
        (4, r"\bdiagnosis (?:was|is) (?:consistent with |compatible with |in keeping with |that of )?"),
        (
            3.5,
            r"\b(?:histopatholog\w+|histolog\w+|patholog\w+|biops\w+|immunohistochem\w+|culture|autopsy|"
            r"examination|analysis|"
            r"findings|results?|sections?)\b[^.;]{0,60}?\b(?:confirmed|proved|established|(?:was|"
            r"were) consistent with|consistent with|"
            r"compatible with|diagnostic of|in keeping with) (?:the presence of |a |an |the )?",
        ),
        (
            2.2,
            r"\b(?:histopatholog\w+|histolog\w+|patholog\w+|biops\w+|immunohistochem\w+|autopsy|examination|"
            r"analysis|sections?)\b"
            r"[^.;]{0,60}?\b(?:revealed|showed|demonstrated|displayed) (?:the presence of |a |an |the )?",
        ),
        (
            3,
            r"\b(?:confirmed|confirming|confirmation of|proved to be|proven to be|turned out to be|found to have|"
            r"found to be|diagnostic of|"
            r"consistent with|compatible with|in keeping with|pathognomonic (?:of|for)|"
            r"compatible with) (?:the presence of |a |an )?",
        ),
        (
            2.5,
            r"\b(?:suggestive of|indicative of|typical (?:of|for)|characteristic of|representing) (?:an? |the )?",
        ),
        (
            2.0,
            r"\b(?:tomogra\w+|\bct|mri|ultraso\w+|echocardiogra\w+|endoscop\w+|colonoscop\w+|fundus\w*|x-rays?|"
            r"radiogra\w+|angiogra\w+|"
            r"bronchoscop\w+|(?:an)?oct|electrocardiogra\w+|ecg|laparotomy|exploration|"
            r"intraoperatively)\b[^.;]{0,70}?\b(?:confirmed|revealed|showed|"
            r"demonstrated|disclosed|found|noted|identified) (?:the presence of |a |an |the )?",
        ),
    )
)
REPORTS = re.compile(
    r"\b(?:case|cases|patient|presentation|instance|example|occurrence|(?:wom[ae]n|m[ae]n|(?:fe)?male|boy|girl|"
    r"infant|child|lady|gentleman)) "
    r"(?:of|with|presented with|presents with|had|affected by|suffering from|diagnosed with|who had|"
    r"who was diagnosed with|developing|having) ",
    re.IGNORECASE,
)
OWN = re.compile(
    r"\b(?:we (?:report|present|describe|discuss|document|encountered)|(?:this|our|the present) (?:case|report|"
    r"patient)|(?:is|was) (?:reported|presented|described)|"
    r"here(?:in)?|reported here)\b",
    re.IGNORECASE,
)
TENTATIVE = re.compile(
    r"\b(?:initial(?:ly)?|provisional|presumptive|presumed|working|preliminary|differential|suspect\w*|possible|"
    r"clinical(?:ly)? (?:diagnosis of|diagnosed)|"
    r"misdiagnos\w+|tentative|first|preoperative|considered|suspicion|impression|mistaken|erroneous\w*|previous\w*|"
    r"originally|delayed|had been|had previously|at first|mimic\w*|"
    r"years (?:ago|before|earlier|prior)|months (?:ago|before|earlier|prior)|history of|past|known|in childhood|"
    r"prior to)\b",
    re.IGNORECASE,
)
FAMILY = re.compile(r"\b(?:famil\w+|mother|father|brother|sister|parents|siblings)\b", re.IGNORECASE)
TITLE_CUT = re.compile(
    r"""(?:[:.]\s*|\s[-–—]\s*|,\s*)?(?:\b(?:an?\s+)?(?:\w+\s+){0,2}?(?:case\s+(?:report|stud(?:y|ies)|series|presentation|description)|report\s+of\s+(?:a|an|one|two|three)\b
    .*?case\w*|review\s+of\s+(?:the\s+)?literature|literature\s+review|clinical\s+(?:report|image|picture)
    |systematic\s+review|lessons?\s+learn\w+|a\s+diagnostic\s+(?:challenge|
    dilemma)|an?\s+(?:\w+\s+)?review)\b.*)$""",
    re.IGNORECASE | re.VERBOSE,
)
TITLE_LEAD = re.compile(
    r"""^(?:(?:[\w'-]+\s+){0,3}?\b(?:case|cases|presentation|manifestation|report|diagnosis|management|treatment|cause|form)s?\s+(?:report\s+)?(?:of|on)\s+|an?\s+|the\s+|rare\s+|unusual\s+|
    successful\s+\w+\s+of\s+|probable\s+(?=probable))+""",
    re.IGNORECASE | re.VERBOSE,
)

_MOST_WORDS = 24
_MOST_WORDS_UNKNOWN = 8
_GENERIC_HEAD = re.compile(
    r"\b(?:features?|manifestations?|variants?|causes?|causing|face|occurrence|onset|specimens?|cases?|patients?|"
    r"females?|males?|wom[ae]n|m[ae]n|boys?|girls?|management|evidence|"
    r"presence|appearances?|forms?|history|symptoms?|"
    r"signs?|diets?|challenges?|results?|treatments?|roles?|uses?|characteristics|findings?|risks?|potential|"
    r"complications?|picture|suspicion|diagnos[ei]s|"
    r"possibility|number|group|types? of|areas?|samples?|background|context|population|practice|environment|"
    r"country|regions?|setting|infiltrate|process|numerous|"
    r"years?|old)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"\b(?:of|with|to|for|from|in|by|as|consistent with)\s+", re.IGNORECASE)
_LISTED = re.compile(r"\b(?:negative|differential|antibod\w+|other|literature|review|etc)\b", re.IGNORECASE)
_ABSENT_EXTENT = re.compile(
    r"^,? (?:with no|without)(?: any)? (?:evidence|signs?) of (?:[\w-]+ ){0,3}(?:involvement|metastas[ei]s|"
    r"extension|spread|"
    r"recurrence|invasion|dissemination)\b",
    re.IGNORECASE,
)
_LATIN = re.compile(r"\s[a-z]+(?:osus|osum|osa|ans|ens|oides|ilis|alis|aris|icus|icum|atus|atum|formis|itans|inans)\b")
_KIND_LETTER = re.compile(r"\s(?:virus )?(?:[A-E]|type [\w]+|grade [\w]+|stage [\w]+|[IVX]+)\b(?! \w+ (?:was|were|is))")
_TAIL_OPENS = re.compile(
    r"^\W*(?:of|in|with|without|involving|affecting|at|to the|due to|secondary to|caused by|associated with|"
    r"arising|originating|and|by|on|from|containing|"
    r"complicated by|complicating|attached|extending|invading|between|within|into|through|near)\b|^\s*\(",
    re.IGNORECASE,
)


def plain_phrase(statement: Statement, start: int) -> Statement | None:
    """Give the words after an expression that reports a diagnosis, whether or not they hold a known disease word.

    For names such as `cutaneous larva migrans`; at most eight words, None when nothing is left.
    """
    rest = statement.plain[start:]
    if lead := _LEAD.match(rest):
        start += lead.end()
        rest = statement.plain[start:]
    body = _without_tail(_CITATION.split(rest[: _end_of(rest)])[0])
    if not body or len(body.split()) > _MOST_WORDS_UNKNOWN or _LISTED.search(body) or _GENERIC_HEAD.search(body):
        return None
    return statement.cut(start, start + len(body))


def trim_phrase(statement: Statement, start: int, abbreviations: dict[str, str]) -> Statement | None:
    """Give the words of a diagnosis that begins at `start` of a statement; None when they name no disease.

    Articles, `rare case of` and general heads (`features of`, `specimen with`) before the disease are cut, and what
    follows the last disease word when it names neither a place, nor an organism, nor a qualifier.
    """
    rest = statement.plain[start:]
    if lead := _LEAD.match(rest):
        start += lead.end()
        rest = statement.plain[start:]
    body = rest[: _end_of(rest)]
    if found := _CITATION.search(body):
        body = body[: found.start()]
    body = _without_tail(body)
    start, body = _without_head(start, body, abbreviations)
    if not body or _LISTED.search(body):
        return None
    body = _without_loose_end(body, abbreviations)
    piece = statement.cut(start, start + len(body))
    if not piece.text or not DISEASE.search(expand_abbreviations(piece.plain, abbreviations)):
        return None
    return piece


def _end_of(rest: str) -> int:
    at, end = 0, len(rest)
    while match := _END.search(rest, at):
        inside_brackets = rest[: match.start()].count("(") > rest[: match.start()].count(")")
        if match.start() == 0 or inside_brackets:
            at = match.end()
            continue
        end = match.start()
        break
    words = list(re.finditer(r"\S+", rest[:end]))
    return words[_MOST_WORDS - 1].end() if len(words) > _MOST_WORDS else end


def _without_tail(body: str) -> str:
    while tail := _TAIL.search(body):
        body = body[: tail.start()]
    if body.count("(") > body.count(")"):
        body = body[: body.rindex("(")].rstrip()
    return body


def _first_disease(body: str, abbreviations: dict[str, str]) -> tuple[int, int] | None:
    spans = [match.span() for match in DISEASE.finditer(body)]
    for short, long in abbreviations.items():
        if short in body and DISEASE.search(long):
            spans += [match.span() for match in re.finditer(rf"(?<!\w){re.escape(short)}s?(?!\w)", body)]
    return min(spans) if spans else None


def _last_disease_end(body: str, abbreviations: dict[str, str]) -> int:
    ends = [match.end() for match in DISEASE.finditer(body)]
    for short, long in abbreviations.items():
        if short in body and DISEASE.search(long):
            ends += [match.end() for match in re.finditer(rf"(?<!\w){re.escape(short)}s?(?!\w)", body)]
    return max(ends, default=0)


def _without_head(start: int, body: str, abbreviations: dict[str, str]) -> tuple[int, str]:
    first = _first_disease(body, abbreviations)
    if first is None:
        return start, ""
    head = body[: first[0]]
    if not _GENERIC_HEAD.search(head):
        return start, body
    openings = list(_PREPOSITION.finditer(head))
    if not openings or _GENERIC_HEAD.search(head[openings[-1].end() :]):
        return start, ""
    cut = openings[-1].end()
    if lead := _LEAD.match(body[cut:]):
        cut += lead.end()
    return start + cut, body[cut:]


def _without_loose_end(body: str, abbreviations: dict[str, str]) -> str:
    """Cut what follows the last disease word unless it says where, by what, or how."""
    end = _last_disease_end(body, abbreviations)
    tail = body[end:]
    if tail.startswith(")"):
        return body
    if latin := _LATIN.match(tail):
        end += latin.end()
        tail = body[end:]
    if kind := _KIND_LETTER.match(tail):
        end += kind.end()
        tail = body[end:]
    if not tail.strip():
        return body
    if absent := _ABSENT_EXTENT.match(tail):
        return body[: end + absent.end()].rstrip()
    says = any(is_anatomy(token.stem) or is_qualifier(token.stem) for token in tokenise(tail)) or MICROBE.search(tail)
    if _TAIL_OPENS.match(tail) and says and not _GENERIC_HEAD.search(tail):
        comma = tail.find(", ")
        return body if comma < 0 or " and " in tail[comma:] else body[: end + comma]
    return body[:end]
