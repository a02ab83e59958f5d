# Tables in CSV, Markdown, HTML, LaTeX and text, and figures in PDF, SVG and PNG.


rule collect:
    input:
        lambda w: runs.of_table(w.table),
    output:
        "results/tidy/{table}.csv",
    log:
        "logs/tidy/{table}.log",
    conda:
        "../../environment.yml"
    params:
        code=study.code("collect_scores"),
    script:
        "../scripts/collect_scores.py"


use rule collect as collect_curve with:
    input:
        lambda w: runs.of_curve(w.curve),
    output:
        "results/tidy/curves/{curve}.csv",
    log:
        "logs/tidy/curves/{curve}.log",


rule comparison:
    input:
        scores="results/tidy/{table}.csv",
        paper="workflow/registry/paper_results.csv",
        third_party="workflow/registry/third_party_results.csv",
    output:
        csv="results/tables/{table}.csv",
        md="results/tables/{table}.md",
        html=report(
            "results/tables/{table}.html",
            caption="../report/comparison.rst",
            category="Tables",
            labels={"table": "{table}"},
        ),
        tex="results/tables/{table}.tex",
        txt="results/tables/{table}.txt",
    log:
        "logs/tables/{table}.log",
    conda:
        "../../environment.yml"
    params:
        corpora=lambda w: study.tables[w.table].corpora,
        caption=lambda w: study.tables[w.table].caption,
        settings=lambda w: study.tables[w.table].settings,
        seeds=lambda w: runs.seeds_of(w.table),
        methods=study.rows(study.config.methods),
        code=study.code("comparison"),
    script:
        "../scripts/comparison.py"


rule table1:
    input:
        corpora=[paths.corpus(name) for name in runs.shown],
        paper="workflow/registry/paper_datasets.csv",
    output:
        csv="results/tables/table1.csv",
        md="results/tables/table1.md",
        html=report(
            "results/tables/table1.html",
            caption="../report/table1.rst",
            category="Tables",
            labels={"table": "table1"},
        ),
        tex="results/tables/table1.tex",
    log:
        "logs/tables/table1.log",
    conda:
        "../../environment.yml"
    params:
        expected=[study.registries.corpora[name].table1 for name in runs.shown],
        code=study.code("table1"),
    script:
        "../scripts/table1.py"


rule comparison_figure:
    input:
        comparison="results/tables/{table}.csv",
    output:
        pdf="results/figures/{table}.pdf",
        svg=report(
            "results/figures/{table}.svg",
            caption="../report/comparison.rst",
            category="Figures",
            labels={"table": "{table}"},
        ),
        png="results/figures/{table}.png",
    log:
        "logs/figures/{table}.log",
    conda:
        "../../environment.yml"
    params:
        seeds=lambda w: runs.seeds_of(w.table),
        code=study.code("comparison_figure"),
    script:
        "../scripts/comparison_figure.py"


rule times:
    input:
        comparison="results/tables/{table}.csv",
    output:
        csv="results/times/{table}.csv",
        md="results/times/{table}.md",
        tex="results/times/{table}.tex",
        pdf="results/figures/times/{table}.pdf",
        svg=report(
            "results/figures/times/{table}.svg",
            caption="../report/times.rst",
            category="Figures",
            labels={"table": "{table}, seconds of training"},
        ),
        png="results/figures/times/{table}.png",
    log:
        "logs/figures/times/{table}.log",
    conda:
        "../../environment.yml"
    params:
        caption=lambda w: study.tables[w.table].caption,
        seeds=lambda w: runs.seeds_of(w.table),
        code=study.code("times"),
    script:
        "../scripts/times.py"


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
        curve=lambda w: vars(study.shown_curve(w.curve)),
        methods=lambda w: study.rows(study.config.curves[w.curve].methods),
        seeds=runs.sweep_seeds,
        code=study.code("curve"),
    script:
        "../scripts/curve.py"


rule sensitivity_figure:
    input:
        lambda w: paths.with_ending(runs.of_sweep(w.parameter), "json"),
    output:
        csv="results/sensitivity/{parameter}.csv",
        md="results/sensitivity/{parameter}.md",
        tex="results/sensitivity/{parameter}.tex",
        pdf="results/figures/sensitivity/{parameter}.pdf",
        svg=report(
            "results/figures/sensitivity/{parameter}.svg",
            caption="../report/sensitivity.rst",
            category="Figures",
            labels={"PTE(joint) against": "{parameter}"},
        ),
        png="results/figures/sensitivity/{parameter}.png",
    log:
        "logs/sensitivity/{parameter}.log",
    wildcard_constraints:
        parameter=either(runs.parameters),
    conda:
        "../../environment.yml"
    params:
        defaults=lambda w: runs.values_in_tables(w.parameter),
        seeds=runs.sweep_seeds,
        code=study.code("sensitivity_figure"),
    script:
        "../scripts/sensitivity_figure.py"


rule map:
    input:
        corpus=paths.CORPUS,
        places=lambda w: paths.with_ending(runs.of_map(w.corpus), "npy"),
        separations=lambda w: paths.with_ending(runs.of_map(w.corpus), "json"),
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
        corpus=either(study.registries.corpora),
    conda:
        "../../environment.yml"
    params:
        labels=lambda w: [study.labels[name] for name in study.config.maps[w.corpus]],
        code=study.code("map"),
    script:
        "../scripts/map.py"


rule network_picture:
    input:
        corpus=paths.corpus(study.config.network_picture.corpus),
    output:
        pdf="results/figures/network.pdf",
        svg=report(
            "results/figures/network.svg",
            caption="../report/network.rst",
            category="Figures",
        ),
        png="results/figures/network.png",
    log:
        "logs/figures/network.log",
    conda:
        "../../environment.yml"
    params:
        picture=vars(study.config.network_picture),
        window=study.config.hyperparameters.window,
        code=study.code("network_picture"),
    script:
        "../scripts/network_picture.py"
