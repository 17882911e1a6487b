"""Articles from PMC: packages, XML, figures, licences. The only room that reads XML.

    from core.errors import ImportRefused
    from core.jats import open_packages, open_upload, read_article

    for package in open_packages(path):          # file, archive or folder; open_upload(name, data) for an upload
        try:
            article = read_article(package)      # CaseReport, images, version
        except ImportRefused as refusal:         # one clear sentence and a next step; package.source names the file
            ...
        else:
            article.report                       # CaseReport
            article.images                       # sha256 -> bytes, for the image store
            article.version                      # PMC cloud version or None

`open_packages` itself raises ImportRefused only when there is nothing at the path. Everything wrong inside (a
truncated archive, a bomb, a folder without XML) is raised by `read_article` for the package concerned, so that the
loop over a bulk folder goes on. Nothing else is ever raised for bad input. `check_image` checks and converts the bytes
of a picture that a person attaches by hand.
"""

from core.jats.images import CheckedImage, check_image
from core.jats.package import Package, open_packages, open_upload, open_uploads
from core.jats.reading import ReadArticle, read_article

__all__ = [
    "CheckedImage",
    "Package",
    "ReadArticle",
    "check_image",
    "open_packages",
    "open_upload",
    "open_uploads",
    "read_article",
]
