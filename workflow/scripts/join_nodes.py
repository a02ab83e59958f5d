from pathlib import Path

from job import logged

from pte.files import load_array, save_array
from pte.training.result import refuse_divergence
from pte.training.rounds import NodeState, first_rows, joined
from pte.training.setup import Hyperparameters, Setup

with logged(snakemake):
    shape = Hyperparameters(**snakemake.params.hyperparameters)
    setup = Setup(int(snakemake.wildcards.seed), shape)
    nodes = [NodeState.load(Path(node)) for node in snakemake.input.nodes]
    before = snakemake.input.get("rows")
    rows = load_array(Path(before)) if before else first_rows(len(nodes[0].rows), setup)
    rows = joined(rows, [node.rows for node in nodes], [node.pulls for node in nodes])
    refuse_divergence(shape.rate, rows)
    save_array(Path(snakemake.output.rows), rows)
