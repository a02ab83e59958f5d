# make run       set up and run the quickstart: Reuters R8, from text to tables
# make test      set up and run the tests
# make lint      ruff, mypy, snakefmt, snakemake --lint
# make test-all  the tests, the long ones too, and those of the site
# make test-faults  200 kills, damaged files, full disks, thousands of strange inputs: about 20 minutes
# make test-lowest  the tests with the lowest versions of packages that pyproject.toml allows
# make test-slurm   the workflow on a Slurm that it starts here, and by two users; needs root and
#                   Debian's packages of Slurm
# make site      the documentation, in site/
# make bench     speed, memory, quality on DBLP and MR; CORPORA="dblp mr 20ng imdb": on more; see benchmarks/
# make constraints  the newest versions of all packages, in constraints.txt and hashes.txt
# make licences     the licences of all packages that are installed
# make clean     delete .venv, downloads, logs and all results but results/published

ifneq ($(words $(CURDIR)), 1)
$(error $(CURDIR): Snakemake cannot start Python in a folder whose path has a space; move the checkout)
endif

SHELL := bash
PYTHON ?= python3
CORPORA ?= dblp mr
BIN := .venv/bin
export PATH := $(abspath $(BIN)):$(PATH)
# The first import of a module leaves its bytecode, of what is imported alone. Images often forbid it.
export PYTHONDONTWRITEBYTECODE :=

WHOLE := --editable ".[workflow,fasttext]"
LEAST := --editable ".[workflow]"
DEV := --editable ".[workflow,dev,spreadsheets,parquet]"
BENCH := --editable ".[workflow,bench]"
DOCS := --editable ".[workflow,docs]"
PARALLEL := --numprocesses logical --maxprocesses 8 --dist worksteal
INTERPRETED := NUMBA_DISABLE_JIT=1 pytest $(PARALLEL)

# uv installs what is asked for; where it is not to be had, pip installs all of hashes.txt. A package
# whose hash is not that of hashes.txt ends make; another failure may be mended by asking for less.
install = { { if command -v uv > /dev/null; \
	then uv pip install --python $(BIN)/python --quiet --constraint hashes.txt $(1); \
	else $(BIN)/python -m pip install --quiet --require-hashes --requirement hashes.txt && \
	$(BIN)/python -m pip install --quiet --no-deps --editable .; fi; } 2> .venv/.log || { \
	cat .venv/.log >&2; ! grep -qiE "hash mismatch|not match the hashes" .venv/.log || exit 3; false; }; }

.PHONY: run test test-all test-faults test-lowest test-slurm lint site bench constraints licences clean

run: .venv/.run
	snakemake quickstart --logger pte --report results/report.html --report-after-run
	@cat results/tables/quickstart.md
	@echo "Page: results/quickstart.html  Tables: results/tables/  Figures: results/figures/"
	@echo "Snakemake's report: results/report.html"

test: .venv/.dev
	pytest $(PARALLEL) -m "not long"

test-all: .venv/.all
	pytest $(PARALLEL) tests --ignore tests/cluster
	$(INTERPRETED) tests/kernels tests/statistical -m "not learning"

# One process, which prints its counts.
test-faults: .venv/.dev
	PTE_KILLS=200 PTE_INPUTS=2000 pytest --override-ini faulthandler_timeout=3600 --numprocesses 0 --capture no tests/faults tests/fuzz
	NUMBA_BOUNDSCHECK=1 pytest $(PARALLEL) tests/methods

test-lowest: .venv/.dev
	uv venv --quiet --seed --allow-existing --python $(PYTHON) build/lowest
	uv pip install --quiet --python build/lowest/bin/python --resolution lowest-direct \
		--editable ".[workflow,fasttext,dev]"
	PATH="$(abspath build/lowest/bin):$$PATH" pytest $(PARALLEL) -m "not long"

# One process, because Slurm counts its jobs.
test-slurm: .venv/.cluster
	pytest --numprocesses 0 tests/cluster

lint: .venv/.dev
	ruff check
	ruff format --check
	mypy
	snakefmt --check Snakefile workflow/Snakefile workflow/rules
	snakemake --lint

site: .venv/.site
	python -m sphinx -W --keep-going -q -j auto -c docs -d build/site . site
	@echo "Site: site/index.html"

bench: .venv/.bench
	snakemake $(CORPORA:%=resources/corpora/%) --quiet rules
	python -m benchmarks.speed $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.baselines speed $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.threads $(firstword $(CORPORA:%=resources/corpora/%))
	python -m benchmarks.roofline $(firstword $(CORPORA:%=resources/corpora/%))
	python -m benchmarks.quality $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.counting $(CORPORA:%=resources/corpora/%)
	python -m benchmarks.encoding resources/archives $(CORPORA)

constraints: .venv/.run
	uv pip compile --quiet --upgrade --all-extras --no-header --no-annotate --no-emit-index-url \
		--output-file constraints.txt pyproject.toml
	uv pip compile --quiet --constraint constraints.txt --all-extras --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --output-file hashes.txt pyproject.toml

licences: .venv/.run
	@$(BIN)/python .ci/licences.py

clean:
	rm -rf .venv .snakemake build logs resources site $(filter-out results/published,$(wildcard results/*))

.venv/.run: pyproject.toml constraints.txt hashes.txt
	@echo "Setting up .venv: once, about a minute"
	@$(PYTHON) -m venv .venv
	@command -v uv > /dev/null || $(BIN)/python -m pip install --quiet --no-compile uv || true
	@$(call install,$(WHOLE)) || $(call install,$(LEAST))
	@touch $@

.venv/.bench: .venv/.run
	@$(call install,$(BENCH)) || $(call install,gensim)
	@touch $@

.venv/.site: .venv/.run
	@$(call install,$(DOCS))
	@touch $@

.venv/.dev: .venv/.run
	@$(call install,$(DEV))
	@touch $@

.venv/.all: .venv/.dev .venv/.site
	@$(call install,--editable ".[parquet]")
	@touch $@

.venv/.cluster: .venv/.dev
	@$(call install,--editable ".[cluster]")
	@touch $@
