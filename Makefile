# make run    set up and run the quickstart: Reuters R8, from text to tables
# make test   set up and run the tests
# make lint   ruff, mypy, snakefmt, snakemake --lint
# make bench  edges trained per second on DBLP, networks counted on DBLP and 20NG (which it fetches)

SHELL := bash
PYTHON ?= python3
BIN := .venv/bin
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: run test lint bench clean

run: .venv/.run
	snakemake quickstart --quiet rules
	snakemake quickstart --quiet all --report results/report.html
	@cat results/tables/quickstart.txt
	@echo "Tables: results/tables/  Figures: results/figures/  Report: results/report.html"

test: .venv/.dev
	pytest
	NUMBA_DISABLE_JIT=1 pytest tests/unit tests/statistical

lint: .venv/.dev
	ruff check
	ruff format --check
	mypy
	snakefmt --check Snakefile workflow/rules
	snakemake --lint

bench: .venv/.run
	snakemake resources/networks/dblp/given/{ww,wd,wl} --quiet rules
	snakemake resources/corpora/20ng --quiet rules
	python benchmarks/edges.py resources/networks/dblp/given
	python benchmarks/counting.py resources/corpora/{dblp,20ng}

clean:
	rm -rf .venv .snakemake logs resources results/benchmarks results/figures results/report.html \
		results/scores results/tables results/tidy results/vectors

.venv/.run: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[workflow]"
	touch $@

.venv/.dev: .venv/.run
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[workflow,dev]"
	touch $@
