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
        archive=lambda w: next(a for a in ARCHIVES.values() if a["file"] == w.file),
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
        entry=lambda w: CORPORA[w.corpus],
        archive=lambda w: ARCHIVES[CORPORA[w.corpus]["archive"]],
        code=fingerprint("pte.corpora"),
    script:
        "../scripts/encode.py"
