import gzip
import io
import random
import stat
import tarfile
import zipfile

import pytest

from pte.corpora import compressed
from pte.corpora.archives import read_members, stream_lines
from pte.errors import PteError

FILES = {"top/b.txt": b"second letter", "./top/a.txt": b"first letter", "top/empty": b""}
CONTENT = [("top/b.txt", b"second letter"), ("top/a.txt", b"first letter"), ("top/empty", b"")]


def members(path, pattern=".*"):
    """The names and contents of an archive's files whose names match a pattern."""
    return ((found[0], content) for found, content in read_members(path, pattern))


def tar_member(name, kind=tarfile.REGTYPE, target=""):
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    return member


def write_tar(path, *extra):
    mode = {".gz": "w:gz", ".tgz": "w:gz", ".xz": "w:xz", ".tar": "w:"}[path.suffix]
    with tarfile.open(path, mode) as tar:
        tar.addfile(tar_member("top", tarfile.DIRTYPE))
        for name, content in FILES.items():
            member = tar_member(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        for member in extra:
            tar.addfile(member)
    return path


def zip_entry(name, kind=stat.S_IFREG):
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o644) << 16
    return info


def write_zip(path, *extra):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("top/", b"")
        for name, content in FILES.items():
            archive.writestr(name, content)
        for info, content in extra:
            archive.writestr(info, content)
    return path


def write(path):
    return write_zip(path) if path.suffix in (".zip", ".whl") else write_tar(path)


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tgz", "a.tar.xz", "a.tar", "a.zip", "a.whl"])
def test_order_and_content(name, tmp_path):
    path = write(tmp_path / name)
    assert list(members(path)) == CONTENT
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
def test_only_wanted_members(name, tmp_path):
    assert list(members(write(tmp_path / name), r"top/a\.txt")) == [CONTENT[1]]


def test_only_regular_files_are_read(tmp_path):
    kinds = {"fifo": tarfile.FIFOTYPE, "device": tarfile.CHRTYPE, "hard": tarfile.LNKTYPE}
    links = [tar_member(f"top/{name}", kind, "/etc/passwd") for name, kind in kinds.items()]
    tar = write_tar(tmp_path / "a.tar", *links, tar_member("out", tarfile.SYMTYPE, "../passwd"))
    link = zip_entry("top/near", stat.S_IFLNK), b"/etc/passwd"
    archive = write_zip(tmp_path / "a.zip", link, (zip_entry("top/fifo", stat.S_IFIFO), b""))
    assert list(members(tar)) == list(members(archive)) == CONTENT


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tar.xz", "a.tar", "a.zip"])
@pytest.mark.parametrize("keep", [0.0, 0.02, 0.1, 0.5, 0.9])
def test_truncated_archive(name, keep, tmp_path):
    path = write(tmp_path / name)
    whole = path.read_bytes().rstrip(b"\0") if name == "a.tar" else path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(PteError, match="delete it and fetch it again") as caught:
        list(members(path))
    assert str(path) in str(caught.value)


def test_damaged_header_does_not_pass_for_the_end(tmp_path):
    path = write_tar(tmp_path / "a.tar")
    content = bytearray(path.read_bytes())
    content[content.index(b"./top/a.txt")] ^= 1
    path.write_bytes(content)
    with pytest.raises(PteError, match="delete it and fetch it again"):
        list(members(path))


def test_bad_checksum_at_the_end_is_noticed(tmp_path):
    path = write_tar(tmp_path / "a.tar.gz")
    content = bytearray(path.read_bytes())
    content[-8] ^= 1
    path.write_bytes(content)
    with pytest.raises(PteError, match="delete it and fetch it again"):
        list(members(path))


def test_damaged_zip_content(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"content")
    path.write_bytes(path.read_bytes().replace(b"content", b"kontent"))
    with pytest.raises(PteError, match="delete it and fetch it again"):
        list(members(path))


def test_what_is_no_archive_and_a_missing_one(tmp_path):
    (tmp_path / "a.rar").write_bytes(b"anything")
    with pytest.raises(PteError, match=r"a\.rar: it cannot be read to its end"):
        list(members(tmp_path / "a.rar"))
    with pytest.raises(PteError, match="no such file"):
        list(members(tmp_path / "a.zip"))


@pytest.mark.parametrize("name", ["a.tar.gz", "a.tar.xz", "a.zip", "a.gz"])
def test_a_bomb_is_refused_before_it_is_unpacked(name, tmp_path, monkeypatch):
    """Many members, each small enough, hold far more than their archive; a text does not."""
    path = tmp_path / name

    def pack(content):
        if name == "a.gz":
            path.write_bytes(gzip.compress(content * 10))
        elif name == "a.zip":
            entries = [zip_entry(f"m{i}") for i in range(10)]
            for entry in entries:
                entry.compress_type = zipfile.ZIP_DEFLATED
            write_zip(path, *[(entry, content) for entry in entries])
        else:
            with tarfile.open(path, f"w:{name[-2:]}") as tar:
                for i in range(10):
                    member = tar_member(f"m{i}")
                    member.size = len(content)
                    tar.addfile(member, io.BytesIO(content))

    def unpacked():
        if name == "a.gz":
            return sum(map(len, stream_lines(path)))
        return sum(len(content) for _, content in members(path))

    monkeypatch.setattr(compressed, "ALWAYS_ALLOWED", 2**24)
    pack(bytes(2**20))
    assert unpacked() >= 10 * 2**20
    monkeypatch.setattr(compressed, "ALWAYS_ALLOWED", 2**20)
    monkeypatch.setattr(compressed, "MOST_RATIO", 20)
    with pytest.raises(PteError, match="refused, because it holds more than"):
        unpacked()
    pack(random.Random(1).randbytes(2**18))
    assert unpacked() >= 10 * 2**18
    monkeypatch.setattr(compressed, "MOST_CONTENT", 2**20)
    with pytest.raises(PteError, match="holds more than 1,048,576 bytes"):
        unpacked()
