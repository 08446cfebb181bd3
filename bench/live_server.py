"""The server process that `bench.live` and `bench.convention` measure; prints its port.

`python -m bench.live_server FOLDER` serves the data in FOLDER on a free port of the loopback.
"""

from __future__ import annotations

import sys
from pathlib import Path

from referee.app import create_app
from referee.server import serve
from referee.server.bridge import Bridge
from referee.server.live import Streams


def main(folder: Path) -> None:
    """Serve until the process is ended."""
    app = create_app(folder)
    serve.rarely_collect()
    listener = serve.listen("127.0.0.1", 0)
    streams = Streams(app.extensions["ledger"], most=serve.descriptors() // 2)
    print(listener.getsockname()[1], flush=True)
    serve.server(Bridge(app, streams)).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
