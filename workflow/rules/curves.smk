# Learning curves, over corpora with fewer labels or less text.


rule collect_curve:
    input:
        lambda w: wanted(curve_scores(w.curve)),
    output:
        "results/tidy/curves/{curve}.csv",
    log:
        "logs/tidy/curves/{curve}.log",
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("pte.report.summaries"),
    script:
        "../scripts/collect_scores.py"


rule curve:
    input:
        scores="results/tidy/curves/{curve}.csv",
        paper="workflow/registry/paper_results.csv",
        third_party="workflow/registry/third_party_results.csv",
    output:
        csv="results/curves/{curve}.csv",
        md="results/curves/{curve}.md",
        tex="results/curves/{curve}.tex",
        pdf="results/figures/curves/{curve}.pdf",
        svg=report(
            "results/figures/curves/{curve}.svg",
            caption="../report/curve.rst",
            category="Figures",
            labels={"curve": "{curve}"},
        ),
        png="results/figures/curves/{curve}.png",
    log:
        "logs/curves/{curve}.log",
    conda:
        "../../environment.yml"
    params:
        curve=lambda w: only(config["curves"][w.curve], ["caption", "along"]),
        methods=lambda w: [
            {"name": name} | METHODS[name]
            for name in config["curves"][w.curve]["methods"]
        ],
        seeds=SWEEP_SEEDS,
        code=fingerprint("pte.report.curves"),
    script:
        "../scripts/curve.py"


rule curves:
    input:
        expand(
            "results/curves/{curve}.csv", curve=filter(curve_views, config["curves"])
        ),
