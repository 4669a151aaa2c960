# The front door. Each target sets up what it needs; what has not changed is not done again.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# For one goal pip and npm work side by side; several (`make clean run`) are reached in their order.
MAKEFLAGS += --no-builtin-rules $(if $(word 2,$(MAKECMDGOALS)),,--jobs=2)

PYTHON ?= $(or $(shell command -v python3.11),python3)
DONE := .cache/done
MANAGE := .venv/bin/python manage.py
LOCK := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"
PORT ?= $(or $(shell sed -n 's/^PORT=//p' .env 2>/dev/null),8000)

# To run the site takes what builds it. What else needs Node packages takes all of package.json, from then on.
NODE := $(DONE)/$(if $(filter-out run admin,$(MAKECMDGOALS))$(wildcard $(DONE)/node-dev),node-dev,node)

# Folders count too: a file that is gone changes what is built.
frontend_sources := $(shell find frontend static \( -path frontend/build -o -path frontend/e2e \) -prune -o -print)
catalogues := $(wildcard */locale/*/LC_MESSAGES/*.po)

.PHONY: help run dev test bench faults fuzz load memory admin format schema messages lock clean

help: ## List what can be done here
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

run: .env $(DONE)/static $(DONE)/messages ## Serve the whole product on http://127.0.0.1:8000 (PORT=... for another)
	@$(MANAGE) migrate --noinput --verbosity 0
	@$(MANAGE) createcachetable --verbosity 0
	@.venv/bin/python -m scripts.check_port $(PORT)
	@echo "Sailing is on http://127.0.0.1:$(PORT) (Ctrl+C stops it); mails are printed here."
	@PORT=$(PORT) exec .venv/bin/gunicorn --bind 127.0.0.1:$(PORT) sailing.wsgi

# What webpack's server leaves in frontend/build is not what `make run` serves.
dev: .env $(DONE)/python $(NODE) $(DONE)/messages ## Serve with hot reload on http://127.0.0.1:3000
	@$(MANAGE) migrate --noinput --verbosity 0
	@$(MANAGE) createcachetable --verbosity 0
	@rm -f $(DONE)/bundle
	@exec scripts/dev

test: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Run every check and test
	.venv/bin/python scripts/test.py $(STEPS)

bench: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Measure the site against its peers (ONLY="page me" for some)
	.venv/bin/python -m benchmarks --only "$(ONLY)"

faults: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Break what the site needs, and see that nobody is lost (ONLY=smtp, postgres, processes, overload, slow_clients, password_guessing, connections, disk, clock)
	scripts/with-postgres .venv/bin/pytest -rs $(if $(ONLY),tests/faults/test_$(ONLY).py,tests/faults)

fuzz: .env $(DONE)/python-dev $(DONE)/messages ## Send 20,000 GraphQL requests made by chance, and look for accidents (REQUESTS=... SEED=...)
	scripts/with-postgres .venv/bin/python -m tests.security.fuzz $(or $(REQUESTS),20000) $(or $(SEED),1)

load: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Ask for 10 minutes three times what one process can serve (MINUTES=...)
	scripts/with-postgres .venv/bin/python -m benchmarks.load $(or $(MINUTES),10)

memory: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Measure what the processes hold in memory after traffic
	scripts/with-postgres .venv/bin/python -m benchmarks.memory

admin: .env $(DONE)/python ## Make a superuser for Django admin
	@$(MANAGE) migrate --noinput --verbosity 0
	@$(MANAGE) createsuperuser $(if $(DJANGO_SUPERUSER_PASSWORD),--noinput)

format: $(DONE)/python-dev $(NODE) ## Put all code into its format
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	npm run --silent format

schema: .env $(DONE)/python $(NODE) ## Export the GraphQL schema and generate the typed operations
	$(MANAGE) graphql_schema
	npm run --silent codegen

messages: $(DONE)/python-dev ## Bring the gettext catalogues up to date with the code
	.venv/bin/python -m scripts.update_messages

lock: $(DONE)/python-dev ## Pin all that requirements*.in need in turn, for every platform
	$(LOCK) --output-file requirements.txt requirements.in
	$(LOCK) --output-file requirements-dev.txt requirements-dev.in

clean: ## Remove everything that was built or installed here (the database and .env stay)
	rm -rf .venv .cache node_modules frontend/build staticfiles .*_cache .hypothesis
	find accounts benchmarks newsletter sailing scripts tests -name __pycache__ -prune -exec rm -rf {} +

.env: | .venv/bin/python
	@.venv/bin/python scripts/write_env.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || \
	  { echo "Sailing needs Python 3.11: there is no python3.11 on the PATH." >&2; exit 1; }
	$(PYTHON) -m venv .venv

$(DONE)/python: requirements.txt | .venv/bin/python
	.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/python-dev: requirements-dev.txt $(DONE)/python
	.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/node $(DONE)/node-dev: package.json package-lock.json
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor < 2019 ? 1 : 0)' 2>/dev/null || \
	  { echo "Sailing needs Node 20.19 or later: $$(node --version 2>/dev/null || echo there is none on the PATH)." >&2; exit 1; }
	@rm -f $(DONE)/node # npm begins with removing what is there
	npm ci $(if $(findstring dev,$(@F)),,--omit=dev) --no-audit --no-fund --loglevel=error
	@mkdir -p $(DONE) && touch $@

$(DONE)/bundle: package.json package-lock.json $(frontend_sources) webpack.config.js babel.config.js tsconfig.json | $(NODE)
	npm run --silent build
	@mkdir -p $(DONE) && touch $@

$(DONE)/static: $(DONE)/bundle $(DONE)/python sailing/server/static_files.py | .env
	$(MANAGE) collectstatic --noinput --clear --verbosity 0
	@mkdir -p $(DONE) && touch $@

$(DONE)/messages: $(catalogues) $(DONE)/python
	.venv/bin/python -m scripts.compile_messages
	@mkdir -p $(DONE) && touch $@
