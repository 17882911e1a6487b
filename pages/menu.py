"""The frame of every page: configuration, the menu in the order of the flow, then the page itself."""

import streamlit as st

from pages.components.state import current_reviewer

st.set_page_config(page_title="CaseRounds", page_icon=":material/stethoscope:", layout="wide")

MENU = {
    "": [("setup/start.py", "Start", ":material/home:")],
    "Cases": [
        ("cases/import_articles.py", "Import", ":material/upload_file:"),
        ("cases/case_list.py", "Cases", ":material/folder_open:"),
        ("cases/case.py", "Case", ":material/article:"),
        ("cases/quality.py", "Extraction quality", ":material/rule:"),
    ],
    "Dialogues": [
        ("dialogues/runs.py", "Runs", ":material/play_circle:"),
        ("dialogues/dialogue.py", "Dialogue", ":material/forum:"),
        ("dialogues/calls.py", "Calls", ":material/call:"),
    ],
    "Evaluation": [
        ("evaluation/scores.py", "Scores", ":material/table_chart:"),
        ("evaluation/matches.py", "Matches", ":material/join_inner:"),
        ("evaluation/errors.py", "Errors", ":material/rule:"),
        ("evaluation/judge_lab.py", "Judge lab", ":material/science:"),
    ],
    "Review": [
        ("review/my_reviews.py", "My reviews", ":material/rate_review:"),
        ("review/workbench.py", "Workbench", ":material/stethoscope:"),
        ("review/studies.py", "Studies", ":material/groups:"),
        ("review/new_study.py", "New study", ":material/add_circle:"),
        ("review/preview.py", "Preview", ":material/visibility:"),
    ],
    "Results": [
        ("results/compare.py", "Compare", ":material/balance:"),
        ("results/export_data.py", "Export", ":material/download:"),
    ],
    "Reports": [
        ("reports/report_pairs.py", "Report pairs", ":material/compare_arrows:"),
        ("reports/report_pair.py", "Report pair", ":material/fact_check:"),
        ("reports/leaderboard.py", "Leaderboard", ":material/leaderboard:"),
    ],
    "Setup": [
        ("setup/models.py", "Models", ":material/memory:"),
        ("setup/status.py", "Status", ":material/monitor_heart:"),
    ],
}

# Whoever has entered as a reviewer is not offered scores, settings or models of what may still be theirs to rate: the
# other pages do not exist for this tab until the reviewer leaves.
REVIEWER_PAGES = ("review/my_reviews.py", "review/workbench.py")
offered = (
    {"": [*MENU[""], *(entry for entry in MENU["Review"] if entry[0] in REVIEWER_PAGES)]}
    if current_reviewer()
    else MENU
)

page = st.navigation(
    {
        section: [
            st.Page(path, title=title, icon=icon, default=path == "setup/start.py") for path, title, icon in pages
        ]
        for section, pages in offered.items()
    },
    position="top",
)
# Streamlit leaves room for a header that a menu on top does not need. A chosen segment is written in the primary
# colour, which as words is too dim on the dark theme; these are the link colours of config.toml.
st.html(
    "<style>.stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 3rem; }"
    ' button[data-selected="true"] p { color: light-dark(#0b5a8f, #8cc8f0); }</style>'
)
page.run()
