from pathlib import Path

import numpy as np
import pandas as pd
from job import logged

from pte.corpora.encoded import EncodedCorpus
from pte.files import read_json, write_json
from pte.report.maps import interactive_map, plot_maps, write_separation

with logged(snakemake):
    corpus = EncodedCorpus.load(Path(snakemake.input.corpus))
    labels = snakemake.params.labels
    places = {
        label: np.load(path) for label, path in zip(labels, snakemake.input.places, strict=True)
    }
    frame = pd.DataFrame([read_json(Path(path)) for path in snakemake.input.separations])
    frame.insert(0, "method", labels)
    write_separation(frame, Path(snakemake.output.csv).with_suffix(""))
    classes, beginnings = np.asarray(corpus.labels), corpus.beginnings()
    drawn = {
        label: interactive_map(points, classes, corpus.classes, beginnings)
        for label, points in places.items()
    }
    write_json(Path(snakemake.output.json), drawn)
    stem = Path(snakemake.output.pdf).with_suffix("")
    plot_maps(places, classes, np.asarray(corpus.split), corpus.classes, stem)
