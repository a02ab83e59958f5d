from pathlib import Path

from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import load_array
from pte_study.report.own_excerpts import TextFile
from pte_study.report.own_page import Shown, write_own_page
from pte_study.report.provenance import gather

with logged(snakemake):
    files, params, folder = snakemake.input, snakemake.params, Path(snakemake.output.page).parent
    corpora, costs = [Path(files.corpus)], list(map(Path, files.costs))
    shown = Shown(
        corpus=EncodedCorpus.load(Path(files.corpus)),
        text=TextFile.of(files.text, params.reading),
        scores=list(map(Path, files.scores)),
        curve=list(map(Path, files.get("curve", []))),
        curve_rows=params.curve,
        vectors=load_array(Path(files.vectors)),
        here=gather(Path(snakemake.scriptdir), corpora, costs),
        **params.shown,
    )
    write_own_page(shown, folder)
