from pathlib import Path

from job import logged

from pte.files import write_json
from pte.training.setup import Hyperparameters, Step
from pte.warm_up import compile_kernels

with logged(snakemake):
    compile_kernels(
        Hyperparameters(**{**shape, "step": Step(**shape["step"])})
        for shape in snakemake.params.shapes
    )
    write_json(Path(snakemake.output[0]), {"core": snakemake.params.code})
