# Make published runs here again, to see whether they are the same:
# `snakemake verify --config sample=20`.


rule verify:
    input:
        unpack(lambda w: verified.inputs(study)),
    output:
        multiext(paths.VERIFIED, ".csv", ".md", ".tex"),
    log:
        "logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        names=lambda w: list(verified.sample(study)),
        stores=lambda w: verified.hashes(verified.sample(study)),
        code=study.code("verify"),
    script:
        "../scripts/verify.py"
