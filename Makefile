# The front door. Each target sets up what it needs; what has not changed is not done again.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PYTHON ?= $(shell command -v python3.11 || command -v python3)
DONE := .cache/done
MANAGE := .venv/bin/python manage.py
PORT ?= $(or $(shell sed -n 's/^PORT=//p' .env 2>/dev/null),8000)

frontend_sources := $(shell find frontend static -type f -not -path 'frontend/build/*' -not -path 'frontend/e2e/*' 2>/dev/null)
catalogues := $(wildcard */locale/*/LC_MESSAGES/*.po)

.PHONY: help run dev test admin format schema messages lock clean

help: ## List what can be done here
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1|\2/' | column -t -s '|'

run: .env $(DONE)/static $(DONE)/messages ## Serve the whole product on http://127.0.0.1:8000
	$(MANAGE) migrate --noinput --verbosity 0
	$(MANAGE) createcachetable
	@echo "Sailing is on http://127.0.0.1:$(PORT) (Ctrl+C stops it); mails are printed here."
	exec .venv/bin/gunicorn --bind 127.0.0.1:$(PORT) sailing.wsgi

dev: .env $(DONE)/python $(DONE)/node $(DONE)/messages ## Serve with hot reload on http://127.0.0.1:3000
	$(MANAGE) migrate --noinput --verbosity 0
	$(MANAGE) createcachetable
	trap 'kill 0' EXIT; DEBUG=true $(MANAGE) runserver 127.0.0.1:8000 & npm run dev

test: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Run every check and test
	.venv/bin/python scripts/test.py $(STEPS)

admin: .env $(DONE)/python ## Make a superuser for Django admin
	$(MANAGE) migrate --noinput --verbosity 0
	$(MANAGE) createsuperuser

format: $(DONE)/python-dev $(DONE)/node ## Put all code into its format
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	npm run --silent format

schema: .env $(DONE)/python $(DONE)/node ## Export the GraphQL schema and generate the typed operations
	$(MANAGE) graphql_schema
	npm run --silent codegen

messages: $(DONE)/python-dev ## Bring the gettext catalogues up to date with the code
	.venv/bin/python -m scripts.update_messages

lock: $(DONE)/python-dev ## Pin what the requirements need in turn
	.venv/bin/pip-compile --quiet --strip-extras --no-header --no-emit-index-url --no-emit-find-links \
	  --no-emit-trusted-host --output-file requirements.txt requirements.in
	.venv/bin/pip-compile --quiet --strip-extras --no-header --no-emit-index-url --no-emit-find-links \
	  --no-emit-trusted-host --output-file requirements-dev.txt requirements-dev.in

clean: ## Remove everything that was built or installed here (the database and .env stay)
	rm -rf .venv .cache node_modules frontend/build staticfiles

.env: | scripts/write_env.py
	@python3 scripts/write_env.py

.venv/bin/python:
	$(PYTHON) -m venv .venv

$(DONE)/python: requirements.txt | .venv/bin/python
	.venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/python-dev: requirements-dev.txt $(DONE)/python
	.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/node: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@mkdir -p $(DONE) && touch $@

$(DONE)/bundle: $(DONE)/node $(frontend_sources) webpack.config.js babel.config.js tsconfig.json
	npm run --silent build
	@mkdir -p $(DONE) && touch $@

$(DONE)/static: $(DONE)/bundle $(DONE)/python sailing/static.py | .env
	$(MANAGE) collectstatic --noinput --clear --verbosity 0
	@mkdir -p $(DONE) && touch $@

$(DONE)/messages: $(catalogues) $(DONE)/python
	for folder in $(sort $(foreach catalogue,$(catalogues),$(firstword $(subst /cs/, ,$(catalogue))))); do \
	  .venv/bin/pybabel --quiet compile --directory $$folder --domain django || exit 1; \
	done
	@mkdir -p $(DONE) && touch $@
