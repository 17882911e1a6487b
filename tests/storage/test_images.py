import hashlib

import pytest

from core.errors import NotFound
from core.storage.images import ImageStore


def test_bytes_come_back_under_their_hash(tmp_path) -> None:
    images = ImageStore(tmp_path)
    sha256 = images.put(b"pixels", "image/png")
    assert sha256 == hashlib.sha256(b"pixels").hexdigest()
    assert images.read(sha256) == b"pixels"
    assert images.path(sha256).suffix == ".png"
    assert images.hashes() == {sha256}


def test_the_same_bytes_are_stored_once(tmp_path) -> None:
    images = ImageStore(tmp_path)
    images.put(b"pixels", "image/png")
    images.put(b"pixels", "image/png")
    assert sum(file.is_file() for file in tmp_path.rglob("*")) == 1


def test_an_unknown_hash_is_not_found(tmp_path) -> None:
    images = ImageStore(tmp_path)
    assert not images.has("0" * 64)
    with pytest.raises(NotFound):
        images.read("0" * 64)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a/../../b" + "0" * 56, "Z" * 64])
def test_a_name_that_is_no_hash_never_leaves_the_folder(tmp_path, name) -> None:
    with pytest.raises(NotFound):
        ImageStore(tmp_path / "images").path(name)


def test_a_type_no_browser_shows_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match="image/tiff"):
        ImageStore(tmp_path).put(b"II*\0", "image/tiff")
    assert not list(tmp_path.iterdir())
