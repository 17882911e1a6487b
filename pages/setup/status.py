"""Status: what is well and what is not, in sentences; a check of the store, a backup to take away, the version."""

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import streamlit as st

from core.services.database import backup_archive
from core.services.doctor import Finding, examine
from core.services.models import spending
from pages.components.notices import errors_shown
from pages.components.resources import kept, workspace
from pages.components.stored_results import stamp
from pages.components.words import count_of, plain

SIGNS = {
    "problem": (":material/error:", "needs you"),
    "warning": (":material/info:", "worth knowing"),
    "ok": (":material/check_circle:", "well"),
}
FIRST = ("CaseRounds", "Python", "Data folder", "Image store", "Study", "Model registry", "rules baseline")

ws = workspace()
st.title("Status")

# Every image of the store is read for damage: once a minute, and whenever the study grows.
findings = kept("findings", (stamp(ws), int(time.time() // 60)), lambda: examine(ws.settings))
problems = [finding for finding in findings if finding.state == "problem"]
if problems:
    st.error(f"{count_of(len(problems), 'thing')} to put right before the next run.", icon=":material/error:")
else:
    st.success("Everything needed for import, runs and reviews is there.", icon=":material/check_circle:")


def draw(finding: Finding) -> None:
    """Draw one finding: its sign and word, what was found."""
    icon, word = SIGNS[finding.state]
    subject, text = st.columns([1, 3], vertical_alignment="top")
    subject.markdown(f"{icon} **{plain(finding.subject)}** · {word}")
    text.text(finding.text)


def is_up_front(finding: Finding) -> bool:
    """True for what a study lead needs to see without opening anything."""
    return finding.state == "problem" or finding.subject in FIRST


with st.container(border=True):
    for one in filter(is_up_front, findings):
        draw(one)
limits = [one for one in findings if one.state == "warning" and not is_up_front(one)]
if limits:
    with st.expander(f"{count_of(len(limits), 'limit')}: models without key or retired, tools that are not there"):
        for one in limits:
            draw(one)
well = [one for one in findings if one.state == "ok" and not is_up_front(one)]
with st.expander(f"{count_of(len(well), 'more part')} looked at, all well"):
    st.dataframe(
        pd.DataFrame({"Part": [one.subject for one in well], "Found": [one.text for one in well]}), hide_index=True
    )

if spent := spending(ws):
    st.subheader("Spent so far")
    for one in spent:
        cost = "price not known" if one.cost_usd is None else f"{one.cost_usd:.2f} USD"
        unpriced = f" and {count_of(one.n_unpriced, 'call')} without a price" if one.n_unpriced and one.cost_usd else ""
        st.text(f"{one.model}: {count_of(one.n_attempts, 'call')}, {one.n_accepted} usable, {cost}{unpriced}")


def backup() -> bytes:
    """Give the backup's bytes; made when the button is pressed, not on every run of the page."""
    with tempfile.TemporaryDirectory() as folder:
        return backup_archive(ws, Path(folder) / "backup.zip").read_bytes()


st.subheader("Backup")
if ws.store.path is None:
    st.write("The store is on a database server: back it up there, and copy the image folder.")
else:
    st.write("The store and all images in one archive. The study may be in use meanwhile; no key is in it.")
    with errors_shown():
        st.download_button(
            "Download a backup (zip)",
            data=backup,
            file_name=f"caserounds-backup-{datetime.now(UTC):%Y-%m-%d}.zip",
            mime="application/zip",
            icon=":material/download:",
            type="primary",
        )
    st.write("To put it back: unpack it, stop the app, then `python -m core db restore FOLDER`.")
