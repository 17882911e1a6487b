"""Formulas as one line of text: presentation MathML and TeX, without preambles."""

import re

from lxml import etree

from core.jats.scripts import subscript, superscript

_ACCENTS = {
    "˙": "\u0307", ".": "\u0307", "\u0307": "\u0307", "¯": "\u0304", "‾": "\u0304", "ˉ": "\u0304", "\u0305": "\u0304",
    "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¨": "\u0308",
}  # fmt: skip
_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_STYLE = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|mathsf|textrm|textit|textbf|hbox|mbox|rm|bf|it|operatorname|left|right|displaystyle|"
    r"limits|,|;|!|:|quad|qquad)(?![A-Za-z])"
)
_SCRIPT = re.compile(r"([\^_])\s*(?:\{([^{}]*)\}|(\\[A-Za-z]+|[^\s\\{}]))")
_SYMBOLS = {
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "approx": "≈",
    "sim": "∼", "neq": "≠", "circ": "°", "degree": "°", "mu": "μ", "alpha": "α", "beta": "β", "gamma": "γ",
    "delta": "δ",
    "Delta": "Δ", "kappa": "κ", "lambda": "λ", "sigma": "σ", "chi": "χ", "rightarrow": "→", "to": "→", "infty": "∞",
    "div": "÷", "sum": "Σ", "prime": "′", "upmu": "μ", "upalpha": "α", "upbeta": "β", "upgamma": "γ",
    "dot": "", "%": "%",
}  # fmt: skip


def mathml_text(element: etree._Element) -> str:
    """Give a MathML element as one line of text, for example `V̇O₂`, `10⁹`, `(a)/(b)`; empty when it has no text."""
    tag = element.tag
    children = list(element)
    if tag in ("annotation", "annotation-xml"):
        return ""
    if not children:
        return " ".join((element.text or "").split())
    parts = [mathml_text(child) for child in children]
    if tag == "msup" and len(parts) == 2:
        return parts[0] + superscript(parts[1])
    if tag == "msub" and len(parts) == 2:
        return parts[0] + subscript(parts[1])
    if tag == "msubsup" and len(parts) == 3:
        return parts[0] + subscript(parts[1]) + superscript(parts[2])
    if tag == "mfrac" and len(parts) == 2:
        return "/".join(part if part.isalnum() else f"({part})" for part in parts)
    if tag == "mover" and len(parts) == 2 and parts[1] in _ACCENTS:
        return parts[0] + _ACCENTS[parts[1]]
    if tag == "msqrt":
        return f"√({''.join(parts)})"
    if tag == "mtr":
        return ", ".join(part for part in parts if part)
    if tag == "mtable":
        return "; ".join(part for part in parts if part)
    return "".join(parts)


def tex_text(source: str) -> str:
    """Give TeX as one line of text: the document's body only; fractions, scripts and common symbols are written out."""
    body = _BODY.search(source)
    text = (body.group(1) if body else source).replace("$", " ").replace("\\\\", "; ").replace("&", " ")
    text = _STYLE.sub(" ", text)
    for _ in range(3):
        text = _FRACTION.sub(r"(\1)/(\2)", _ROOT.sub(r"√(\1)", text))
    text = _SCRIPT.sub(_script, text)
    text = re.sub(r"\\([A-Za-z]+|%)", lambda match: _SYMBOLS.get(match.group(1), match.group(1)), text)
    return " ".join(text.replace("{", "").replace("}", "").replace("~", " ").split())


def _script(match: re.Match[str]) -> str:
    content = (match.group(2) if match.group(2) is not None else match.group(3)).strip()
    content = re.sub(r"\\([A-Za-z]+)", lambda inner: _SYMBOLS.get(inner.group(1), inner.group(1)), content)
    if match.group(1) == "^":
        return content if content == "°" else superscript(content)
    return subscript(content)
