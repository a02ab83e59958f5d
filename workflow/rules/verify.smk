# Make published runs here again, to see whether they are the same:
# `snakemake verify --config sample=20`.


rule verify:
    input:
        unpack(lambda w: Verified.sample(runs, study.config.verified).inputs(runs)),
    output:
        multiext(paths.VERIFIED, ".csv", ".md", ".tex"),
    log:
        "logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        names=lambda w, input: paths.without_ending(input.scores),
        stores=lambda w: Verified.sample(runs, study.config.verified).stores(),
        code=study.code("verify"),
    script:
        "../scripts/verify.py"
