# Fetch and verify archives, turn their documents into word numbers, and these into graphs: text
# networks, and the nearest documents of each document.


# The nodes of a cluster may have no network, so the main machine fetches.
localrules:
    fetch,


rule fetch:
    output:
        "resources/archives/{file}",
    log:
        "logs/fetch/{file}.log",
    wildcard_constraints:
        file=either(each.file for each in study.registries.archives.values()),
    conda:
        "../../environment.yml"
    params:
        archive=lambda w: vars(study.archive(w.file)),
    message:
        "Fetch {wildcards.file} and verify it"
    script:
        "../scripts/fetch.py"


# Jobs that begin together would all compile the same kernels. No result depends on this rule, so it
# has no parameters: an edited kernel is compiled by the jobs that call it.
rule warm_up:
    output:
        "resources/warm_up.done",
    log:
        "logs/warm_up.log",
    priority: 3
    conda:
        "../../environment.yml"
    message:
        "Compile the kernels, which other jobs call"
    script:
        "../scripts/warm_up.py"


rule encode:
    input:
        unpack(lambda w: study.archives_of(w.corpus)),
    output:
        corpus=directory("resources/corpora/{corpus}"),
        cost="results/costs/corpora/{corpus}.json",
    log:
        "logs/encode/{corpus}.log",
    wildcard_constraints:
        corpus=either(study.registries.corpora),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        recipe=lambda w: vars(study.recipe(w.corpus)),
        official=lambda w: study.official(w.corpus),
        code=lambda w: study.reading_code("encode", w.corpus),
    message:
        "Turn the documents of {wildcards.corpus} into word numbers"
    script:
        "../scripts/encode.py"


rule encode_texts:
    input:
        unpack(lambda w: study.archives_of(w.corpus)),
        study.encoder_files,
        encoded="resources/corpora/{corpus}",
    output:
        vectors="resources/encoded/{corpus}.npy",
        cost="results/costs/encoded/{corpus}.json",
    log:
        "logs/encode_texts/{corpus}.log",
    wildcard_constraints:
        corpus=either(study.registries.corpora),
    conda:
        "../../environment.yml"
    params:
        recipe=lambda w: vars(study.recipe(w.corpus)),
        roles=lambda w: list(study.archives_of(w.corpus)),
        encoder=study.config.encoder,
        code=lambda w: study.reading_code("encode_texts", w.corpus),
    message:
        "Let an encoder that was made elsewhere read the texts of {wildcards.corpus}"
    script:
        "../scripts/encode_texts.py"


rule subset:
    input:
        lambda w: f"resources/corpora/{Subset.parse(w.corpus).base}",
    output:
        directory("resources/corpora/{corpus}"),
    log:
        "logs/subset/{corpus}.log",
    wildcard_constraints:
        corpus=f"(?:{either(study.registries.corpora)}){PATTERN}",
    conda:
        "../../environment.yml"
    params:
        code=study.code("subset"),
    message:
        "Take labels or text away, which leaves {wildcards.corpus}"
    script:
        "../scripts/subset.py"


# `labels` is `given`, or `shuffled-SEED` for the control. Threads and memory are not parameters,
# because a network does not depend on them.
rule network:
    input:
        corpus="resources/corpora/{corpus}",
        edges=lambda w: study.config.networks.get(w.network, []),
        compiled="resources/warm_up.done",
    output:
        network=directory("resources/networks/{corpus}/{labels}/{network}"),
        cost="results/costs/networks/{corpus}/{labels}/{network}.json",
    log:
        "logs/network/{corpus}/{labels}/{network}.log",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        window=lambda w: study.window_of(w.network),
        code=lambda w: study.network_code("network", w.network),
    message:
        "Build the network {wildcards.network} of {wildcards.corpus}"
    script:
        "../scripts/network.py"


rule neighbours:
    input:
        corpus="resources/corpora/{corpus}",
    output:
        neighbours="resources/neighbours/{corpus}.npz",
        cost="results/costs/neighbours/{corpus}.json",
    log:
        "logs/neighbours/{corpus}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("neighbours"),
    message:
        "Find the nearest documents of each document of {wildcards.corpus}"
    script:
        "../scripts/neighbours.py"
