# Short names for what a user may want to make.


rule tables:
    input:
        [paths.table(name) for name in runs.tables],


rule figures:
    input:
        rules.network_picture.output if runs.pictures else [],
        [paths.figure(name) for name in runs.tables],
        each(paths.TIMES_FIGURE, "pdf", "table", runs.tables),


rule curves:
    input:
        each(paths.CURVE, "csv", "curve", runs.curves),


rule sensitivity:
    input:
        each(paths.SENSITIVITY, "csv", "parameter", runs.sensitivities),


rule maps:
    input:
        each(paths.MAP, "csv", "corpus", runs.maps),


rule page:
    input:
        paths.PAGE.format(page="index"),


rule quickstart:
    input:
        paths.table("quickstart"),
        paths.figure("quickstart"),
        paths.PAGE.format(page="quickstart"),


# Fetch the archives of the corpora that are run, and verify them.
rule archives:
    input:
        sorted(
            {
                archive
                for name in all_corpora(runs)
                for archive in study.archives_of(name).values()
            }
        ),


for corpus in study.registered:

    rule:
        name:
            corpus
        input:
            paths.table(corpus),
            paths.figure(corpus),
