# Everything a person or a machine does with this project starts here; `make help` lists it.
.DEFAULT_GOAL := help
.PHONY: help setup environment run test check bench translations format app trial dmg release lock \
    clean lint coverage
.DELETE_ON_ERROR:

SHELL := /bin/sh
BIN := .venv/bin
# Percent of lines and branches that the tests must run, for each package.
FLOORS := engine:95 app:95 ui:85
# One process of tests for each core; a file's tests stay together, files keep their order.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
# Made of what translators write; the window reads these.
TRANSLATIONS := $(patsubst %.ts,%.qm,$(wildcard resources/translations/*.ts))
# More words for the program behind `make run`, `make test` and `make bench`.
ARGS :=

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

setup: environment $(TRANSLATIONS)  ## make .venv and what it needs (a no-op when that is done)

environment:
	@PYTHON='$(PYTHON)' resources/setup/environment.sh
	@resources/setup/libraries.sh

%.qm: %.ts | environment
	@$(BIN)/pyside6-lrelease -silent $< -qm $@

run: setup  ## open the window (in a terminal without a display: chat there)
	@if [ "$$(uname -s)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	    echo "There is no display here, so Cutaway chats in the terminal." >&2; \
	    exec $(BIN)/cutaway chat $(ARGS); \
	fi; \
	exec $(BIN)/cutaway $(ARGS)

test: setup  ## run the everyday tests
	@$(PYTEST) -m 'not slow' $(ARGS)

check: setup lint coverage  ## run every check and every test, with coverage floors

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/vulture

coverage: setup
	$(PYTEST) --cov --cov-report=
	@failed=; for floor in $(FLOORS); do \
	    package=$${floor%:*}; percent=$${floor#*:}; \
	    echo "Coverage of $$package, at least $$percent %:"; \
	    $(BIN)/coverage report --include="$$package/*" --fail-under="$$percent" || failed=yes; \
	done; [ -z "$$failed" ]

bench: setup  ## measure speed, start-up and smoothness
	@$(BIN)/python -m tests.bench $(ARGS)

translations: setup  ## collect the texts for translation, and say which are missing
	@$(BIN)/python -m resources.translations.update

format: setup  ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

app: setup  ## build dist/Cutaway.app (on Linux: the folder dist/cutaway)
	@$(BIN)/python -m resources.bundle.build

trial:  ## try what `make app` built from a copy in an awkward place
	@$(BIN)/python -m resources.bundle.trial

dmg:  ## build the disk image (on a Mac)
	@if [ "$$(uname -s)" = Darwin ]; then $(MAKE) app; fi
	@resources/bundle/dmg.sh

release:  ## build, sign and notarise the disk image (on a Mac, with the certificates)
	@resources/bundle/release.sh

lock:  ## resolve requirements.lock anew (needs uv)
	MACOSX_DEPLOYMENT_TARGET=14.0 uv pip compile --universal --generate-hashes --no-header \
	    --python-version 3.11 --group starter --group dev --group bundle pyproject.toml -o requirements.lock

clean:  ## remove .venv, caches and what was built
	rm -rf .venv $(TRANSLATIONS) build dist htmlcov .coverage .coverage.* .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find app engine ui resources tests -name __pycache__ -type d -prune -exec rm -rf {} +
