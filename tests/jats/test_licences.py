import pytest

from core.jats.licences import code_of_prose, normal_code
from tests.jats.making import TITLE, article, read


def licence(inside: str, after: str = ""):
    return read(article(meta=f"{TITLE}<permissions>{inside}</permissions>{after}")).licence


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("<license xlink:href='http://creativecommons.org/licenses/by/4.0/'><license-p>Text</license-p></license>", "CC BY"),
        ("<license xlink:href='https://creativecommons.org/licenses/by-nc-nd/4.0/'/>", "CC BY-NC-ND"),
        ("<license xlink:href='https://creativecommons.org/publicdomain/zero/1.0/'/>", "CC0"),
        ("<license><license_ref content-type='ccbylicense'>https://x.org</license_ref></license>", "CC BY"),
        ("<license_ref>https://creativecommons.org/licenses/by-sa/3.0/</license_ref>", "CC BY-SA"),
        ("<license><license-p>Under (<ext-link xlink:href='https://creativecommons.org/licenses/by-nc/4.0/'>x</ext-link>).</license-p></license>", "CC BY-NC"),
        ("<license><!--C--><license-p>an open access article distributed under the Creative Commons Attribution License, which</license-p></license>", "CC BY"),
        ("<license><license-p>Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 License</license-p></license>", "CC BY-NC-ND"),
        ("<license><license-p>Creative Commons Attribution Non-Commercial ShareAlike</license-p></license>", "CC BY-NC-SA"),
        ("<license><license-p>All rights reserved.</license-p></license>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_licence_is_read_from_address_reference_or_prose(inside, code):
    assert licence(inside).code == code


def test_the_code_that_pmc_adds_to_the_xml_wins_over_the_prose():
    meta = "<custom-meta-group><custom-meta><meta-name>pmc-license-ref</meta-name><meta-value>CC BY-NC</meta-value></custom-meta></custom-meta-group>"
    found = licence("<license><license-p>Creative Commons Attribution License</license-p></license>", meta)
    assert found.code == "CC BY-NC" and found.forbids_commercial_use and not found.forbids_adaptation


def test_a_tag_set_statement_is_no_restriction():
    meta = "<license xlink:href='https://creativecommons.org/licenses/by/4.0/'/>"
    xml = article(meta=f"{TITLE}<permissions>{meta}</permissions>").replace(
        "<front>", "<processing-meta><restricted-by>pmc</restricted-by></processing-meta><front>"
    )
    assert read(xml).licence.code == "CC BY"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("cc-by-nc", "CC BY-NC"),
        ("CC BY 4.0", "CC BY"),
        ("CC0", "CC0"),
        ("cc zero", "CC0"),
        ("TDM", "TDM"),
        ("", ""),
        ("none", ""),
    ],
)
def test_codes_are_spelt_one_way(written, code):
    assert normal_code(written) == code


def test_prose_without_a_licence_names_none():
    assert code_of_prose("Copyright 2019 the authors.") == ""
