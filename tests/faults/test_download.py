"""A killed download leaves no wrong file, and the next gives the same bytes."""

import hashlib
import multiprocessing
import random
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tqdm import tqdm

from pte.corpora.entry import Archive
from pte_study.fetch import fetch

FORK = multiprocessing.get_context("fork")
BODY = random.Random(0).randbytes(1 << 21)
BLOCK = 1 << 16


class Slow(BaseHTTPRequestHandler):
    """Sends a block at a time."""

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        try:
            for begin in range(0, len(BODY), BLOCK):
                self.wfile.write(BODY[begin : begin + BLOCK])
                time.sleep(0.002)
        except OSError:  # the reader was killed
            pass


@pytest.fixture
def url(monkeypatch):
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    # Forks share tqdm's own lock; one that is killed while it holds it would stop all later ones.
    before = tqdm.get_lock()
    tqdm.set_lock(threading.RLock())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/a.tar.gz"
    server.shutdown()
    thread.join()
    server.server_close()
    tqdm.set_lock(before)


def test_a_killed_download_gives_the_same_bytes(url, kills, tmp_path):
    """Every third folder is finished undisturbed, and holds nothing that a kill has left."""
    archive = Archive("a.tar.gz", hashlib.sha256(BODY).hexdigest(), len(BODY), (url,))
    destination = tmp_path / "raw" / "a.tar.gz"
    chance, landed = random.Random(1), 0
    while landed < kills:
        process = FORK.Process(target=fetch, args=(archive, destination))
        process.start()
        time.sleep(chance.uniform(0, 0.15))
        process.kill()
        process.join()
        landed += process.exitcode == -signal.SIGKILL
        if destination.exists():
            assert destination.read_bytes() == BODY
        if chance.random() < 1 / 3 or destination.exists():
            fetch(archive, destination)
            assert destination.read_bytes() == BODY
            if landed < kills:
                destination.unlink()
    destination.unlink(missing_ok=True)
    fetch(archive, destination)
    assert list(destination.parent.iterdir()) == [destination]
