"""The image of each graphic: found among the package's files, checked, or missing with a reason."""

import hashlib
from dataclasses import dataclass, field

from core.domain.article import Graphic
from core.errors import ImportRefused
from core.jats.figures import FigureDraft, Rendition, extension_of
from core.jats.files import EXTENSIONS, by_lower_name, candidates, find_file
from core.jats.images import IMAGE_LIMIT_BYTES, THUMBNAIL_PX, CheckedImage, check_image
from core.jats.metadata import CloudMetadata
from core.jats.package import Package

ARTICLE_LIMIT_BYTES = 512 * 1024 * 1024
"""Largest sum of an article's images."""


@dataclass
class FoundGraphics:
    """The graphics of every figure in order, and the bytes of the images found: sha256 -> bytes."""

    graphics: list[tuple[Graphic, ...]] = field(default_factory=list)
    images: dict[str, bytes] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def find_graphics(package: Package, figures: list[FigureDraft], metadata: CloudMetadata | None) -> FoundGraphics:
    """Give the graphics of the figures with their images; a missing or unusable image is a state of the graphic."""
    found = FoundGraphics()
    names = by_lower_name([name for name, file in package.files.items() if file.extension in EXTENSIONS])
    names_with_extras = names or {}
    checked: dict[str, CheckedImage] = {}
    total = 0
    for figure in figures:
        graphics: list[Graphic] = []
        for renditions in figure.graphics:
            graphic, name = _choose(package, renditions, names_with_extras)
            if name is None:
                graphics.append(graphic)
                continue
            if name not in checked:
                checked[name] = _check(package, name, metadata) if total < ARTICLE_LIMIT_BYTES else _too_much()
                total += len(checked[name].data)
            image = checked[name]
            base = name.rpartition("/")[2]
            if image.ref is None:
                graphics.append(Graphic(href=graphic.href, file_name=base, problem=image.problem))
                continue
            if _is_thumbnail(base, graphic.href, image):
                problem = f"only there as a thumbnail of {image.ref.width_px} px"
                graphics.append(Graphic(href=graphic.href, file_name=base, problem=problem))
                continue
            found.images[image.ref.sha256] = image.data
            graphics.append(Graphic(href=graphic.href, file_name=base, image=image.ref))
        found.graphics.append(tuple(graphics))
    return found


def _choose(package: Package, renditions: list[Rendition], names: dict[str, str]) -> tuple[Graphic, str | None]:
    """Give the first rendition whose file is there, never a thumbnail before another; else the preferred one."""
    preferred = renditions[0]
    for rendition in renditions:
        if rendition.href.lower() in package.shared:
            continue
        name = find_file(rendition.href, names)
        if name is not None:
            return Graphic(href=rendition.href), name
    if preferred.href.lower() in package.shared and find_file(preferred.href, names) is not None:
        problem = "not clear: several articles of the folder ask for a file of this name"
        return Graphic(href=preferred.href, problem=problem), None
    return Graphic(href=preferred.href, problem="missing"), None


def _check(package: Package, name: str, metadata: CloudMetadata | None) -> CheckedImage:
    file = package.files[name]
    if file.size > IMAGE_LIMIT_BYTES:
        return CheckedImage(None, b"", f"larger than {IMAGE_LIMIT_BYTES // (1024 * 1024)} MB")
    try:
        data = file.read()
    except (OSError, ImportRefused):
        return CheckedImage(None, b"", "not readable")
    expected = metadata.md5.get(file.base_name.lower()) if metadata else None
    if expected and hashlib.md5(data, usedforsecurity=False).hexdigest() != expected:
        return CheckedImage(None, b"", "damaged or exchanged: its checksum differs from the one PMC gives")
    return check_image(data)


def _too_much() -> CheckedImage:
    return CheckedImage(None, b"", f"left out: the article's images exceed {ARTICLE_LIMIT_BYTES // 1024**2} MB")


def _is_thumbnail(base: str, href: str, image: CheckedImage) -> bool:
    """Say whether this is a legacy package's small rendition standing in for a picture that is not there."""
    if image.ref is None or not base.lower().endswith(".gif"):
        return False
    asked_for = any(extension_of(name) == "gif" for name in candidates(href))
    return not asked_for and max(image.ref.width_px, image.ref.height_px) <= THUMBNAIL_PX
