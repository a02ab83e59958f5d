# `snakemake verify --config sample=20`.


rule verify:
    input:
        unpack(lambda w: study.verify_inputs()),
    output:
        multiext("results/verify/runs", ".csv", ".md"),
    log:
        "logs/verify.log",
    conda:
        "../../environment.yml"
    params:
        names=lambda w: list(study.to_verify),
        stores=lambda w: study.verified_hashes(),
        code=study.code("verify"),
    message:
        "Compare published runs with the same runs, made here"
    script:
        "../scripts/verify.py"
