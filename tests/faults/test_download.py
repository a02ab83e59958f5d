"""A download that is killed at any moment is taken up by the next, and gives the same bytes."""

import hashlib
import multiprocessing
import random
import signal
import threading
import time
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tqdm import tqdm

from pte.corpora.entry import Archive
from pte_study.fetching.fetch import fetch

FORK = multiprocessing.get_context("fork")
BODY = random.Random(0).randbytes(1 << 21)
BLOCK = 1 << 16


class Slow(BaseHTTPRequestHandler):
    """Sends the rest that is asked for, a block at a time."""

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        first = int((self.headers.get("Range") or "bytes=0-")[6:-1])
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(BODY) - first))
        self.send_header("Content-Range", f"bytes {first}-{len(BODY) - 1}/{len(BODY)}")
        self.end_headers()
        try:
            for begin in range(first, len(BODY), BLOCK):
                self.wfile.write(BODY[begin : begin + BLOCK])
                time.sleep(0.002)
        except OSError:  # the reader was killed
            pass


@pytest.fixture
def url(monkeypatch):
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/a.tar.gz"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_killed_download_gives_the_same_bytes(url, kills, tmp_path, monkeypatch):
    """Parts of several killed downloads join; every third folder is finished undisturbed."""
    monkeypatch.setattr("pte_study.fetching.fetch.TIMEOUT", 5)
    monkeypatch.setattr("pte_study.fetching.fetch.tqdm", partial(tqdm, disable=True))
    archive = Archive("a.tar.gz", hashlib.sha256(BODY).hexdigest(), len(BODY), (url,))
    destination = tmp_path / "raw" / "a.tar.gz"
    chance, landed, resumed = random.Random(1), 0, 0

    def get():
        fetch(archive, destination)

    while landed < kills:
        process = FORK.Process(target=get)
        process.start()
        time.sleep(chance.uniform(0, 0.15))
        process.kill()
        process.join()
        landed += process.exitcode == -signal.SIGKILL
        if destination.exists():
            assert destination.read_bytes() == BODY
        if chance.random() < 1 / 3 or destination.exists():
            resumed += any(destination.parent.glob("*.part"))
            get()
            assert destination.read_bytes() == BODY
            assert list(destination.parent.iterdir()) == [destination]
            destination.unlink()
    assert resumed or kills < 20  # after a few kills, chance may leave none
    print(f"{landed} kills of downloads; {resumed} parts were taken up")
