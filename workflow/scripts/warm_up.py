from pathlib import Path

from job import logged

from pte.files import write_json
from pte.models.network_embedding import Hyperparameters
from pte.warm_up import compile_kernels

with logged(snakemake):
    params = snakemake.params
    shapes = [Hyperparameters(**shape) for shape in params.shapes]
    compile_kernels(snakemake.wildcards.kernels, shapes, params.window)
    write_json(Path(snakemake.output[0]), {"core": params.code, "shapes": params.shapes})
