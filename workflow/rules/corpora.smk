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


# Compile once before the fan-out; otherwise all jobs that begin together compile the same. `kernels`
# is a set of them, of `pte.warm_up`; one set is compiled at a time (profiles/), because they share
# functions. That of encoding comes first: all else needs text. An edited kernel of training is no
# reason to encode again.
rule warm_up:
    input:
        lambda w: [] if w.kernels == "encoding" else compiled("encoding"),
    output:
        "resources/warm_up/{kernels}.json",
    log:
        "logs/warm_up/{kernels}.log",
    priority: 3
    conda:
        "../../environment.yml"
    resources:
        compiling=1,
    params:
        shapes=lambda w: shapes_of(w.kernels),
        window=config["window"],
        code=lambda w: fingerprint(
            "pte.core.words" if w.kernels == "encoding" else "pte.core"
        ),
    script:
        "../scripts/warm_up.py"


rule encode:
    input:
        unpack(archives_of),
        compiled=compiled("encoding"),
    output:
        directory("resources/corpora/{corpus}"),
    log:
        "logs/encode/{corpus}.log",
    benchmark:
        "results/benchmarks/encode/{corpus}.tsv"
    wildcard_constraints:
        corpus=either(CORPORA),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        entry=lambda w: only(
            CORPORA[w.corpus],
            ["reader", "options", "tokeniser", "split", "class_names"]
            + ["documents_sha256", "unlabelled"],
        ),
        official=lambda w: {
            role: ARCHIVES[archive]["sha256"]
            for role, archive in roles_of(CORPORA[w.corpus]).items()
        },
        code=fingerprint(
            "pte.corpora.encode", "pte.corpora.readers", "pte.corpora.tokenise"
        ),
    script:
        "../scripts/encode.py"


# Fewer labels, less text: corpora of their own, for learning curves.
rule subset:
    input:
        lambda w: f"resources/corpora/{base_of(w)}",
    output:
        directory("resources/corpora/{corpus}"),
    log:
        "logs/subset/{corpus}.log",
    wildcard_constraints:
        corpus=f"(?:{either(CORPORA)}){PATTERN}",
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("pte.corpora.subsets"),
    script:
        "../scripts/subset.py"
