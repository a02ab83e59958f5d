# The names of files: what jobs are made of, what tables, curves, claims and pages are made from.
from dataclasses import replace

from pte.corpora.subsets import PATTERN
from pte.report.sides import views

# Curves and sweeps are over fewer seeds than tables.
SWEEP_SEEDS = config["seeds"][: config["sweep_seeds"]]


def archives_of(wildcards):
    """What a corpus is read from, by the role that the archive has."""
    return {
        role: f"resources/archives/{ARCHIVES[name]['file']}"
        for role, name in roles_of(CORPORA[wildcards.corpus]).items()
    }


def base_of(wildcards):
    """The corpus of the registry that a corpus is or is a subset of."""
    return Subset.parse(wildcards.corpus).base


def trained_on(wildcards, method):
    """The corpus whose vectors a method has: where only labels were left out, and it does not see
    them, those of the whole.
    """
    subset = Subset.parse(wildcards.corpus)
    sees_labels = "wl" in sum(METHODS[method].get("phases", []), [])
    return subset.base if subset.unlabelled == 100 and not sees_labels else subset.name


def vectors_of(wildcards):
    """The vectors that documents are made of, a method's own or another's."""
    method = METHODS[wildcards.method].get("vectors", wildcards.method)
    stem = (
        f"results/vectors/{trained_on(wildcards, method)}/{method}/seed{wildcards.seed}"
    )
    return {"vectors": f"{stem}.npy", "training": f"{stem}.json"}


def start_of(wildcards):
    """The vectors that a method starts from, where it does not start from random ones."""
    method = METHODS[wildcards.method].get("start")
    if method is None:
        return {}
    corpus = trained_on(wildcards, method)
    return {"start": f"results/vectors/{corpus}/{method}/seed{wildcards.seed}.npy"}


def compiled(kernels):
    """What jobs that call a set of kernels wait for."""
    return f"resources/warm_up/{kernels}.json"


def shapes_of(kernels):
    """The training settings that a set of kernels is compiled for."""
    if kernels != "sensitivity":
        return [config["training"]]
    values = config["sensitivity"]["values"]
    return [
        config["training"] | {parameter: value}
        for parameter in ("dim", "negatives")
        for value in values.get(parameter, [config["training"][parameter]])
    ]


def kernels_of(wildcards):
    """The sets of kernels that a method calls."""
    model = METHODS[wildcards.method]["model"]
    if model == "cnn":
        return [compiled("convolution")]
    if model != "network_embedding":
        return []
    validated = config["samples"].get(base_of(wildcards)) == "validated"
    sets = {
        "streamed": validated or is_streamed(wildcards),
        "stored": not is_streamed(wildcards),
        "synchronous": config["deterministic"],
    }
    return [compiled(name) for name, needed in sets.items() if needed]


def neighbours_for(wildcards):
    """The graph that labels spread along, where they do."""
    if METHODS[wildcards.method]["model"] != "label_propagation":
        return {}
    corpus = trained_on(wildcards, wildcards.method)
    return {"neighbours": f"resources/neighbours/{corpus}.npz"}


def is_installed(method):
    """Whether the package that a method needs is there; it runs again when that changes."""
    package = OPTIONAL_PACKAGES.get(METHODS[method]["model"])
    return package is None or find_spec(package) is not None


def is_streamed(wildcards):
    return config["edges"].get(base_of(wildcards)) == "streamed"


def networks_of(wildcards):
    if is_streamed(wildcards):
        return {}
    method = METHODS[wildcards.method]
    shuffled = method.get("labels") == "shuffled"
    labels = {"wl": f"shuffled-{wildcards.seed}"} if shuffled else {}
    return {
        network: f"resources/networks/{wildcards.corpus}/{labels.get(network, 'given')}/{network}"
        for phase in method["phases"]
        for network in phase
    }


def epochs_of(wildcards):
    of_corpus = config["epochs"].get(base_of(wildcards), {})
    return of_corpus.get(wildcards.method, "validated")


def chosen_epochs(wildcards):
    if epochs_of(wildcards) != "validated":
        return {}
    return {"epochs": f"results/epochs/{base_of(wildcards)}/{wildcards.method}.json"}


def wanted(files):
    """All of them, or those that are there."""
    if not config["available_only"]:
        return files
    return [file for file in files if Path(file).exists()]


def is_whole(files):
    """Whether none is left out because it is not there."""
    return wanted(files) == files


def runs_on(view, method, seeds):
    """The runs of a method on a corpus, or on its subsets of that name: their corpora and seeds.

    Subsets have the seeds of sweeps. A method that needs no seed has one run on a corpus, but one on
    each subset.
    """
    subset = Subset.parse(view)
    if view != subset.base:
        seeds = SWEEP_SEEDS
    elif not METHODS[method].get("seeded", True):
        seeds = seeds[:1]
    return [(replace(subset, seed=seed).name, seed) for seed in seeds]


def score_files(views, methods, settings=config["settings"], seeds=config["seeds"]):
    return [
        f"results/scores/{corpus}/{method}/{setting}/seed{seed}.json"
        for view in views
        for method in methods
        for setting in settings
        for corpus, seed in runs_on(view, method, seeds)
    ]


def seeds_of(table):
    """Those that a table is over: all, or the first so many that it names."""
    return config["seeds"][: TABLES[table].get("seeds")]


def settings_of(table):
    """The classifier settings that a table shows."""
    return TABLES[table].get("settings", list(config["settings"]))


def table_scores(table):
    """A slow method has one seed where the table says so."""
    shown, seeds = TABLES[table], seeds_of(table)
    return [
        file
        for method in config["methods"]
        for file in score_files(
            shown["corpora"],
            [method],
            settings_of(table),
            seeds[:1] if method in shown.get("one_seed", []) else seeds,
        )
    ]


def with_scores(tables):
    """Those with any score that is wanted."""
    return [table for table in tables if wanted(table_scores(table))]


def is_obtainable(corpus):
    """Whether all that a corpus is read from can be downloaded, or is in the mirror or here."""
    archives = [ARCHIVES[name] for name in roles_of(CORPORA[corpus]).values()]
    folders = [Path("resources", "archives"), *([Path(MIRROR)] if MIRROR else [])]
    return all(
        archive["urls"]
        or "package" in archive
        or any((folder / archive["file"]).is_file() for folder in folders)
        for archive in archives
    )


# What PTE(joint) depends on; T is `samples`, many values from one run.
PARAMETERS = {"samples": ["all"]} | config["sensitivity"]["values"]


def value_in_tables(parameter, corpus):
    """What the tables are trained with; it need not be a number."""
    if parameter == "samples":
        return config["samples"].get(corpus)
    return (config["training"] | {"window": config["window"]})[parameter]


def sensitivity_settings(corpus, parameter, value):
    """What a run trains with: as in the tables, but for T and the one parameter, if not `default`."""
    in_tables = value_in_tables("samples", corpus)
    fixed = in_tables if isinstance(in_tables, int) else config["samples_limit"]
    settings = {
        "training": config["training"],
        "window": config["window"],
        "looks": [1],
        "samples": config["sensitivity"]["samples"].get(corpus, fixed),
    }
    if parameter == "default":
        return settings
    if parameter == "samples":
        most = config["sensitivity"]["most_samples"].get(corpus, settings["samples"])
        return settings | {"samples": most, "looks": config["sensitivity"]["looks"]}
    if parameter == "window":
        return settings | {"window": typed(value)}
    return settings | {"training": config["training"] | {parameter: typed(value)}}


def sensitivity_runs(parameter, corpora=config["sensitivity"]["corpora"], kind="json"):
    """Those of a parameter's values; the value of the tables is run once for all parameters."""
    return [
        f"results/sensitivity/runs/{corpus}/{setting}/seed{seed}.{kind}"
        for corpus in corpora
        for value in PARAMETERS[parameter]
        for is_default in [value == value_in_tables(parameter, corpus)]
        for setting in ["default/all" if is_default else f"{parameter}/{value}"]
        for seed in SWEEP_SEEDS
    ]


def map_files(corpus, kind):
    seed = config["seeds"][0]
    return [
        f"results/maps/{corpus}/{method}/seed{seed}.{kind}"
        for method in config["maps"][corpus]
    ]


def curve_views(curve):
    """The points of a curve: names of a corpus or of its subsets.

    A corpus that only a mirror has is left out where there is none.
    """
    return [
        Subset(corpus, labelled, unlabelled).name
        for corpus, shares in config["curves"][curve]["corpora"].items()
        if is_obtainable(corpus)
        for labelled in shares.get("labelled", [100])
        for unlabelled in shares.get("unlabelled", [100])
    ]


def curve_scores(curve):
    methods = config["curves"][curve]["methods"]
    return score_files(curve_views(curve), methods, ["paper"], SWEEP_SEEDS)


def has_subsets(curve):
    """Whether a curve has more wanted points than those that are in the tables."""
    views = [view for view in curve_views(curve) if view not in CORPORA]
    methods = config["curves"][curve]["methods"]
    return bool(wanted(score_files(views, methods, ["paper"])))


def claimed():
    """What there are claims about, of what tables and curves show: pairs of a corpus, or the name
    of its subsets, and a method.
    """
    shown = {
        *SHOWN,
        *(view for curve in config["curves"] for view in curve_views(curve)),
    }
    sides = [
        pair
        for claim in CLAIMS.values()
        for corpus in claim["corpora"]
        for pair in [
            (views(claim, corpus)[0], claim["left"]),
            *((views(claim, corpus)[1], method) for method in claim["right"]),
        ]
    ]
    return [pair for pair in dict.fromkeys(sides) if pair[0] in shown]


def checkpointed_corpora():
    """Those with claims about checkpoints of trainings, of what the sensitivity to T is seen on."""
    named = {
        corpus
        for claim in CLAIMS.values()
        for corpus in claim["corpora"]
        if part_of_samples(claim) is not None
    }
    return [corpus for corpus in config["sensitivity"]["corpora"] if corpus in named]


def claimed_checkpoints(kind):
    return wanted(sensitivity_runs("samples", checkpointed_corpora(), kind))


def claimed_corpora():
    bases = [Subset.parse(view).base for view, _ in claimed()]
    return list(dict.fromkeys(bases + checkpointed_corpora()))


def claimed_scores():
    """With the seeds of tables where these show the corpus, else with those of curves."""
    files = [
        file
        for view, method in claimed()
        for seeds in [config["seeds"] if view in SHOWN else SWEEP_SEEDS]
        for file in score_files([view], [method], seeds=seeds)
    ]
    return wanted(files)


def comparison_files(table):
    return expand(
        "results/tables/{table}.{kind}",
        table=table,
        kind=["csv", "md", "html", "tex", "txt"],
    )


def figure_files(table):
    return expand(
        "results/figures/{table}.{kind}", table=table, kind=["pdf", "svg", "png"]
    )


def experiments():
    """The names of curves and sweeps with any run that is wanted, and of maps with all of them."""
    return {
        "curves": [name for name in config["curves"] if has_subsets(name)],
        "sensitivity": [name for name in PARAMETERS if wanted(sensitivity_runs(name))],
        "maps": [name for name in config["maps"] if is_whole(map_files(name, "npy"))],
    }


def whole_experiments():
    """Those that lack no run, nor a corpus."""
    shown = experiments()
    curves = [
        name
        for name in shown["curves"]
        if is_whole(curve_scores(name))
        and all(map(is_obtainable, config["curves"][name]["corpora"]))
    ]
    sweeps = [name for name in shown["sensitivity"] if is_whole(sensitivity_runs(name))]
    return shown | {"curves": curves, "sensitivity": sweeps}


def page_files(wildcards):
    """What a page shows, by kind."""
    tables = with_scores(PUBLISHED) if wildcards.page == "index" else ["quickstart"]
    files = {
        "tables": expand("results/tables/{table}.csv", table=tables),
        "figures": expand("results/figures/{table}.svg", table=tables),
        "times": expand("results/figures/times/{table}.svg", table=tables),
        "corpora": [f"resources/corpora/{corpus}" for corpus in corpora_of(tables)],
    }
    if wildcards.page == "quickstart":
        return files
    there = experiments()
    curves, sweeps, maps = there["curves"], there["sensitivity"], there["maps"]
    return files | {
        "claims": ["results/claims/claims.csv"],
        "table1": ["results/tables/table1.csv"],
        "curves": expand("results/curves/{name}.csv", name=curves),
        "curve_figures": expand("results/figures/curves/{name}.svg", name=curves),
        "sweeps": expand("results/sensitivity/{name}.csv", name=sweeps),
        "sweep_figures": expand("results/figures/sensitivity/{name}.svg", name=sweeps),
        "maps": expand("results/maps/{corpus}.csv", corpus=maps),
        "map_documents": expand("results/maps/{corpus}.json", corpus=maps),
        "map_figures": expand("results/figures/maps/{corpus}.svg", corpus=maps),
        "network": ["results/figures/network.svg"],
    }


def published_files():
    """Pairs of a file of the results and what it is published as: a table and a figure by its name,
    one of an experiment with that before it. What lacks runs is left out.
    """
    kinds = ["csv", "md", "tex"]
    comparisons = [name for name in PUBLISHED if is_whole(table_scores(name))]
    paths = expand(
        "results/tables/{table}.{kind}", table=[*comparisons, "table1"], kind=kinds
    )
    paths += expand("results/figures/{name}.svg", name=[*comparisons, "network"])
    pairs = [(path, Path(path).name) for path in paths]
    for name in comparisons:
        pairs.append((f"results/figures/times/{name}.svg", f"times-{name}.svg"))
    for experiment, names in whole_experiments().items():
        for name in names:
            files = expand(f"results/{experiment}/{name}.{{kind}}", kind=kinds)
            files.append(f"results/figures/{experiment}/{name}.svg")
            pairs += [(path, f"{experiment}-{Path(path).name}") for path in files]
    return [(path, f"results/published/{name}") for path, name in pairs]


def either(names):
    return "|".join(names) or "none"


wildcard_constraints:
    kernels="[a-z]+",
    corpus=f"(?:{either(CORPORA)})(?:{PATTERN})?",
    method=either(METHODS),
    network="ww|wd|wl",
    setting=either(config["settings"]),
    table=either(TABLES),
    curve=either(config["curves"]),
    parameter=either(PARAMETERS),
    seed=r"\d+",
