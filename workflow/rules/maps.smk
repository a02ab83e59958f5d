# Documents on a plane.


rule place:
    input:
        unpack(vectors_of),
        corpus="resources/corpora/{corpus}",
    output:
        places="results/maps/{corpus}/{method}/seed{seed}.npy",
        separation="results/maps/{corpus}/{method}/seed{seed}.json",
    log:
        "logs/maps/{corpus}/{method}/seed{seed}.log",
    benchmark:
        "results/benchmarks/maps/{corpus}/{method}/seed{seed}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        code=fingerprint(
            "pte.evaluation.maps",
            "pte.evaluation.features",
            "pte.models.labelled",
        ),
    script:
        "../scripts/place.py"


rule map:
    input:
        corpus="resources/corpora/{corpus}",
        places=lambda w: map_files(w.corpus, "npy"),
        separations=lambda w: map_files(w.corpus, "json"),
    output:
        csv="results/maps/{corpus}.csv",
        md="results/maps/{corpus}.md",
        tex="results/maps/{corpus}.tex",
        json="results/maps/{corpus}.json",
        pdf="results/figures/maps/{corpus}.pdf",
        svg=report(
            "results/figures/maps/{corpus}.svg",
            caption="../report/map.rst",
            category="Figures",
            labels={"map": "{corpus}"},
        ),
        png="results/figures/maps/{corpus}.png",
    log:
        "logs/maps/{corpus}.log",
    wildcard_constraints:
        corpus=either(CORPORA),
    conda:
        "../../environment.yml"
    params:
        labels=lambda w: [METHODS[name]["label"] for name in config["maps"][w.corpus]],
        code=fingerprint("pte.report.maps"),
    script:
        "../scripts/map.py"


rule maps:
    input:
        expand("results/maps/{corpus}.csv", corpus=config["maps"]),
