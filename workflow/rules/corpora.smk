# Archives are fetched and verified, documents become word ids.


rule fetch:
    output:
        "resources/archives/{file}",
    log:
        "logs/fetch/{file}.log",
    wildcard_constraints:
        file=either(archive["file"] for archive in ARCHIVES.values()),
    conda:
        "../../environment.yml"
    params:
        archive=lambda w: only(
            next(a for a in ARCHIVES.values() if a["file"] == w.file),
            ["file", "sha256", "size", "urls", "package"],
        ),
    script:
        "../scripts/fetch.py"


rule encode:
    input:
        archive=lambda w: archive_of(w.corpus),
    output:
        directory("resources/corpora/{corpus}"),
    log:
        "logs/encode/{corpus}.log",
    benchmark:
        "results/benchmarks/encode/{corpus}.tsv"
    conda:
        "../../environment.yml"
    params:
        entry=lambda w: only(
            CORPORA[w.corpus],
            ["reader", "options", "tokeniser", "split", "class_names"]
            + ["documents_sha256"],
        ),
        official=lambda w: ARCHIVES[CORPORA[w.corpus]["archive"]]["sha256"],
        code=fingerprint(
            "pte.corpora.encode", "pte.corpora.readers", "pte.corpora.tokenise"
        ),
    script:
        "../scripts/encode.py"
