# Each target first installs and builds what it needs. Nothing is done again unless its sources changed.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# One goal runs three jobs at a time, because a job often waits: for the network, a process or a lock. Several goals
# (`make clean run`) run in the given order.
MAKEFLAGS += --no-builtin-rules $(if $(word 2,$(MAKECMDGOALS))$(filter-out 0,$(MAKELEVEL)),,--jobs=3)

# Container images often set it. Then each process would compile Django and the site anew.
unexport PYTHONDONTWRITEBYTECODE

# The first of these that works, else python3.
PYTHON ?= $(firstword $(shell for python in python3.{11..14}; do $$python -c '' 2>/dev/null && echo $$python && break; done) python3)
DONE := .cache/done
MANAGE := .venv/bin/python manage.py
# Python compiles a module when it is imported first; most modules of the packages never are.
PIP_INSTALL := .venv/bin/pip install --quiet --no-compile --disable-pip-version-check
LOCK := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"
PORT ?= $(or $(shell sed -n 's/^PORT=//p' .env 2>/dev/null),8000)

# Building the site needs the production packages only; other targets install all of package.json.
NODE := $(DONE)/$(if $(filter-out run admin,$(MAKECMDGOALS))$(wildcard $(DONE)/node-dev),node-dev,node)

# Directories are listed too, so that a deleted file causes a new build.
frontend_sources := $(shell find frontend static \( -path frontend/build -o -path frontend/e2e -o -name node_modules \) -prune -o -print)
catalogues := $(wildcard */locale/*/LC_MESSAGES/*.po)

REPORTS := .cache/reports
QUICK_CHECKS := python-types typescript frontend-lint generated-code python-lint
LONG_CHECKS := pytest vitest frontend-checks # the longest first
CHECKS := $(QUICK_CHECKS) $(LONG_CHECKS)
SLOW_CHECKS := deploy-files e2e-sweeps pytest-postgres e2e-postgres faults fuzz bench-smoke
KEEP_GOING := --keep-going --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
RECORD := scripts/record
# Two workers: docs/decisions/023. After 100 failures there is one cause for all.
PYTEST := .venv/bin/pytest -q --numprocesses=2 --maxfail=100
LIGHTHOUSE := frontend/tools/bench/lighthouse
PLAYWRIGHT := scripts/e2e --reporter=list,junit

.PHONY: help run dev test verify bench load admin format schema messages lock clean \
  e2e $(CHECKS) $(SLOW_CHECKS)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

run: .env $(DONE)/static $(DONE)/messages ## Serve the site on http://127.0.0.1:8000 (PORT=... for another port)
	@$(MANAGE) migrate --noinput --verbosity 0
	@.venv/bin/python -m scripts.check_port $(PORT)
	@echo "Sailing is on http://127.0.0.1:$(PORT) (Ctrl+C stops it); mails are printed here."
	@PORT=$(PORT) exec .venv/bin/gunicorn sailing.wsgi

# The development server overwrites frontend/build, so `make run` has to build again.
dev: .env $(DONE)/python $(NODE) $(DONE)/messages ## Serve with hot reload on http://127.0.0.1:3000
	@$(MANAGE) migrate --noinput --verbosity 0
	@rm -f $(DONE)/bundle
	@exec scripts/dev

override ONLY := $(ONLY:./%=%)
ifndef ONLY
# The quick checks fill the second core while npm installs and the site is built, because pytest and the browser tests
# wait for the build. The browser tests run last and alone, because other checks would slow the browser down.
test: ## Run all checks and tests (ONLY=path for one test file)
	@rm -rf $(REPORTS)
	@$(MAKE) $(KEEP_GOING) $(DONE)/static $(DONE)/messages $(QUICK_CHECKS) || true
	@$(MAKE) $(KEEP_GOING) $(LONG_CHECKS) || true
	@$(MAKE) $(KEEP_GOING) e2e || true
	@$(PYTHON) scripts/summary.py $(CHECKS) e2e
else ifneq ($(filter frontend/e2e/%,$(ONLY)),)
test: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages
	@scripts/e2e $(ONLY)
else ifneq ($(filter frontend/%,$(ONLY)),)
test: $(NODE)
	@node_modules/.bin/vitest run --config frontend/vitest.config.ts $(ONLY)
else
test: $(DONE)/python-dev $(DONE)/messages
	@.venv/bin/pytest $(ONLY)
endif

verify: ## Run `make test`, then faults, fuzzing, benchmarks (one round each), the tests on PostgreSQL and the checks of deploy/
	@$(MAKE) test || true
	@for check in $(SLOW_CHECKS); do $(MAKE) $(KEEP_GOING) $$check; done || true
	@$(PYTHON) scripts/summary.py $(CHECKS) e2e $(SLOW_CHECKS)

pytest: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages
	@$(RECORD) $@ $(PYTEST) --junitxml=$(REPORTS)/$@.xml

vitest: $(NODE)
	@$(RECORD) $@ node_modules/.bin/vitest run --config frontend/vitest.config.ts --reporter=default --reporter=junit --outputFile.junit=$(REPORTS)/$@.xml

python-lint: $(DONE)/python-dev
	@$(RECORD) $@ '.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/lint-imports'

python-types: $(DONE)/python-dev
	@$(RECORD) $@ .venv/bin/mypy .

typescript: $(NODE)
	@$(RECORD) $@ npm run --silent typecheck

frontend-lint: $(NODE)
	@$(RECORD) $@ npm run --silent lint

frontend-checks: $(DONE)/bundle
	@$(RECORD) $@ npm run --silent check

generated-code: .env $(DONE)/python-dev # if the schemas differ: `make schema`
	@$(RECORD) $@ '$(MANAGE) makemigrations --check --dry-run && $(MANAGE) graphql_schema --out .cache/schema.graphql && diff frontend/schema.graphql .cache/schema.graphql'

e2e: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages
	@$(RECORD) $@ $(PLAYWRIGHT) --grep-invert @sweep

e2e-sweeps: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages
	@$(RECORD) $@ $(PLAYWRIGHT) --grep @sweep

e2e-postgres: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages
	@$(RECORD) $@ scripts/with-postgres $(PLAYWRIGHT) --grep @database

pytest-postgres: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages
	@$(RECORD) $@ scripts/with-postgres $(PYTEST) --junitxml=$(REPORTS)/$@.xml

deploy-files: .env $(DONE)/python
	@$(RECORD) $@ scripts/check-deploy-files

bench-smoke: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages $(DONE)/lighthouse
	@$(RECORD) $@ scripts/with-postgres .venv/bin/python -m benchmarks --smoke

bench: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages $(DONE)/lighthouse ## Compare the site's speed with its peers (ONLY="page me" for some)
	scripts/with-postgres .venv/bin/python -m benchmarks --only "$(ONLY)"

faults: export WITH_PGBOUNCER = true
faults: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Test outages and overload (ONLY=site for one file of tests/faults)
	@$(RECORD) $@ scripts/with-postgres .venv/bin/pytest -rs --junitxml=$(REPORTS)/$@.xml tests/faults$(ONLY:%=/test_%.py)

fuzz: .env $(DONE)/python-dev $(DONE)/messages ## Send 4,000 random GraphQL requests and look for crashes (EXAMPLES=... for each of eight tests)
	@$(RECORD) $@ EXAMPLES=$(or $(EXAMPLES),500) scripts/with-postgres $(PYTEST) tests/security/test_fuzz.py

load: .env $(DONE)/python-dev $(DONE)/static $(DONE)/messages ## Send three times the load of one process for 10 minutes
	scripts/with-postgres .venv/bin/python -m benchmarks --only load

admin: .env $(DONE)/python ## Create a superuser for Django admin
	@$(MANAGE) migrate --noinput --verbosity 0
	@$(MANAGE) createsuperuser $(if $(DJANGO_SUPERUSER_PASSWORD),--noinput)

format: $(DONE)/python-dev $(NODE) ## Format all code and fix what the linters can
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
	npm run --silent format

schema: .env $(DONE)/python $(NODE) ## Export the GraphQL schema and generate the typed operations
	$(MANAGE) graphql_schema
	npm run --silent codegen

messages: $(DONE)/python-dev ## Update the gettext catalogues from the code
	.venv/bin/python -m scripts.update_messages

lock: $(DONE)/python-dev ## Pin all Python packages, for every platform
	$(LOCK) --output-file requirements.txt requirements.in
	$(LOCK) --output-file requirements-dev.txt requirements-dev.in

clean: ## Remove everything built or installed (not the database or .env)
	rm -rf .venv .cache node_modules $(LIGHTHOUSE)/node_modules frontend/build staticfiles .*_cache .hypothesis
	find accounts benchmarks newsletter sailing scripts tests -name __pycache__ -prune -exec rm -rf {} +

.env: | .venv/bin/python
	@.venv/bin/python scripts/write_env.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || \
	  { echo "Sailing needs Python 3.11, 3.12, 3.13 or 3.14: there is none on the PATH." >&2; exit 1; }
	$(PYTHON) -m venv .venv

$(DONE)/python: requirements.txt | .venv/bin/python
	$(PIP_INSTALL) -r requirements.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/python-dev: requirements-dev.txt $(DONE)/python
	$(PIP_INSTALL) -r requirements-dev.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/node $(DONE)/node-dev: package.json package-lock.json
	@node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(minor >= { 20: 19, 22: 13, 24: 0 }[major] ? 0 : 1)' 2>/dev/null || \
	  { echo "Sailing needs Node 20.19, 22.13 or 24, or a later one of these lines: $$(node --version 2>/dev/null || echo there is none on the PATH)." >&2; exit 1; }
	@rm -f $(DONE)/node # npm ci removes node_modules first
	npm ci $(if $(findstring dev,$(@F)),,--omit=dev) --no-audit --no-fund --loglevel=error
	@mkdir -p $(DONE) && touch $@

# Lighthouse is a package of its own, because its many packages would slow down every other installation. Its script is
# type-checked here, because `make typescript` lacks its types.
$(DONE)/lighthouse: $(wildcard $(LIGHTHOUSE)/*.js*) | $(NODE)
	npm ci --prefix $(LIGHTHOUSE) --no-audit --no-fund --loglevel=error
	node_modules/.bin/tsc --project $(LIGHTHOUSE)
	@mkdir -p $(DONE) && touch $@

$(DONE)/bundle: package.json package-lock.json $(frontend_sources) | $(NODE)
	npm run --silent build
	@mkdir -p $(DONE) && touch $@

$(DONE)/static: $(DONE)/bundle $(DONE)/python sailing/web/pages/frontend.py | .env
	$(MANAGE) collectstatic --noinput --clear --verbosity 0
	@mkdir -p $(DONE) && touch $@

$(DONE)/messages: $(catalogues) $(DONE)/python
	@PATH=.venv/bin:$$PATH bin/post_compile
	@mkdir -p $(DONE) && touch $@
