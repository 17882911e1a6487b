"""Superscripts and subscripts in plain text, so that 10 to the 9th never reads as 109."""

import re

_SUPERSCRIPTS = {
    **dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True)),
    **dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)),
    "+": "⁺",
    "-": "⁻",
    "\u2212": "⁻",
    "\u2013": "⁻",
    "\u2010": "⁻",
    "\u2011": "⁻",
    "=": "⁼",
    "(": "⁽",
    ")": "⁾",
}
_SUBSCRIPTS = {
    **dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True)),
    "+": "₊",
    "-": "₋",
    "\u2212": "₋",
    "\u2013": "₋",
    "=": "₌",
    "(": "₍",
    ")": "₎",
}
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_WORD = re.compile(r"[^\W_]")


def superscript(text: str) -> str:
    """Give a superscript as plain text that keeps its meaning.

    Digits, signs and up to three small letters become Unicode superscripts (`10⁹`, `m²`, `Na⁺`, `⁹⁹ᵐTc`); ordinals
    and symbols stay as they are (`25th`, `®`); anything else is marked with a caret (`KRAS^G12D`, `10^(-1.5)`).
    White space around and inside is kept; empty text stays empty.
    """
    core = text.strip()
    if not core or core.lower() in _ORDINALS or not _WORD.search(core):
        bare = core and all(char in _SUPERSCRIPTS for char in core)
        return text if not bare or core.lower() in _ORDINALS else text.replace(core, _mapped(core))
    compact = core.replace(" ", "")
    letters = sum(char.isalpha() for char in compact)
    if letters <= 3 and all(char in _SUPERSCRIPTS or char in ",*." for char in compact) and "." not in compact:
        return text.replace(core, "".join(_SUPERSCRIPTS.get(char, char) for char in core))
    marked = f"^{core}" if core.isalnum() else f"^({core})"
    return text.replace(core, marked)


def subscript(text: str) -> str:
    """Give a subscript as plain text: digits and signs as Unicode subscripts (`CO₂`, `HbA₁c`), letters as they are."""
    if not any(char.isdigit() for char in text):
        return text
    return "".join(_SUBSCRIPTS.get(char, char) for char in text)


def _mapped(core: str) -> str:
    return "".join(_SUPERSCRIPTS[char] for char in core)
