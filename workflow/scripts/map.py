from pathlib import Path

import numpy as np
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import write_json
from pte_study.render.style import restyled
from pte_study.report.maps import interactive_maps, plot_maps, read_places, write_separation

with logged(snakemake), restyled(snakemake.params.style):
    files, output = snakemake.input, snakemake.output
    corpus = EncodedCorpus.load(Path(files.corpus))
    of_methods = (list(map(Path, each)) for each in (files.places, files.separations))
    places, separations = read_places(snakemake.params.labels, *of_methods)
    write_separation(separations, Path(output.csv).with_suffix(""))
    write_json(Path(output.json), interactive_maps(corpus, places))
    labels, split = np.asarray(corpus.labels), np.asarray(corpus.split)
    plot_maps(places, labels, split, corpus.classes, Path(output.pdf).with_suffix(""))
