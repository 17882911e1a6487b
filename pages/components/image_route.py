"""The route that streams a figure's original pixels to the reviewer a signed link was made for."""

import anyio
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core.errors import AppError, NotAllowed
from core.services.review_images import StoredImage, read_image
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings

_opened: dict[tuple[str, str], Workspace] = {}


def _workspace() -> Workspace:
    # A route runs outside Streamlit's script runs, so it keeps its own: opening one checks the tables each time.
    settings = read_settings()
    key = (str(settings.data_folder), settings.database_url)
    if key not in _opened:
        _opened[key] = open_workspace(settings)
    return _opened[key]


async def serve_image(request: Request) -> Response:
    """Give the bytes, or one calm sentence. The address and the headers say nothing of case, figure file or model."""
    token = request.path_params["token"]

    def read() -> StoredImage:
        return read_image(_workspace(), token)

    try:
        image = await anyio.to_thread.run_sync(read)
    except NotAllowed as error:
        return PlainTextResponse(str(error), status_code=403)
    except AppError as error:
        return PlainTextResponse(str(error), status_code=404)
    headers = {
        "Cache-Control": "private, max-age=1800",
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": "inline",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(image.data, media_type=image.media_type, headers=headers)
