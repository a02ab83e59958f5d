# Document features, LIBLINEAR, F1. Scores come before all else that could run, because each is a
# row that the terminal shows.


rule score:
    input:
        unpack(lambda w: study.score_inputs(w.corpus, w.method, w.seed)),
    output:
        scores=f"{paths.SCORES}.json",
        predictions=f"{paths.SCORES}.npy",
        cost=paths.cost(paths.SCORES),
    log:
        "logs/scores/{corpus}/{method}/{setting}/seed{seed}.log",
    priority: 2
    conda:
        "../../environment.yml"
    params:
        plan=lambda w: vars(study.fit_plan(w.corpus, w.method).to_score),
        setting=lambda w: study.setting_of(w.method, w.setting),
        code=lambda w: study.score_code(w.method),
    script:
        "../scripts/score.py"


# A training of PTE(joint), scored at one T or at several.
rule sweep:
    input:
        corpus=paths.CORPUS,
        compiled=paths.kernels("sensitivity"),
    output:
        scores=f"{paths.SWEEP}.json",
        predictions=f"{paths.SWEEP}.npy",
        cost=paths.cost(paths.SWEEP),
    log:
        "logs/sensitivity/{corpus}/{parameter}/{value}/seed{seed}.log",
    wildcard_constraints:
        corpus=either(study.registries.corpora),
    conda:
        "../../environment.yml"
    threads: 1
    params:
        plan=lambda w: vars(runs.sweep_plan(w.corpus, w.parameter, w.value)),
        weights=study.config.network_weights,
        deterministic=study.config.deterministic,
        setting=vars(study.config.settings["paper"]),
        code=study.sweep_code,
    script:
        "../scripts/sensitivity_run.py"


# Documents on a plane.
rule place:
    input:
        unpack(lambda w: study.vectors(w.corpus, w.method, w.seed)),
        corpus=paths.CORPUS,
    output:
        places=f"{paths.MAP}.npy",
        separation=f"{paths.MAP}.json",
        cost=paths.cost(paths.MAP),
    log:
        "logs/maps/{corpus}/{method}/seed{seed}.log",
    conda:
        "../../environment.yml"
    threads: 1
    params:
        code=study.code("place"),
    script:
        "../scripts/place.py"
