"""Browser tests drive the real app in the system's Chromium; without one they say so (and fail where CI=true)."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.running_app import RunningApp, chromium_path, open_browser, start_app


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator:
    if chromium_path() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI needs Chromium for the browser tests; none was found")
        pytest.skip("browser test not run: no Chromium on this machine (Debian package `chromium`)")
    with open_browser() as opened:
        yield opened


@pytest.fixture
def page(browser) -> Iterator:
    context = browser.new_context(viewport={"width": 1366, "height": 768}, accept_downloads=True)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def demo_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    app = start_app(tmp_path_factory.mktemp("demo") / "study", demo=True)
    yield app
    app.stop()


@pytest.fixture
def empty_app(tmp_path: Path) -> Iterator[RunningApp]:
    app = start_app(tmp_path / "study", demo=False)
    yield app
    app.stop()
