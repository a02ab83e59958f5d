# Tables in CSV, Markdown, HTML, LaTeX and text, and figures in PDF, SVG and PNG.


rule collect:
    input:
        lambda w: runs.files(runs.of_table(w.table), "json"),
    output:
        paths.TIDY,
    log:
        "logs/tidy/{table}.log",
    conda:
        "../../environment.yml"
    params:
        names=lambda w: runs.had(runs.of_table(w.table)),
        code=study.code("collect_scores"),
    script:
        "../scripts/collect_scores.py"


use rule collect as collect_curve with:
    input:
        lambda w: runs.files(runs.of_curve(w.curve), "json"),
    output:
        paths.TIDY_CURVE,
    log:
        "logs/tidy/curves/{curve}.log",
    params:
        names=lambda w: runs.had(runs.of_curve(w.curve)),
        code=study.code("collect_scores"),


rule comparison:
    input:
        scores=paths.TIDY,
        paper=local(paths.PAPER_SCORES),
        third_party=local(paths.OTHERS_SCORES),
    output:
        csv=f"{paths.TABLE}.csv",
        md=f"{paths.TABLE}.md",
        html=report(
            f"{paths.TABLE}.html",
            caption="../report/comparison.rst",
            category="Tables",
            labels={"table": "{table}"},
        ),
        tex=f"{paths.TABLE}.tex",
        txt=f"{paths.TABLE}.txt",
    log:
        "logs/tables/{table}.log",
    conda:
        "../../environment.yml"
    params:
        corpora=lambda w: study.tables[w.table].corpora,
        caption=lambda w: study.tables[w.table].caption,
        protocols=lambda w: study.tables[w.table].protocols,
        seeds=lambda w: runs.seeds_of(w.table),
        methods=lambda w: study.rows(study.methods_of(w.table)),
        stand_ins=study.stand_ins,
        code=study.code("comparison"),
    script:
        "../scripts/comparison.py"


rule table1:
    input:
        corpora=runs.places(runs.shown),
        paper=local(paths.PAPER_CORPORA),
    output:
        csv=f"{paths.TABLE1}.csv",
        md=f"{paths.TABLE1}.md",
        html=report(
            f"{paths.TABLE1}.html",
            caption="../report/table1.rst",
            category="Tables",
            labels={"table": "table1"},
        ),
        tex=f"{paths.TABLE1}.tex",
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
        comparison=f"{paths.TABLE}.csv",
    output:
        pdf=f"{paths.FIGURE}.pdf",
        svg=report(
            f"{paths.FIGURE}.svg",
            caption="../report/comparison.rst",
            category="Figures",
            labels={"table": "{table}"},
        ),
        png=f"{paths.FIGURE}.png",
    log:
        "logs/figures/{table}.log",
    conda:
        "../../environment.yml"
    params:
        seeds=lambda w: runs.seeds_of(w.table),
        style=study.config.style,
        code=study.code("comparison_figure"),
    script:
        "../scripts/comparison_figure.py"


rule times:
    input:
        comparison=f"{paths.TABLE}.csv",
    output:
        csv=f"{paths.TIMES}.csv",
        md=f"{paths.TIMES}.md",
        tex=f"{paths.TIMES}.tex",
        pdf=f"{paths.TIMES_FIGURE}.pdf",
        svg=report(
            f"{paths.TIMES_FIGURE}.svg",
            caption="../report/times.rst",
            category="Figures",
            labels={"table": "{table}, seconds of training"},
        ),
        png=f"{paths.TIMES_FIGURE}.png",
    log:
        "logs/figures/times/{table}.log",
    conda:
        "../../environment.yml"
    params:
        caption=lambda w: study.tables[w.table].caption,
        seeds=lambda w: runs.seeds_of(w.table),
        style=study.config.style,
        code=study.code("times"),
    script:
        "../scripts/times.py"


rule curve:
    input:
        scores=paths.TIDY_CURVE,
        paper=local(paths.PAPER_SCORES),
        third_party=local(paths.OTHERS_SCORES),
    output:
        csv=f"{paths.CURVE}.csv",
        md=f"{paths.CURVE}.md",
        tex=f"{paths.CURVE}.tex",
        pdf=f"{paths.CURVE_FIGURE}.pdf",
        svg=report(
            f"{paths.CURVE_FIGURE}.svg",
            caption="../report/curve.rst",
            category="Figures",
            labels={"curve": "{curve}"},
        ),
        png=f"{paths.CURVE_FIGURE}.png",
    log:
        "logs/curves/{curve}.log",
    conda:
        "../../environment.yml"
    params:
        curve=lambda w: vars(study.shown_curve(w.curve)),
        methods=lambda w: study.rows(study.config.curves[w.curve].methods),
        seeds=runs.curve_seeds,
        style=study.config.style,
        code=study.code("curve"),
    script:
        "../scripts/curve.py"


rule sensitivity_figure:
    input:
        lambda w: runs.files(runs.of_sensitivity(w.parameter), "json"),
    output:
        csv=f"{paths.SENSITIVITY}.csv",
        md=f"{paths.SENSITIVITY}.md",
        tex=f"{paths.SENSITIVITY}.tex",
        pdf=f"{paths.SENSITIVITY_FIGURE}.pdf",
        svg=report(
            f"{paths.SENSITIVITY_FIGURE}.svg",
            caption="../report/sensitivity.rst",
            category="Figures",
            labels={"PTE(joint) against": "{parameter}"},
        ),
        png=f"{paths.SENSITIVITY_FIGURE}.png",
    log:
        "logs/sensitivity/{parameter}.log",
    wildcard_constraints:
        parameter=either(runs.parameters),
    conda:
        "../../environment.yml"
    params:
        names=lambda w: runs.had(runs.of_sensitivity(w.parameter)),
        defaults=lambda w: runs.values_in_tables(w.parameter),
        seeds=runs.sensitivity_seeds,
        style=study.config.style,
        code=study.code("sensitivity_figure"),
    script:
        "../scripts/sensitivity_figure.py"


rule map:
    input:
        corpus=paths.CORPUS,
        places=lambda w: paths.with_ending(runs.of_map(w.corpus), "npy"),
        separations=lambda w: paths.with_ending(runs.of_map(w.corpus), "json"),
    output:
        csv=f"{paths.MAP}.csv",
        md=f"{paths.MAP}.md",
        tex=f"{paths.MAP}.tex",
        json=f"{paths.MAP}.json",
        pdf=f"{paths.MAP_FIGURE}.pdf",
        svg=report(
            f"{paths.MAP_FIGURE}.svg",
            caption="../report/map.rst",
            category="Figures",
            labels={"map": "{corpus}"},
        ),
        png=f"{paths.MAP_FIGURE}.png",
    log:
        "logs/maps/{corpus}.log",
    wildcard_constraints:
        corpus=either(study.registries.corpora),
    conda:
        "../../environment.yml"
    params:
        labels=lambda w: [study.labels[name] for name in study.config.maps[w.corpus]],
        style=study.config.style,
        code=study.code("map"),
    script:
        "../scripts/map.py"


rule network_picture:
    input:
        corpus=paths.corpus(study.config.network_picture.corpus),
    output:
        pdf=f"{paths.NETWORK_FIGURE}.pdf",
        svg=report(
            f"{paths.NETWORK_FIGURE}.svg",
            caption="../report/network.rst",
            category="Figures",
        ),
        png=f"{paths.NETWORK_FIGURE}.png",
    log:
        "logs/figures/network.log",
    conda:
        "../../environment.yml"
    params:
        picture=vars(study.config.network_picture),
        window=study.config.hyperparameters.window,
        style=study.config.style,
        code=study.code("network_picture"),
    script:
        "../scripts/network_picture.py"
