from pathlib import Path

from job import logged

from pte.files import load_array, save_array
from pte.training.node_state import NodeState
from pte.training.result import refuse_divergence
from pte.training.rounds import first_rows, joined
from pte.training.setup import Setup

with logged(snakemake):
    setup = Setup(int(snakemake.wildcards.seed), snakemake.params.hyperparameters)
    nodes = [NodeState.load(Path(node)) for node in snakemake.input.nodes]
    before = snakemake.input.get("rows")
    rows = load_array(Path(before)) if before else first_rows(len(nodes[0].rows), setup)
    rows = joined(rows, [node.rows for node in nodes], [node.pulls for node in nodes])
    refuse_divergence(setup.hyperparameters.rate, rows)
    save_array(Path(snakemake.output.rows), rows)
