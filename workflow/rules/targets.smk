# Short names for what a user may want to make.


targets = {each.target for each in EXHIBITS} - {each.rule for each in EXHIBITS}
for target in sorted(targets):

    rule:
        name:
            target
        input:
            study.all_made(target),


rule page:
    input:
        expand("results/{page}.html", page=PAGES),


rule quickstart:
    input:
        compared("quickstart"),
        "results/quickstart.html",


# Fetch the archives of the corpora that are run, and verify them.
rule archives:
    input:
        sorted(
            {
                archive
                for name in study.all_corpora
                for archive in study.archives_of(name).values()
            }
        ),


for corpus in study.registries.corpora:

    rule:
        name:
            corpus
        input:
            compared(corpus),
