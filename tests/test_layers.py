"""Imports go one way: pages -> components -> services -> rooms -> prompting, language -> domain."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {"jats", "extraction", "dialogue", "llm", "scoring", "reports", "review", "stats", "export", "storage", "runs"}
TEXT_ROOMS = {"prompting", "language"}
OUTSIDE_ROOM = {
    "streamlit": (),
    "openai": ("core/llm",),
    "anthropic": ("core/llm",),
    "sqlmodel": ("core/storage",),
    "sqlalchemy": ("core/storage",),
    "sqlite3": ("core/storage",),
    "alembic": ("core/storage",),
    "lxml": ("core/jats",),
    "dbos": ("core/runs",),
    "httpx2": ("core/llm", "core/jats/bucket"),
}
# A room may use another room only where the manual names it: export and review write and read tidy numbers.
ALLOWED_BETWEEN_ROOMS = {("scoring", "stats"), ("reports", "stats"), ("review", "stats"), ("export", "stats")}


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


CORE_FILES = sorted((ROOT / "core").rglob("*.py"))
PAGE_FILES = sorted((ROOT / "pages").rglob("*.py"))


def core_rooms(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("core.") and name.count(".") >= 1}


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_core_file_imports_only_what_its_room_may(path: Path) -> None:
    relative = path.relative_to(ROOT).as_posix()
    modules = imports_of(path)
    for package, homes in OUTSIDE_ROOM.items():
        if any(m == package or m.startswith(package + ".") for m in modules):
            assert any(relative.startswith(home) for home in homes), f"{relative} imports {package}"
    assert not any(m == "pages" or m.startswith("pages.") for m in modules), f"{relative} imports pages"
    parts = path.relative_to(ROOT / "core").parts
    room = parts[0] if len(parts) > 1 else ""
    used = core_rooms(modules)
    if room == "domain":
        assert used <= {"domain", "errors"}, f"{relative} imports {used}"
    elif room in TEXT_ROOMS:
        assert used <= TEXT_ROOMS | {"domain", "errors", "settings"}, f"{relative} imports {used}"
    elif room in ROOMS:
        others = (used & (ROOMS | {"services"})) - {room}
        others -= {other for here, other in ALLOWED_BETWEEN_ROOMS if here == room}
        assert not others, f"{relative} imports {others}"


@pytest.mark.parametrize("path", PAGE_FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_pages_ask_only_services(path: Path) -> None:
    relative = path.relative_to(ROOT).as_posix()
    modules = imports_of(path)
    allowed = {"services", "domain", "errors", "settings"}
    extra = core_rooms(modules) - allowed
    assert not extra, f"{relative} imports core rooms {extra}"
    for package in OUTSIDE_ROOM:
        if package != "streamlit":
            assert not any(m == package or m.startswith(package + ".") for m in modules), (
                f"{relative} imports {package}"
            )
    if not relative.startswith("pages/components") and relative != "pages/menu.py":
        sections = {m for m in modules if m.startswith("pages.") and not m.startswith("pages.components")}
        assert not sections, f"{relative} imports another page: {sections}"


def test_page_addresses_are_unique_over_all_sections() -> None:
    names = [
        p.stem for p in PAGE_FILES if len(p.relative_to(ROOT / "pages").parts) == 2 and "components" not in p.parts
    ]
    assert len(names) == len(set(names))
