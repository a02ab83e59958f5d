"""Archives come from a mirror, their addresses or the package index, and are verified."""

import hashlib
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pte.corpora.entry import Archive
from pte.errors import PteError
from pte_study import fetch as module
from pte_study.fetch import fetch, has, listed_hashes

BODY = bytes(range(256)) * 1024
HALF = len(BODY) // 2
SHA, OTHER = hashlib.sha256(BODY).hexdigest(), "b" * 64
REBUILT = hashlib.sha256(b"rebuilt").hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Answers each request as the next word of its server's `script` says, the last for good."""

    def log_message(self, format, *args):
        pass

    def do_GET(self):
        assert self.headers["Accept-Encoding"] == "identity"
        self.server.requests.append(self.path)
        script = self.server.script
        word = script.pop(0) if len(script) > 1 else script[0]
        body = {"good": BODY, "wrong": BODY[::-1], "truncated": BODY, "stalled": BODY}.get(
            word, b""
        )
        self.send_response(int(word) if word.isdigit() else 200)
        self.send_header("Content-Length", str(len(body)))
        # As some hosts label archives; the bytes must be stored as sent all the same.
        self.send_header("Content-Encoding", "x-gzip")
        self.end_headers()
        self.wfile.write(body[:HALF] if word in ("truncated", "stalled") else body)
        if word == "stalled":
            self.wfile.flush()
            self.server.release.wait(20)


@pytest.fixture(scope="module")
def listening():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.release = threading.Event()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.release.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def server(listening, monkeypatch):
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    monkeypatch.setattr(module, "BACKOFF", 0.01)
    listening.script, listening.requests = ["good"], []
    listening.url = f"http://127.0.0.1:{listening.server_port}/a.tar.gz"
    return listening


@pytest.fixture
def archive(server):
    return Archive("a.tar.gz", SHA, len(BODY), (server.url,))


@pytest.fixture
def destination(tmp_path):
    return tmp_path / "raw" / "a.tar.gz"


def make_mirror(folder, content, listed):
    folder.mkdir()
    (folder / "a.tar.gz").write_bytes(content)
    line = f"{hashlib.sha256(listed).hexdigest()}  a.tar.gz\n" if listed is not None else ""
    (folder / "SHA256SUMS").write_text(f"{OTHER}  other.zip\n{line}")
    return folder


def only_file(destination):
    assert list(destination.parent.iterdir()) == [destination]
    return destination.read_bytes()


@pytest.mark.parametrize(
    ("script", "requests"),
    [("good", 1), ("truncated good", 2), ("500 500 good", 3), ("429 good", 2), ("stalled good", 2)],
)
def test_what_may_pass_is_tried_again(script, requests, archive, destination, server):
    server.script = script.split()
    assert fetch(archive, destination) == f"{server.url}: sha256 {SHA}, as the registry says"
    assert only_file(destination) == BODY
    assert len(server.requests) == requests


def test_without_a_registered_hash_it_is_stored_as_it_comes(archive, destination):
    said = fetch(replace(archive, sha256=None, size=None), destination)
    assert said.endswith(f"sha256 {SHA}, and none is registered")


@pytest.mark.parametrize(
    ("script", "complaint", "requests"),
    [("503", "503 Server Error", 4), ("404", "404 Client Error", 1), ("wrong", "wrong sha256", 1)],
)
def test_a_failed_download_leaves_nothing(
    script, complaint, requests, archive, destination, server
):
    server.script = [script]
    with pytest.raises(PteError, match=complaint):
        fetch(archive, destination)
    assert list(destination.parent.iterdir()) == []
    assert len(server.requests) == requests


def test_error_lists_every_source(archive, destination, server, tmp_path, monkeypatch):
    server.script = ["404", "wrong"]
    fake_pip(monkeypatch, {}, "ERROR: no such thing")
    destination.parent.mkdir()
    destination.write_bytes(b"by hand, wrong")
    everything = replace(
        archive, urls=(server.url, f"{server.url}/other"), package="some-package==1.0", size=None
    )
    with pytest.raises(PteError) as caught:
        fetch(everything, destination, tmp_path / "nowhere")
    lines = str(caught.value).splitlines()
    got = hashlib.sha256(BODY[::-1]).hexdigest()
    by_hand = hashlib.sha256(b"by hand, wrong").hexdigest()
    assert lines == [
        "cannot fetch a.tar.gz; sources tried:",
        f"  file at {destination}: wrong sha256: expected {SHA} (registry), got {by_hand}",
        f"  mirror {tmp_path / 'nowhere'}: has no file a.tar.gz",
        f"  {server.url}: 404 Client Error: Not Found for url: {server.url}",
        f"  {server.url}/other: wrong sha256: expected {SHA} (registry), got {got}",
        "  package index: some-package==1.0: ERROR: no such thing",
        f"put the file by hand at {destination} and run again; expected sha256: {SHA}",
    ]


def test_no_source_at_all(destination):
    with pytest.raises(PteError) as caught:
        fetch(Archive("a.tar.gz", None, None), destination)
    assert str(caught.value).splitlines()[1:] == [
        "  none: no mirror given, no address or package registered",
        "it has no public source; set `mirror` in config.yaml or PTE_MIRROR in the environment to "
        "a folder that holds it and its SHA256SUMS, or put the file by hand at "
        f"{destination} and run again; expected sha256: none registered",
    ]


def test_a_file_put_by_hand_is_accepted_and_a_wrong_one_replaced(archive, destination, server):
    destination.parent.mkdir()
    destination.write_bytes(BODY)
    assert fetch(archive, destination).endswith("as the registry says")
    assert f"sha256 {SHA}, and none" in fetch(replace(archive, sha256=None), destination)
    assert server.requests == []
    destination.write_bytes(b"wrong")
    fetch(archive, destination)
    assert only_file(destination) == BODY


def test_mirror_comes_first_and_is_checked_by_its_own_sums(archive, destination, server, tmp_path):
    mirror = make_mirror(tmp_path / "mirror", b"rebuilt", listed=b"rebuilt")
    expected = f"mirror {mirror}: sha256 {REBUILT}, as the mirror SHA256SUMS says"
    assert fetch(archive, destination, mirror) == expected
    assert only_file(destination) == b"rebuilt"
    assert server.requests == []


def test_official_file_in_a_mirror_needs_no_sums(archive, destination, tmp_path):
    mirror = make_mirror(tmp_path / "mirror", BODY, listed=None)
    assert fetch(archive, destination, mirror).endswith("as the registry says")


@pytest.mark.parametrize(
    ("file", "sha256", "listed", "complaint"),
    [
        ("a.tar.gz", SHA, b"rebuilt", f"wrong sha256: expected {REBUILT} .mirror SHA256SUMS., got"),
        ("a.tar.gz", SHA, None, f"wrong sha256: expected {SHA} .registry., got"),
        ("a.tar.gz", None, None, "no SHA256SUMS there lists a.tar.gz"),
        ("b.zip", SHA, None, "has no file b.zip"),
    ],
)
def test_a_bad_mirror_says_why_and_gives_way(
    file, sha256, listed, complaint, archive, destination, server, tmp_path
):
    mirror = make_mirror(tmp_path / "mirror", b"corrupted", listed)
    asked = replace(archive, file=file, sha256=sha256)
    with pytest.raises(PteError, match=rf"mirror .*: {complaint}"):
        fetch(replace(asked, urls=()), destination, mirror)
    assert list(destination.parent.glob("*")) == []
    assert fetch(asked, destination, mirror).startswith(server.url)


def fake_pip(monkeypatch, wheels, stderr):
    """Let `pip download` leave `wheels`, or fail with `stderr` where there are none."""

    def run(command, **options):
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert {"--no-deps", "--only-binary=:all:"} < set(command)
        assert command[-1] == "some-package==1.0"
        assert options["timeout"] and not options.get("shell")
        folder = Path(command[command.index("-d") + 1])
        for name, content in wheels.items():
            (folder / name).write_bytes(content)
        return subprocess.CompletedProcess(command, 0 if wheels else 1, "", stderr)

    monkeypatch.setattr(subprocess, "run", run)


WHEEL = Archive("some.whl", SHA, len(BODY), package="some-package==1.0")


def test_wheel_of_the_package_index(destination, monkeypatch):
    fake_pip(monkeypatch, {"some_package-1.0-py3-none-any.whl": BODY}, "")
    source = "package index: some-package==1.0"
    assert fetch(WHEEL, destination) == f"{source}: sha256 {SHA}, as the registry says"
    assert only_file(destination) == BODY


@pytest.mark.parametrize(
    ("wheels", "stderr", "complaint"),
    [
        ({"a.whl": BODY[::-1]}, "", "wrong sha256"),
        ({"a.whl": BODY, "b.whl": BODY}, "", "2 wheels"),
        ({}, "WARNING: first\nERROR: needs another Python\n", ": ERROR: needs another Python\n"),
        ({}, "", "pip exited with 1"),
    ],
)
def test_package_index_fails(wheels, stderr, complaint, destination, monkeypatch):
    fake_pip(monkeypatch, wheels, stderr)
    with pytest.raises(PteError, match=complaint):
        fetch(WHEEL, destination)
    assert list(destination.parent.iterdir()) == []


def test_slow_pip_is_a_listed_failure(destination, monkeypatch):
    def run(command, timeout, **_):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(PteError, match="pip took longer than"):
        fetch(WHEEL, destination)


def test_a_mirror_lists_hashes_in_either_form(tmp_path):
    (tmp_path / "SHA256SUMS").write_text(f"{SHA} *x.gz\n{OTHER}  ./y.gz\n")
    assert listed_hashes(tmp_path) == {"x.gz": SHA, "y.gz": OTHER}
    assert not has(tmp_path, "x.gz")
