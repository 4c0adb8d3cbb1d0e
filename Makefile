# The only door: `make demo` and `make test` need nothing but a Python >= 3.12 and, on Debian as
# root, its packages. Everything they install stays in .venv (and Chromium, where it is missing).
SHELL := /bin/bash
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
CHROMIUM = $(BIN)/python -m e2e.browser

.PHONY: help demo test unit e2e check lint format bench clean

help: ## what there is to make
	@grep -hE '^[a-z0-9]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(VENV)/.ready: requirements.lock pyproject.toml e2e/environment.sh
	@bash e2e/environment.sh $(VENV)
	@touch $@

demo: $(VENV)/.ready ## record one action, replay it with other values, watch it being proved
	@$(CHROMIUM) >/dev/null
	@$(BIN)/python -m e2e.demo

test: check unit e2e ## everything that CI runs

unit: $(VENV)/.ready ## the unit tests: under a minute, no browser
	@$(BIN)/python -m pytest tests -n auto

e2e: $(VENV)/.ready ## real Chromium, real proxy, real HTTP, independent readback
	@$(CHROMIUM) >/dev/null
	@$(BIN)/python -m pytest e2e --timeout 180

check: $(VENV)/.ready ## ruff, mypy --strict, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo 2>/dev/null || $(BIN)/lint-imports

format: $(VENV)/.ready ## let ruff put the code in form
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

bench: $(VENV)/.ready ## ratios from one run; nothing fails on a time
	@$(CHROMIUM) >/dev/null
	@$(BIN)/python -m bench

clean: ## remove what the other targets made
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
