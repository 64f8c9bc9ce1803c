# The verbs of this house; `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
# What is traced: tracing makes a test two to four times as long, so all others run without.
TRACED := tests/unit/triage/domain tests/unit/triage/policy tests/unit/triage/toolsets

# Where a shell forbids to keep bytecode, each process of each run would rewrite all asserts: half of the collection's time.
export PYTHONDONTWRITEBYTECODE :=

help: ## list these verbs
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 10

.venv/.ready: pyproject.toml uv.lock tests/setup.sh
	@PYTHON=$(PYTHON) sh tests/setup.sh python
	@touch $@

.venv/.dev: pyproject.toml uv.lock tests/setup.sh
	@PYTHON=$(PYTHON) sh tests/setup.sh dev
	@touch $@ .venv/.ready

setup: .venv/.ready ## make .venv with the locked packages

demo: .venv/.ready ## 45 mails, a sandbox Jira, a table and a board; ONCE=1 ends after the table
	@$(BIN)/triage demo $(if $(ONCE),--once) $(ARGS)

# Three processes on two cores: half of the time tests wait for processes that they have started or killed. Each imports and collects
# all tests, compiles patterns and reads models, 16 s of processor time. What `bench` runs alone is not imported.
test: .venv/.dev ## all tests but those of `check`, first those of `coverage`; fetches the servers they need when it may
	@sh tests/setup.sh servers
	@$(MAKE) --no-print-directory coverage
	@$(BIN)/pytest -q -n 3 --dist worksteal $(TRACED:%=--ignore=%) --ignore=tests/house --ignore=tests/bench $(ARGS)

heavy: .venv/.dev ## tests of several seconds, each of which has a lighter sibling in `test` (decision 197)
	@sh tests/setup.sh servers
	@$(BIN)/pytest -q -n 3 --dist worksteal -m heavy $(ARGS)

check: .venv/.dev lint types house ## ruff, mypy, import-linter, house rules

lint: .venv/.dev
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/lint-imports --no-cache

types: .venv/.dev
	@$(BIN)/mypy

house: .venv/.dev
	@$(BIN)/pytest -q tests/house

# Each process of `test` would rewrite the asserts of all test files, all at the same time: 25 s of processor time.
collected: .venv/.dev
	@told=$$($(BIN)/pytest -qq --collect-only) || { echo "$$told"; exit 1; }

# In one process: a second one would trace the same imports, and the process that hands out the tests, too; a third of the time.
coverage: .venv/.dev ## 100 % of domain, policy and the rules of toolsets
	@$(BIN)/pytest -q $(TRACED) --cov=triage.domain --cov=triage.policy --cov=triage.toolsets.letters.rules --cov=triage.toolsets.meetings.rules --cov=triage.toolsets.sprints.rules --cov=triage.toolsets.tickets.rules --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

properties: .venv/.dev ## each property with EXAMPLES=1000 random inputs in place of 30
	@$(BIN)/pytest -q -n 2 --dist worksteal -m hypothesis --hypothesis-profile=deep $(ARGS)

bench: .venv/.dev ## the tables of figures
	@$(BIN)/pytest -q -s -m bench -p no:randomly tests/bench tests/hostile

chaos: .venv/.dev ## kill it KILLS=500 times while mail comes in, then compare; MAILS=folder MOST=400 STORE=postgres
	@$(BIN)/pytest -q -s -m chaos -p no:randomly tests/chaos

fmt: .venv/.dev ## format and mend what can be mended
	@$(BIN)/ruff format . ; $(BIN)/ruff check --fix .

faults: .venv/.dev ## CREATES tickets in each kind of trouble of Jira's, workers killed meanwhile
	@$(BIN)/pytest -q -s -m chaos -p no:randomly tests/faults

docs: .venv/.dev ## the site, strictly: tables from the code, then .cache/site
	@$(BIN)/python -m docs.scripts.reference
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

.PHONY: help setup demo test heavy check lint types house collected coverage properties bench chaos faults fmt docs
