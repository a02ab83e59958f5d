from pathlib import Path

from job import logged

from pte.files import write_json
from pte.training.setup import Hyperparameters, Step
from pte.warm_up import compile_kernels

with logged(snakemake):
    shapes = [
        Hyperparameters(**{**shape, "step": Step(**shape["step"])})
        for shape in snakemake.params.shapes
    ]
    compile_kernels(snakemake.params.kernels, shapes or [Hyperparameters()])
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
