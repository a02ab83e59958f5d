# Fetch and verify archives, and turn their documents into word numbers.


# The nodes of a cluster may have no network, so the main machine fetches.
localrules:
    fetch,


rule fetch:
    output:
        paths.ARCHIVE,
    log:
        "logs/fetch/{file}.log",
    wildcard_constraints:
        file=either(each.file for each in study.registries.archives.values()),
    conda:
        "../../environment.yml"
    params:
        archive=lambda w: vars(study.archive(w.file)),
        source=lambda w: study.fetched(w.file),
    script:
        "../scripts/fetch.py"


# Compile a set of kernels before the jobs that call it, because jobs that begin together would all
# compile the same kernels. One set is compiled at a time (profiles/), because sets share functions.
# The set of encoding comes first, because all other jobs need encoded text. No result depends on
# this rule's own code; the folder of compiled kernels is named after the code of the kernels.
# No job may take its files as `ancient`: Snakemake (9.27) does not look at the parameters of a job
# below one that has to run.
rule warm_up:
    input:
        lambda w: [] if w.kernels == "encoding" else paths.kernels("encoding"),
    output:
        paths.KERNELS,
    log:
        "logs/warm_up/{kernels}.log",
    priority: 3
    conda:
        "../../environment.yml"
    resources:
        compiling=1,
    params:
        kernels=lambda w: kernel_sets.set_of(w.kernels),
        shapes=lambda w: kernel_sets.shapes(study.config, w.kernels),
        code=lambda w: study.kernels_code(w.kernels),
    script:
        "../scripts/warm_up.py"


rule encode:
    input:
        unpack(lambda w: study.archives_of(w.corpus)),
        compiled=paths.kernels("encoding"),
    output:
        corpus=directory(paths.CORPUS),
        cost=paths.cost(paths.CORPUS),
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
    script:
        "../scripts/encode.py"


# Let an encoder that was made elsewhere read the texts of a corpus.
rule encode_texts:
    input:
        unpack(lambda w: study.archives_of(w.corpus)),
        study.encoder_files,
        encoded=paths.CORPUS,
    output:
        vectors=paths.ENCODED,
        cost=paths.cost(paths.ENCODED),
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
    script:
        "../scripts/encode_texts.py"


# Make a corpus with fewer labels or less text, for learning curves.
rule subset:
    input:
        lambda w: paths.corpus(Subset.parse(w.corpus).base),
    output:
        directory(paths.CORPUS),
    log:
        "logs/subset/{corpus}.log",
    wildcard_constraints:
        corpus=f"(?:{either(study.registries.corpora)}){PATTERN}",
    conda:
        "../../environment.yml"
    params:
        code=study.code("subset"),
    script:
        "../scripts/subset.py"
