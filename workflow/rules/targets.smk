# Short names for what a user may want to make.


targets = {each.target for each in EXHIBITS} - {each.rule for each in EXHIBITS}
for target in sorted(targets):

    rule:
        name:
            target
        input:
            made(study, target),


rule page:
    input:
        expand("results/{page}.html", page=PAGES),


rule quickstart:
    input:
        wanted.compared("quickstart"),
        "results/quickstart.html",


# Fetch the archives of the corpora that are run, and verify them.
rule archives:
    input:
        sorted(
            {
                archive
                for name in wanted.all_corpora(study)
                for archive in study.archives_of(name).values()
            }
        ),


for corpus in study.registries.corpora:

    rule:
        name:
            corpus
        input:
            wanted.compared(corpus),
