"""`make pictures`: pictures of the running app on the demonstration study.

Without an argument the pictures that the README shows, into docs/pictures; with a folder named, every page in light,
dark and tablet size into that folder, for looking at.
"""

import os
import sys
import tempfile
from pathlib import Path

from core.services.review import my_assignments
from core.services.studies import reviewers
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import PROJECT_ROOT, RunningApp, open_browser, settled, start_app

PAGES = (
    "",
    "import_articles",
    "case_list",
    "case",
    "runs",
    "dialogue",
    "scores",
    "matches",
    "my_reviews",
    "studies",
    "new_study",
    "preview",
    "compare",
    "export_data",
    "report_pairs",
    "report_pair",
    "leaderboard",
    "models",
    "status",
)
SIZES = {"wide": (1366, 768), "tablet": (820, 1180)}


def take(page, path: Path, *, full: bool = True) -> None:
    """Wait for charts and pictures to be drawn, then write the picture."""
    page.wait_for_timeout(1500)
    page.screenshot(path=str(path), full_page=full)
    print(path.name, flush=True)


def review_places(app: RunningApp, browser) -> dict[str, str]:
    """Give name -> address of the workbench at a turn, the ratings and the reveal, and of a reviewer's list."""
    first = browser.new_page()
    first.goto(app.url)
    first.wait_for_selector("h1", timeout=120_000)  # the demonstration study is loaded on the first visit
    first.close()
    os.environ["CASEROUNDS_DEMO"] = "0"
    workspace = open_workspace(read_settings(app.data_folder))
    lines = [(person.id, line) for person in reviewers(workspace) for line in my_assignments(workspace, person.id)]
    workspace.store.close()
    done, committed = next((who, line) for who, line in lines if line.state == "done")
    fresh, begun = next((who, line) for who, line in lines if line.state in ("left", "in progress"))
    address = f"workbench?reviewer={done}&assignment={committed.assignment_id}&step="
    return {
        "list": f"my_reviews?reviewer={done}",
        "turn_begun": f"workbench?reviewer={fresh}&assignment={begun.assignment_id}",
        **{f"workbench_{step}": address + step for step in ("turn-3", "rate", "reveal")},
    }


def every_page(app: RunningApp, browser, folder: Path) -> None:
    """Write every page in each size, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    places = {name or "start": name for name in PAGES} | review_places(app, browser)
    for scheme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            if scheme == "dark" and size == "tablet":
                continue
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            for name, address in places.items():
                page.goto(f"{app.url}/{address}")
                settled(page)
                take(page, folder / f"{name}-{size}-{scheme}.png", full=False)
            context.close()


def readme_pictures(app: RunningApp, browser, folder: Path) -> None:
    """Write the pictures that the README shows."""
    folder.mkdir(parents=True, exist_ok=True)
    first = browser.new_page()
    first.goto(app.url)
    first.wait_for_selector("h1", timeout=120_000)  # the demonstration study is loaded on the first visit
    os.environ["CASEROUNDS_DEMO"] = "0"
    workspace = open_workspace(read_settings(app.data_folder))
    begun, fresh = reviewers(workspace)[0], reviewers(workspace)[-1]
    blinded = [a for a in my_assignments(workspace, fresh.id) if "blinded" in a.mode]
    committed = next(a for a in my_assignments(workspace, begun.id) if a.state == "done")
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()

    page.goto(f"{app.url}/workbench?reviewer={fresh.id}&assignment={blinded[0].assignment_id}")
    settled(page)
    for _ in range(2):
        page.wait_for_timeout(1500)
        page.get_by_role("button", name="Next turn").first.click()
        settled(page)
    page.mouse.move(5, 760)
    take(page, folder / "workbench.png", full=False)
    page.goto(f"{app.url}/workbench?reviewer={begun.id}&assignment={committed.assignment_id}&step=reveal")
    settled(page)
    take(page, folder / "reveal.png", full=False)
    page = browser.new_context(viewport={"width": 1366, "height": 900}).new_page()
    for name in ("case", "compare"):
        page.goto(f"{app.url}/{name}")
        settled(page)
        take(page, folder / f"{name}.png", full=False)


def main(arguments: list[str]) -> None:
    """Start the app on a fresh demonstration study and write the pictures."""
    with tempfile.TemporaryDirectory() as data, open_browser() as browser:
        app = start_app(Path(data) / "study", demo=True)
        try:
            if arguments:
                every_page(app, browser, Path(arguments[0]))
            else:
                readme_pictures(app, browser, PROJECT_ROOT / "docs" / "pictures")
        finally:
            app.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
