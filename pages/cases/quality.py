"""Extraction quality: what was extracted against what people made of it, field by field, on the study's own cases."""

import pandas as pd
import streamlit as st

from core.domain.case import Element
from core.services.quality import against_corrections, corrected_cases
from pages.components.notices import empty
from pages.components.resources import workspace
from pages.components.words import count_of, element_name

NAMES = {element.value: element_name(element).removesuffix(" (never disclosed)") for element in Element} | {
    "modality": "Figure modality",
    "flags": "Figure flags",
    "image_findings": "Image findings",
    "significance": "Image significance",
    "final_diagnosis": "Reported diagnosis",
    "reasoning": "Diagnostic reasoning",
}


def share(value: float | None, same: int, of: int) -> str:
    """Give `83 % (5 of 6)`; a dash where there is nothing to count."""
    return "—" if value is None else f"{value:.0%} ({same} of {of})"


ws = workspace()
st.title("Extraction quality")
st.write(
    "Each extraction is compared with the newest version that people made of it. A field nobody corrected counts as "
    "right, although nobody may have checked it: the figures tell what was changed, not what was verified."
)
found = corrected_cases(ws)
if not found:
    empty("No corrected case yet", "Correct a case on its page under Edit; its extraction is then compared with it.")
    st.page_link("cases/case_list.py", label="Cases", icon=":material/folder_open:")
    st.stop()

engines = sorted({one.engine for one in found})
engine = st.selectbox("Extracted by", engines, key="quality_engine", width=320)
chosen = [one for one in found if one.engine == engine]
st.markdown(f"**{count_of(len(chosen), 'corrected case')}**: " + ", ".join(one.case_id for one in chosen))

rows = against_corrections(ws, chosen)
table = pd.DataFrame(
    {
        "Field": [NAMES.get(row.field, row.field) for row in rows],
        "Recall": [share(row.recall, row.n_same, row.n_corrected) for row in rows],
        "Precision": [share(row.precision, row.n_same, row.n_extracted) for row in rows],
        "Added or reworded": [len(row.missed) for row in rows],
        "Removed or reworded": [len(row.wrong) for row in rows],
        "Cases": [row.n_cases for row in rows],
    }
)
st.dataframe(
    table,
    hide_index=True,
    height="content",
    column_config={
        "Recall": st.column_config.TextColumn(help="of the corrected values, those the extraction had word for word"),
        "Precision": st.column_config.TextColumn(help="of the extracted values, those that people left as they are"),
        "Cases": st.column_config.NumberColumn(help="cases with a value in this field on either side"),
    },
)
st.download_button(
    "Download as CSV", table.to_csv(index=False).encode("utf-8-sig"), "extraction_quality.csv", "text/csv"
)

changed = [row for row in rows if row.missed or row.wrong]
if changed:
    st.subheader("What people changed")
    for row in changed:
        with st.expander(f"{NAMES.get(row.field, row.field)}: {len(row.missed)} added, {len(row.wrong)} removed"):
            for sign, texts in (("+", row.missed), ("−", row.wrong)):
                for text in texts:
                    st.text(f"{sign} {text}")

with st.expander("The compared versions"):
    st.dataframe(
        pd.DataFrame(
            {
                "Case": [one.case_id for one in chosen],
                "Extraction": [f"version {one.extracted}" for one in chosen],
                "Corrected": [f"version {one.corrected}" for one in chosen],
                "By": [", ".join(one.people) for one in chosen],
            }
        ),
        hide_index=True,
    )
