# Encode and count in several jobs, where config.yaml asks for `shards`: a job for each shard, and a
# job that joins the shards. The result is the same as that of a single job.


scattergather:
    shard=study.config.shards,


ruleorder: join_corpus > encode
ruleorder: join_network > network


rule read_documents:
    input:
        unpack(lambda w: study.archives_of(w.corpus)),
    output:
        documents=temp(directory(paths.DOCUMENTS)),
        cost=temp(paths.cost(paths.DOCUMENTS)),
    log:
        "logs/read_documents/{corpus}.log",
    wildcard_constraints:
        corpus=either(study.sharded_corpora),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        recipe=lambda w: vars(study.recipe(w.corpus)),
        official=lambda w: study.official(w.corpus),
        code=lambda w: study.reading_code("read_documents", w.corpus),
    script:
        "../scripts/read_documents.py"


rule number_shard:
    input:
        documents=paths.DOCUMENTS,
        compiled=paths.kernels("encoding"),
    output:
        shard=temp(directory(paths.SHARD)),
        cost=temp(paths.cost(paths.SHARD)),
    log:
        "logs/number_shard/{corpus}/{scatteritem}.log",
    wildcard_constraints:
        corpus=either(study.sharded_corpora),
    conda:
        "../../environment.yml"
    params:
        tokeniser=lambda w: study.recipe(w.corpus).tokeniser,
        code=study.code("number_shard"),
    script:
        "../scripts/number_shard.py"


rule join_corpus:
    input:
        unpack(lambda w: study.vocabulary_of(w.corpus)),
        documents=paths.DOCUMENTS,
        shards=gather.shard(paths.gathered(paths.SHARD)),
        costs=[
            paths.cost(paths.DOCUMENTS),
            *gather.shard(paths.gathered(paths.cost(paths.SHARD))),
        ],
        compiled=paths.kernels("encoding"),
    output:
        corpus=directory(paths.CORPUS),
        cost=paths.cost(paths.CORPUS),
    log:
        "logs/encode/{corpus}.log",
    wildcard_constraints:
        corpus=either(study.sharded_corpora),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        recipe=lambda w: vars(study.recipe(w.corpus)),
        code=study.code("join_corpus"),
    script:
        "../scripts/join_corpus.py"


rule network_shard:
    input:
        corpus=paths.CORPUS,
        compiled=paths.kernels("counting"),
    output:
        shard=temp(directory(paths.NETWORK_SHARD)),
        cost=temp(paths.cost(paths.NETWORK_SHARD)),
    log:
        "logs/network_shard/{corpus}/{labels}/{network}/{scatteritem}.log",
    wildcard_constraints:
        network=either(study.sharded_networks),
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: attempt * 4000,
    params:
        window=lambda w: study.window_of(w.network),
        code=lambda w: study.network_code("network_shard", w.network),
    script:
        "../scripts/network_shard.py"


rule join_network:
    input:
        shards=gather.shard(paths.gathered(paths.NETWORK_SHARD)),
        costs=gather.shard(paths.gathered(paths.cost(paths.NETWORK_SHARD))),
    output:
        network=directory(paths.NETWORK),
        cost=paths.cost(paths.NETWORK),
    log:
        "logs/network/{corpus}/{labels}/{network}.log",
    wildcard_constraints:
        network=either(study.sharded_networks),
    conda:
        "../../environment.yml"
    params:
        code=study.code("join_network"),
    script:
        "../scripts/join_network.py"
