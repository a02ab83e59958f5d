# make run    set up and run the quickstart: Reuters R8, from text to tables
# make test   set up and run the tests
# make lint   ruff, mypy, snakefmt, snakemake --lint
# make bench  speed, memory, quality on DBLP and MR; CORPORA="dblp mr 20ng imdb": on more; see benchmarks/
# make clean  delete .venv, downloads, logs and all results but results/published

SHELL := bash
PYTHON ?= python3
CORPORA ?= dblp mr
BIN := .venv/bin
export PATH := $(abspath $(BIN)):$(PATH)
INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt

.PHONY: run test lint bench clean

run: .venv/.run
	snakemake quickstart --logger pte
	snakemake quickstart --quiet all --report results/report.html
	@cat results/tables/quickstart.txt
	@echo "Page: results/quickstart.html  Tables: results/tables/  Figures: results/figures/"
	@echo "Snakemake's report: results/report.html"

test: .venv/.dev
	pytest
	NUMBA_DISABLE_JIT=1 pytest tests/unit tests/statistical

lint: .venv/.dev
	ruff check
	ruff format --check
	mypy
	snakefmt --check Snakefile workflow/rules
	snakemake --lint

bench: .venv/.bench
	snakemake $(CORPORA:%=resources/corpora/%) --quiet rules
	python -m benchmarks.speed $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.baselines speed $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.threads $(firstword $(CORPORA:%=resources/corpora/%))
	python -m benchmarks.roofline $(firstword $(CORPORA:%=resources/corpora/%))
	python -m benchmarks.quality $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.counting $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.encoding resources/archives $(CORPORA)
	python -m benchmarks.plots

clean:
	rm -rf .venv .snakemake logs resources $(filter-out results/published,$(wildcard results/*))

.venv/.run: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable ".[workflow,fasttext]" || $(INSTALL) --editable ".[workflow]"
	touch $@

.venv/.bench: .venv/.run
	$(INSTALL) --editable ".[workflow,bench]" || $(INSTALL) gensim
	touch $@

.venv/.dev: .venv/.run
	$(INSTALL) --editable ".[workflow,dev]"
	touch $@
