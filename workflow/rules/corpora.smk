# Archives are fetched and verified, documents become word ids.


rule fetch:
    output:
        "resources/archives/{file}",
    log:
        "logs/fetch/{file}.log",
    wildcard_constraints:
        file=either(archive["file"] for archive in ARCHIVES.values()),
    params:
        archive=lambda w: next(a for a in ARCHIVES.values() if a["file"] == w.file),
        mirror=lambda w: os.environ.get("PTE_MIRROR") or config["mirror"],
    script:
        "../scripts/fetch.py"


rule encode:
    input:
        archive=lambda w: "resources/archives/"
        + ARCHIVES[CORPORA[w.corpus]["archive"]]["file"],
    output:
        directory("resources/corpora/{corpus}"),
    log:
        "logs/encode/{corpus}.log",
    benchmark:
        "results/benchmarks/encode/{corpus}.tsv"
    params:
        entry=lambda w: CORPORA[w.corpus],
        archive=lambda w: ARCHIVES[CORPORA[w.corpus]["archive"]],
        code=fingerprint("pte.corpora"),
    script:
        "../scripts/encode.py"
