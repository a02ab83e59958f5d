"""What jobs make, from what, with which parameters and code; Snakemake's rules ask here."""
