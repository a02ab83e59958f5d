from pathlib import Path

from job import logged

from pte.report.provenance import piece
from pte.report.published import Shelf, publish
from pte.report.stored import store_here
from pte.report.verdicts import read_verdicts
from pte.study.provenance import gather
from pte.study.runs import Runs
from pte.study.study import Study

with logged(snakemake):
    files, params, output = snakemake.input, snakemake.params, snakemake.output
    names = [Path(path).name for path in output.files]
    copies = list(zip(map(Path, files.files), names, strict=True))
    judged = read_verdicts(Path(files.verdicts))
    corpora, costs = map(Path, files.corpora), map(Path, files.costs)
    here = piece(gather(Path(snakemake.scriptdir), corpora, costs), params.labels)
    shelf = Shelf(Path(output.verdicts).parent, Path(output.readme))
    publish(copies, judged, here, params.claims, params.labels, params.comparisons, shelf)
    study = Study.load(dict(params.config), Path(snakemake.scriptdir).parent, params.mirror)
    store_here(Runs(study))
