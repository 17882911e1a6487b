"""Clinical words made comparable: spelling, inflection, hyphens and abbreviations levelled, negation kept apart.

Everything here is a pure function of its arguments. Stems are for comparison only and are never shown: the same stem
means the same word family (`effusion`, `effusions`; `necrosis`, `necrotic`), and two different conditions must never
share one (`arthritis`, `arthrosis`; `leukemia`, `leukopenia`).
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00d7": "x", "\u00b5": "\u03bc"})
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:\d+[^\W_]*)?|%", re.UNICODE)

# British to American, by word part; each pair is a regular shift of medical spelling, not a list of articles' words.
_SPELLING = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"aem", "em"),
        (r"oede", "ede"),
        (r"oesoph", "esoph"),
        (r"oestr", "estr"),
        (r"p(a)ed(i|o)", r"ped\2"),
        (r"rrhoe", "rrhe"),
        (r"pnoe", "pne"),
        (r"foet", "fet"),
        (r"coel(i|o)", r"cel\1"),
        (r"caec", "cec"),
        (r"faec", "fec"),
        (r"naec", "nec"),
        (r"naev", "nev"),
        (r"aesth", "esth"),
        (r"araesth", "aresth"),
        (r"aetiol", "etiol"),
        (r"amoeb", "ameb"),
        (r"manoeuvre", "maneuver"),
        (r"haem", "hem"),
        (r"lph(ate|ide|ur|on)", r"lf\1"),
        (r"(col|tum|od|behavi|lab|hum|vap|harb|neighb|fav)our", r"\1or"),
        (r"(al|ar|er|or|en|an|on|im|at|ot|yl|il|ol|um|ag)is(e|ed|es|ing|ation|ations)$", r"\1iz\2"),
        (r"(al|ol)ys(e|ed|es|ing)$", r"\1yz\2"),
        (r"(cent|lit|met|fib|tit|calib|lust)re(s?)$", r"\1er\2"),
        (r"^(over|under)?grey", "gray"),
        (r"^gray(ish)?", r"gray\1"),
        (r"^mould", "mold"),
        (r"elled$", "eled"),
        (r"elling$", "eling"),
        (r"^dilatation", "dilation"),
    )
)

_IRREGULAR = {
    "feet": "foot",
    "teeth": "tooth",
    "men": "man",
    "women": "woman",
    "children": "child",
    "swollen": "swelling",
    "tuberculous": "tuberculosis",
    "tubercular": "tuberculosis",
    "scorbutic": "scurvy",
    "syphilitic": "syphilis",
    "luetic": "syphilis",
    "leprous": "leprosy",
    "lepromatous": "leprosy",
    "rachitic": "rickets",
    "gouty": "gout",
    "cancerous": "cancer",
    "apices": "apex",
    "apical": "apex",
    "cortices": "cortex",
    "cortical": "cortex",
    "indices": "index",
    "viscera": "viscus",
    "genera": "genus",
    "ossa": "os",
    "biopsied": "biopsy",
    "embolism": "embolus",
    "nodular": "nodule",
    "xray": "radiograph",
    "xrays": "radiograph",
}
_NOT_PLURAL = frozenset(
    "pus lupus virus mass loss less abscess pancreas diabetes rabies scabies herpes caries series species "
    "ascites pelvis gas lens uterus fetus sinus plexus meatus status serous as is was has his this".split()
)
# Longest ending first; each names the stem ending it leaves and the shortest stem it may leave.
_ENDINGS = (
    ("ifications", "if", 3),
    ("ification", "if", 3),
    ("ifying", "if", 3),
    ("ified", "if", 3),
    ("ifies", "if", 3),
    ("otizing", "os", 3),
    ("izations", "", 4),
    ("ization", "", 4),
    ("izing", "", 4),
    ("ized", "", 4),
    ("izes", "", 4),
    ("ize", "", 4),
    ("matously", "m", 3),
    ("matous", "m", 3),
    ("matosis", "matos", 3),
    ("mata", "m", 3),
    ("ations", "", 4),
    ("atory", "", 4),
    ("ation", "", 4),
    ("ating", "", 4),
    ("ated", "", 4),
    ("ates", "", 4),
    ("ate", "", 4),
    ("oses", "os", 3),
    ("osis", "os", 3),
    ("otic", "os", 3),
    ("itides", "it", 3),
    ("itis", "it", 3),
    ("itic", "it", 3),
    ("astases", "astas", 3),
    ("astasis", "astas", 3),
    ("astatic", "astas", 3),
    ("iases", "ias", 3),
    ("iasis", "ias", 3),
    ("iatic", "ias", 3),
    ("emias", "em", 3),
    ("emia", "em", 3),
    ("emic", "em", 3),
    ("aces", "ac", 3),
    ("ax", "ac", 3),
    ("ically", "", 4),
    ("ical", "", 4),
    ("ities", "", 4),
    ("ity", "", 4),
    ("ments", "", 4),
    ("ment", "", 4),
    ("nesses", "", 4),
    ("ness", "", 4),
    ("ions", "", 5),
    ("ion", "", 5),
    ("ives", "", 4),
    ("ive", "", 4),
    ("ies", "y", 3),
    ("ied", "y", 3),
    ("ially", "", 4),
    ("ally", "", 4),
    ("ial", "", 4),
    ("eal", "", 4),
    ("al", "", 4),
    ("ic", "", 4),
    ("ing", "", 4),
    ("ed", "", 3),
    ("ly", "", 4),
    ("ae", "", 4),
    ("ia", "", 4),
    ("sses", "ss", 2),
    ("ches", "ch", 2),
    ("xes", "x", 2),
    ("shes", "sh", 2),
    ("us", "", 4),
    ("um", "", 4),
    ("es", "", 4),
    ("is", "", 4),
    ("as", "", 4),
    ("i", "", 4),
    ("s", "", 3),
    ("a", "", 4),
    ("e", "", 4),
    ("y", "", 4),
)

STOP_WORDS = frozenset(
    "a an the of in on at by to for from with within into onto and or as is are was were be been being has have had "
    "having this that these those there here it its his her hers their our which who whom whose also both either "
    "then than such so very some any all other another each during after before while when where via per "
    "patient patients case show shows showed shown showing reveal reveals revealed revealing demonstrate demonstrates "
    "demonstrated demonstrating note notes noted see seen observe observed observes identify identified display "
    "displays displayed exhibit exhibits exhibited evidence finding findings feature features sign signs present "
    "presence presented appear appears appeared appearance appearing contain contains find found detect detected "
    "image images imaging figure fig picture photograph suggest suggests suggesting suggestive suggested consistent "
    "compatible indicate indicates indicating indicative confirm confirms confirmed confirming diagnosis diagnosed "
    "sided due caused causing likely probable probably possible possibly he she they we s".split()
)
_NEGATIONS = frozenset(
    "no not without none nor neither absent absence denies denied lack lacks lacked lacking non".split()
)


class Token(NamedTuple):
    """A word of a text with its place: `text[start:end]`."""

    word: str
    stem: str
    start: int
    end: int


def level_characters(text: str) -> str:
    """Give the text with compatibility characters, dashes and quotes levelled; its length may change."""
    return _DASHES.sub("-", unicodedata.normalize("NFKC", text)).translate(_QUOTES)


@lru_cache(maxsize=50_000)
def american(word: str) -> str:
    """Give a lower-case word in American medical spelling (`oedema` -> `edema`); unknown words stay as they are."""
    for pattern, replacement in _SPELLING:
        word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Give the family of a word, for comparison only: spelling levelled, inflection and adjective endings off.

    Words of three letters and words with digits only lose a plural s; empty gives empty.
    """
    word = american(word.lower())
    word = american(_IRREGULAR.get(word, word))
    if any(character.isdigit() for character in word) or not word.isascii():
        return word
    if word in _NOT_PLURAL or len(word) < 4:
        return word
    for ending, left, shortest in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss"):
            kept = word[: -len(ending)] + left
            if len(kept) >= shortest + len(left) and len(kept) >= 3:
                if ending in ("ing", "ed") and len(kept) > 4 and kept[-1] == kept[-2] and kept[-1] not in "ls":
                    kept = kept[:-1]
                return kept if ending not in ("s", "ies", "ied", "ly") else stem(kept)
    return word


def tokenise(text: str) -> list[Token]:
    """Give the words of a text in order with their stems and offsets; hyphens and punctuation separate words.

    Offsets are those of `text` as given.
    """
    found = []
    for match in _WORD.finditer(text):
        word = unicodedata.normalize("NFKC", match.group()).lower()
        found.append(Token(word, stem(word), match.start(), match.end()))
    return found


def normalise(text: str) -> str:
    """Give the text as compared for identity: lower case, American spelling, words separated by one space.

    Inflection is kept, so that only the same wording counts as an exact duplicate.
    """
    text = re.sub(r"(?<=\w)'s\b", "", level_characters(text))
    return " ".join(american(match.group().lower()) for match in _WORD.finditer(text))


def content_stems(text: str) -> tuple[str, ...]:
    """Give the stems that carry meaning, in order: stop words and words of negation are left out."""
    text = re.sub(r"(?<=\w)'s\b", "", level_characters(text))
    return tuple(
        token.stem for token in tokenise(text) if token.word not in STOP_WORDS and token.word not in _NEGATIONS
    )


def term_key(text: str) -> str:
    """Give one key for all word orders and inflections of a term (`effusion of the pleura` = `pleural effusions`).

    Negation is not part of the key; ask `guards` for it. Empty text gives an empty key.
    """
    return " ".join(sorted(set(content_stems(text))))


def expand_abbreviations(text: str, abbreviations: Mapping[str, str]) -> str:
    """Give the text with short forms replaced by the article's long forms.

    Args:
        text: any text.
        abbreviations: short form -> long form. Short forms are matched as whole words with their letter case, a
            plural s allowed. `long form (SF)` becomes the long form once.
    """
    for short in sorted(abbreviations, key=len, reverse=True):
        long = abbreviations[short]
        if not short or short not in text:
            continue
        text = re.sub(rf"({re.escape(long)}\w*)\s*\(\s*{re.escape(short)}s?\s*\)", r"\1", text, flags=re.IGNORECASE)
        text = re.sub(rf"(?<![\w-]){re.escape(short)}s?(?!\w)", lambda _match, long=long: long, text)
    return text


def find_term(text: str, term: str) -> list[tuple[int, int]]:
    """Give where a term stands in a text, whatever its inflection, hyphens and spelling, as (start, end) offsets.

    The words must follow each other; small words between them (`fracture of the hip`) are not jumped over. Empty or
    wordless terms are nowhere.
    """
    wanted = [token.stem for token in tokenise(term)]
    if not wanted:
        return []
    words = tokenise(text)
    stems = [token.stem for token in words]
    size = len(wanted)
    first = wanted[0]
    return [
        (words[at].start, words[at + size - 1].end)
        for at in range(len(words) - size + 1)
        if stems[at] == first and stems[at : at + size] == wanted
    ]
