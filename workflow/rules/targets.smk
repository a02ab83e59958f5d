# Short names for what one may want.


rule tables:
    input:
        [paths.table(name) for name in study.config.tables],


rule figures:
    input:
        rules.network_picture.output,
        [paths.figure(name) for name in study.config.tables],
        [f"results/figures/times/{name}.pdf" for name in study.config.tables],


rule curves:
    input:
        [f"results/curves/{name}.csv" for name in runs.curves],


rule sensitivity:
    input:
        [f"results/sensitivity/{name}.csv" for name in runs.parameters],


rule maps:
    input:
        [f"results/maps/{name}.csv" for name in study.config.maps],


rule page:
    input:
        "results/index.html",


rule quickstart:
    input:
        paths.table("quickstart"),
        paths.figure("quickstart"),
        "results/quickstart.html",


for corpus in study.registries.corpora:

    rule:
        name:
            corpus
        input:
            paths.table(corpus),
            paths.figure(corpus),
