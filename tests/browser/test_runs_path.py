"""A run in the real browser: start, watch, pause, kill and restart the server, resume, finish, open a failed call."""

import re

import pytest
from playwright.sync_api import expect

from core.services.importing import import_paths
from core.services.run_orders import living_workers
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.browser.running_app import PROJECT_ROOT, settled, start_app
from tests.llm.conftest import KEY
from tests.llm.loopback import running_loopback
from tests.runs.conftest import wait_until

LONG_MS = 90_000


@pytest.fixture
def provider():
    with running_loopback() as server:
        server.behaviours = ["400", "an answer"]
        server.delay_s = 0.4
        yield server


def test_a_run_is_watched_paused_survives_kill_9_and_is_finished(page, provider, tmp_path, monkeypatch) -> None:
    registry = tmp_path / "models.toml"
    registry.write_text(
        f'[models.loopback]\nengine = "openai"\nmodel = "m"\nbase_url = "{provider.url}/v1"\n'
        'key_env = "LOOPBACK_KEY"\nimages = true\nconcurrency = 2\n'
    )
    monkeypatch.setenv("LOOPBACK_KEY", KEY)
    monkeypatch.setenv("CASEROUNDS_MODELS", str(registry))
    folder = tmp_path / "study"
    ws = open_workspace(read_settings(folder))
    articles = PROJECT_ROOT / "data" / "demo" / "articles"
    list(import_paths(ws, [articles / "PMC99000003.1", articles / "PMC99000004.1"]))
    app = start_app(folder, demo=False)
    try:
        wait_until(lambda: bool(living_workers(ws)), 40)
        page.goto(f"{app.url}/runs")
        settled(page)
        page.get_by_role("combobox", name=re.compile("Test model")).click()
        page.get_by_role("option", name="loopback").click()
        settled(page)
        page.get_by_role("button", name="Start on 2 cases").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible(timeout=30_000)
        wait_until(lambda: len(provider.bodies) >= 3, 60)
        page.get_by_role("button", name="Pause").click()
        expect(page.locator(".stMarkdownBadge", has_text="paused")).to_be_visible(timeout=30_000)
        app.kill()
        n_sent = len(provider.bodies)
        app = start_app(folder, demo=False)
        wait_until(lambda: bool(living_workers(ws)), 40)
        page.goto(f"{app.url}/runs")
        settled(page)
        page.get_by_role("button", name="Resume").click()
        expect(page.locator(".stMarkdownBadge", has_text="finished")).to_be_visible(timeout=LONG_MS)
        assert len(provider.bodies) > n_sent
        page.get_by_role("link", name="Look into its calls").click()
        expect(page.get_by_role("heading", name="Calls", exact=True)).to_be_visible()
        page.get_by_text("not accepted", exact=True).first.click()
        settled(page)
        expect(page.get_by_text("1 request", exact=True)).to_be_visible()
        expect(page.get_by_text(KEY)).to_have_count(0)
    finally:
        app.kill()
        ws.store.close()
