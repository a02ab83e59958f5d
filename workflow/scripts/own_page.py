from pathlib import Path

from job import logged

from pte.classify.entrants import Lineup
from pte.classify.page import write_page
from pte.classify.result import Contest
from pte.classify.running import warm_up
from pte.classify.trial import read_tested
from pte.command.contests import Contested
from pte.command.flags import Training
from pte.files import write_json

with logged(snakemake):
    given, told = snakemake.params.given, snakemake.params.told
    training = Training(**given["training"])
    contested = Contested.read(given["file"], given["values"], training, given["folds"])
    trials = contested.trials
    contest = Contest(trials.collection, trials.folds)
    for file in snakemake.input.trials:
        for tested in read_tested(Path(file)):
            contest.add(tested)
    lineup = Lineup(**told["lineup"])
    works = contest.curve_works(lineup)
    warm_up(trials.settings, {work.method for work in works})
    for work in works:
        contest.add(trials.run(work))
    result = contested.result(contest, lineup, told["command"])
    write_page(result, Path(snakemake.output.page))
    write_json(Path(snakemake.output.contest), result)
