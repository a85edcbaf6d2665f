"""A web server for the tests, which can misbehave in all the ways that real ones do."""

from __future__ import annotations

import io
import threading
import time
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Page:
    """What is at a path, and how the server goes about sending it.

    The faults happen on the first ``faults`` requests only.
    """

    body: bytes = b""
    faults: int = 0
    status: int = 200  # of a faulty request
    cut_at: int | None = None  # break the connection after so many bytes
    stall_at: int | None = None  # send nothing more after so many bytes, but keep the connection
    pause: float = 0.0  # between pieces of 4 kB, always
    ranges: bool = True  # whether a part can be asked for
    etag: str | None = '"first"'
    length: bool = True  # whether the length is told
    asked: list[str | None] = field(default_factory=list)  # Range of each request


class ArchiveServer(ThreadingHTTPServer):
    """``server.pages[path] = Page(...)``; ``server.address`` is its beginning."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, Page] = {}
        self.closing = threading.Event()
        self.address = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error):
        self.closing.set()
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        page = self.server.pages.get(self.path)
        if page is None:
            self.send_error(404)
            return
        page.asked.append(self.headers.get("Range"))
        faulty = len(page.asked) <= page.faults
        if faulty and page.status != 200:
            self.send_error(page.status)
            return
        self._send(page, faulty, self._start(page))

    def _start(self, page: Page) -> int:
        wanted, version = self.headers.get("Range"), self.headers.get("If-Range")
        if not page.ranges or wanted is None or version not in (None, page.etag):
            return 0
        return int(wanted.removeprefix("bytes=").removesuffix("-"))

    def _send(self, page: Page, faulty: bool, start: int) -> None:
        body = page.body[start:]
        if start >= len(page.body) > 0:
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header(
                "Content-Range", f"bytes {start}-{len(page.body) - 1}/{len(page.body)}"
            )
        if page.length:
            self.send_header("Content-Length", str(len(body)))
        if page.etag:
            self.send_header("ETag", page.etag)
        self.send_header("Connection", "close")
        self.close_connection = True
        self.end_headers()
        self._write(page, body, faulty)

    def _write(self, page: Page, body: bytes, faulty: bool) -> None:
        end = len(body)
        if faulty and page.cut_at is not None:
            end = page.cut_at
        if faulty and page.stall_at is not None:
            end = page.stall_at
        step = 4096 if page.pause else max(end, 1)
        for at in range(0, end, step):
            self.wfile.write(body[at : min(at + step, end)])
            self.wfile.flush()
            time.sleep(page.pause)
        if faulty and page.stall_at is not None:
            self.server.closing.wait(5)

    def log_message(self, *_) -> None:
        """Not on the terminal."""


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip of these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()
