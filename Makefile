# Every target does its own set-up; only Python 3.11+ and make need to be there.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: venv demo test check bench million reproduce docs browser fresh clean

venv: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)

demo: venv  ## the panel of the embedded leukemia data, and its page
	$(BIN)/consilience demo

test: venv browser  ## everything that must hold
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist loadfile

check: venv  ## style, import direction, examples in the docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest tests/test_layers.py tests/test_public_names.py
	$(BIN)/python -m pytest tests/test_docs.py README.md CONTRIBUTING.md docs

bench: venv  ## speed as ratios to the tools people use, measured in one run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1 $(BIN)/python benchmarks/run.py

million: venv  ## Qifs on 10,000 rows and a million columns from disk: cost, memory, what it finds
	$(BIN)/python benchmarks/million.py

reproduce: venv  ## a paper's statements beside what is measured here: make reproduce PAPER=gas-sefs RUNS=70
	$(BIN)/consilience reproduce $(PAPER) --data $(or $(CONSILIENCE_DATA),../shared/data) \
		--out run/$(PAPER)-reproduction$(if $(RUNS),-$(RUNS)-runs) $(if $(RUNS),--runs $(RUNS)) \
		--resume --backend processes

docs: venv  ## the pages that are made from the code
	$(BIN)/python docs/build.py

browser:  ## Chromium for the tests of the page: installed on build servers, never on your machine
	@sh scripts/install-browser

fresh:  ## forget compiled kernels: code that was compiled into others is not renewed by itself
	find src \( -name '*.nbi' -o -name '*.nbc' \) -delete

clean:
	rm -rf .venv demo-* build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
