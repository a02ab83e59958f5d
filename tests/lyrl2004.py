"""Writes documents as LYRL2004 published RCV1-v2."""

import gzip

PER_LINE = 10  # tokens on a line

NAMES = {
    **{f"part{i}": f"lyrl2004_tokens_test_pt{i}.dat.gz" for i in range(4)},
    "topics": "rcv1-v2.topics.qrels.gz",
    "hierarchy": "rcv1.topics.hier.orig",
}
"""The official names of the files; the first of tokens is the archive of an entry."""


def write_tokens(path, documents):
    """Write numbers and tokens of documents, compressed by gzip."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for number, tokens in documents:
            lines = (tokens[i : i + PER_LINE] for i in range(0, len(tokens), PER_LINE))
            text = "".join(" ".join(line) + "\n" for line in lines)
            file.write(f".I {number}\n.W\n{text}\n")


def write_topics(path, topics):
    """Write numbers and topics of documents, compressed by gzip."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for number, codes in topics:
            file.writelines(f"{code} {number} 1\n" for code in codes)


def write_hierarchy(path, children):
    """Write the topics right below each topic, with their codes as descriptions."""
    lines = ["parent: None  child: Root  child-description: Root\n"]
    for parent, codes in children.items():
        lines += [f"parent: {parent}  child: {c}  child-description: {c}\n" for c in codes]
    path.write_text("".join(lines), "utf-8")
