from pathlib import Path

import numpy as np
from job import logged

from pte.core.convolution import WINDOW, highest_windows
from pte.files import write_json

with logged(snakemake):
    products = np.zeros((1, WINDOW, 2), np.float32)
    words, bounds = np.zeros(WINDOW + 1, np.int64), np.array([0, 1, 2])
    highest_windows(products, words, bounds, np.empty((2, 1, 2), np.int64)[:, 0])
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
