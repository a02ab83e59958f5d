from pathlib import Path

from job import logged

from pte.classify.running import warm_up
from pte.classify.trial import Work, write_tested
from pte.command.contests import Contested
from pte.command.flags import Training

with logged(snakemake):
    given, asked = snakemake.params.given, snakemake.wildcards
    training = Training(**given["training"])
    contested = Contested.read(given["file"], given["values"], training, given["folds"])
    numbers = contested.trials.numbers(asked.fold, given["folds"])
    warm_up(contested.trials.settings, [asked.method])
    tested = [contested.trials.run(Work(asked.method, number)) for number in numbers]
    write_tested(Path(snakemake.output.trials), tested)
