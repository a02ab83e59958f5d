# Short names for what a user may want to make.


targets = {each.target for each in EXHIBITS} - {each.rule for each in EXHIBITS}
for target in sorted(targets):

    rule:
        name:
            target
        input:
            made(runs, target),


rule page:
    input:
        [paths.PAGE.format(page=page) for page in PAGES],


rule quickstart:
    input:
        compared("quickstart"),
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


for corpus in study.registries.corpora:

    rule:
        name:
            corpus
        input:
            compared(corpus),
