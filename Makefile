# The two commands: make app, make test. Both do their own set-up on a machine with Python 3.11+, make and git.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
ADDRESS ?= 127.0.0.1
PORT ?= 8501
BENCH ?=

.PHONY: app test lint bench pictures migration clean

$(VENV)/run.stamp: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("CaseRounds needs Python 3.11 or newer; this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

app: $(VENV)/run.stamp  ## set up, migrate, load the demonstration study on first start, open the app
	$(PY) -m core db upgrade
	$(PY) -m streamlit run app.py --server.address $(ADDRESS) --server.port $(PORT)

test: $(VENV)/dev.stamp  ## set up, then every test
	PYTHON="$(PY)" sh tests/find_chromium.sh
	$(PY) -m pytest -n 2 --dist loadfile

lint: $(VENV)/dev.stamp
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

bench: $(VENV)/dev.stamp  ## the benchmarks, one JSON line each; BENCH=name runs one
	$(PY) -m tests.benchmarks $(BENCH)

pictures: $(VENV)/dev.stamp  ## pictures of every page from the running app, for the README and for looking at
	$(PY) -m tests.pictures

migration: $(VENV)/dev.stamp  ## NAME="what changes": a new revision from the difference between tables and store
	$(PY) -m core.storage.new_migration "$(NAME)"

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis
