# Published runs made here again, to see whether they are the same: `snakemake verify --config sample=20`.


def verified():
    return Verified.sample(runs, study.config.verified)


rule verify:
    input:
        unpack(lambda w: verified().inputs(runs)),
    output:
        multiext(paths.VERIFIED, ".csv", ".md", ".tex"),
    log:
        "logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        names=lambda w: list(verified().names),
        code=study.code("verify"),
    script:
        "../scripts/verify.py"
