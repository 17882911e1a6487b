"""`make pictures`: a picture of every page from the running app, for the README and for looking at.

Writes to docs/pictures (those the README shows) and, with a folder named on the command line, every page in light,
dark and tablet size into that folder.
"""

import sys
import tempfile
from pathlib import Path

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


def every_page(app: RunningApp, browser, folder: Path) -> None:
    """Write every page in each size, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            if scheme == "dark" and size == "tablet":
                continue
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            for name in PAGES:
                page.goto(f"{app.url}/{name}")
                settled(page)
                take(page, folder / f"{name or 'start'}-{size}-{scheme}.png", full=False)
            context.close()


def main(arguments: list[str]) -> None:
    """Start the app on a fresh demonstration study and write the pictures."""
    with tempfile.TemporaryDirectory() as data, open_browser() as browser:
        app = start_app(Path(data) / "study", demo=True)
        try:
            every_page(app, browser, Path(arguments[0]) if arguments else PROJECT_ROOT / "docs" / "pictures" / "all")
        finally:
            app.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
