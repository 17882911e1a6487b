"""Export: every table of the study as CSV, or all of them in one bundle with their data dictionary."""

import tempfile
from pathlib import Path

import pandas as pd
import streamlit as st

from core.services.exporting import dictionary_csv, export_bundle, export_table, list_tables
from pages.components.resources import kept, workspace
from pages.components.stored_results import stamp

ws = workspace()
st.title("Export")
st.write(
    "Ratings, judge scores and everything they rest on, one tidy table each. Reviewers stand in them by pseudonym; "
    "what was not rated or not scored is an empty cell with its reason in the next column."
)

tables = kept("export tables", stamp(ws), lambda: list_tables(ws))
st.dataframe(
    pd.DataFrame(
        {
            "Table": [table.name for table in tables],
            "One row is": [table.row_is for table in tables],
            "Rows": [table.n_rows for table in tables],
            "Columns": [len(table.columns) for table in tables],
        }
    ),
    hide_index=True,
)


def bundle() -> bytes:
    """Give the bundle's bytes; made when the button is pressed, not on every run of the page."""
    with tempfile.TemporaryDirectory() as folder:
        return export_bundle(ws, Path(folder) / "caserounds-export.zip").read_bytes()


with st.container(horizontal=True, vertical_alignment="bottom"):
    st.download_button(
        "Download everything (zip)",
        data=bundle,
        file_name="caserounds-export.zip",
        mime="application/zip",
        icon=":material/download:",
        type="primary",
    )
    st.download_button("Data dictionary (CSV)", data=dictionary_csv, file_name="data_dictionary.csv", mime="text/csv")

with st.container(horizontal=True, vertical_alignment="bottom"):
    name = st.selectbox("One table", [table.name for table in tables], key="export_table", width=320)
    st.download_button(
        "Download table (CSV)", data=lambda: export_table(ws, name), file_name=f"{name}.csv", mime="text/csv"
    )
