# Short targets over one virtual environment; `make` alone lists them.
VENV := .venv
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
PYTHON := $(VENV)/bin/python
UV := $(shell command -v uv 2>/dev/null)
TESTERS ?= 2
PAGE := src/qwixx/server/web/index.html

.DEFAULT_GOAL := help
.PHONY: help play terminal test check lint typing coverage house core bench bench-kernel bench-mini bench-responses bench-deeper bench-judge bench-bots bench-tables bench-storage load load-soak results td-net champions proof soak device fault fuzz audit mutants golden options types web page pictures lock clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# uv installs faster where it is to be had and works; pip does it everywhere else.
export UV_SYSTEM_CERTS := true
# npm trusts what the system trusts, too.
SYSTEM_CERTS := $(wildcard /etc/ssl/certs/ca-certificates.crt)
ifneq ($(SYSTEM_CERTS),)
export NODE_EXTRA_CA_CERTS ?= $(SYSTEM_CERTS)
endif
define install
	@{ test -n "$(UV)" && $(UV) pip install -q --python $(PYTHON) $(1) 2>/dev/null; } \
	  || $(PYTHON) -m pip install -q --disable-pip-version-check $(1)
endef

# The package's own files are linked into the environment, so only a change of a lock file installs anew.
$(VENV)/.play: requirements.lock pyproject.toml
	@echo "Installing what the game needs into $(VENV) …"
	@test -x $(PYTHON) || python3 -m venv $(VENV)
	$(call install,--require-hashes -r requirements.lock)
	$(call install,--no-deps --no-build-isolation -e .)
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.play
	@echo "Installing what the tests need into $(VENV) …"
	$(call install,--require-hashes -r requirements-dev.lock)
	@touch $@

play: $(VENV)/.play $(PAGE)  ## Play now: opens the table in the browser (ARGS=--lan lets phones join)
	@$(VENV)/bin/qwixx serve --open $(ARGS)

terminal: $(VENV)/.play  ## Play in the terminal, against two bots
	@$(VENV)/bin/qwixx play $(ARGS)

web/node_modules/.done: web/package-lock.json
	@echo "Installing what the page is built with …"
	@npm ci --prefix web --silent --no-progress
	@touch $@

$(PAGE): web/node_modules/.done $(shell find web/src web/public web/index.html web/*.ts -type f)
	@npm run --prefix web --silent build -- --logLevel warn

web: $(PAGE)  ## Build the page for the browser

page: web/node_modules/.done
	@npm run --prefix web --silent check

test: check  ## Install what is needed and run every check and test

check: lint typing page web coverage house core  ## Lint, types, tests and coverage: what CI runs

lint: $(VENV)/.dev
	@$(VENV)/bin/ruff check src tests benchmarks docs
	@$(VENV)/bin/ruff format --check src tests benchmarks docs

typing: $(VENV)/.dev
	@$(VENV)/bin/mypy

TRACED := tests/rules tests/record tests/boards
# These run the same code again and again, so tracing them would cost most and show nothing new.
UNTRACED := tests/rules/test_every_rule_is_held.py tests/rules/test_random_games.py
COMPILED := tests/kernel tests/solver tests/bots tests/arena tests/train tests/cli/test_research.py tests/cli/test_arena.py tests/cli/test_train.py

# Testers share the cores: threads of numpy's own would wait for each other most of the time.
coverage house core: export OPENBLAS_NUM_THREADS := 1

coverage: $(VENV)/.dev
	@rm -f .coverage .coverage.*
	@$(VENV)/bin/coverage run -m pytest -q -n $(TESTERS) $(TRACED) $(UNTRACED:%=--ignore=%)
	@$(VENV)/bin/coverage combine -q
	@$(VENV)/bin/coverage report --fail-under=95

# Apart from the core: browsers and servers do not share the machine with a compiler.
house: $(VENV)/.dev
	@$(VENV)/bin/pytest -q -n $(TESTERS) $(UNTRACED)
	@$(VENV)/bin/pytest -q -n $(TESTERS) tests $(TRACED:%=--ignore=%) $(COMPILED:%=--ignore=%)

# What is compiled cannot be traced, and tracing the rules would slow the cross-check down.
core: $(VENV)/.dev
	@$(VENV)/bin/pytest -q -n $(TESTERS) --dist loadgroup $(COMPILED)

bench: $(VENV)/.dev  ## Measure the speed of the rules and store it in benchmarks/
	@$(PYTHON) -m benchmarks.engine

bench-kernel: $(VENV)/.dev  ## Measure the kernel and the solver beside plain C and store it in benchmarks/
	@$(PYTHON) -m benchmarks.kernel

bench-mini: $(VENV)/.dev  ## Train on the mini board and meet exact play there; store the result in benchmarks/
	@$(PYTHON) -m benchmarks.mini

bench-responses: $(VENV)/.dev  ## Train a best response to a champion (VARIANT=card DEVICE=cuda) or to who is named (ARGS="--against skip-2"); store what it wins in benchmarks/
	@$(PYTHON) -m benchmarks.responses $(or $(VARIANT),mini) --device $(or $(DEVICE),cpu) $(ARGS)

champions: $(VENV)/.dev  ## Train champions from nothing (VARIANT="card longo" DEVICE=cuda) and measure them, in build/champions
	@$(PYTHON) -m benchmarks.champions $(VARIANT) --device $(or $(DEVICE),cpu) $(ARGS)

bench-deeper: $(VENV)/.dev  ## Measure what a deeper look would bring a champion (VARIANT=card); store the result in benchmarks/
	@$(PYTHON) -m benchmarks.deeper $(or $(VARIANT),card) $(ARGS)

bench-judge: $(VENV)/.dev  ## Measure how fast champions play side by side; store the result in benchmarks/
	@$(PYTHON) -m benchmarks.judge

bench-bots: $(VENV)/.dev  ## Measure how long bots think; store the result in benchmarks/
	@$(PYTHON) -m benchmarks.bots

bench-tables: $(VENV)/.dev  ## Measure a person's table while 200 bots play elsewhere; store the result in benchmarks/
	@$(PYTHON) -m benchmarks.tables

load: $(VENV)/.dev  ## Measure how much one server holds, with the players on this machine; store the result in benchmarks/
	@$(PYTHON) -m benchmarks.load --store load
	@test ! -d /dev/shm || $(PYTHON) -m benchmarks.load --folder /dev/shm --store load-memory

load-soak: $(VENV)/.dev  ## Half of that for 30 minutes: the server's memory stays as it is
	@$(PYTHON) -m benchmarks.load --tables 500 --rate 780 --warm 60 --seconds 1800 --store load-soak

bench-storage: $(VENV)/.dev  ## Measure how many events a second SQLite, PostgreSQL and Redis take
	@$(PYTHON) -m benchmarks.storage --store

results: $(VENV)/.dev  ## Let every bot meet every bot (hours; DEVICE=cuda: minutes) and write docs/results.md
	@$(PYTHON) -m benchmarks.results --device $(or $(DEVICE),cpu) --games $(or $(GAMES),20000)

td-net: $(VENV)/.dev  ## Train the yardstick td-net from nothing (minutes) and put it into the package
	@$(PYTHON) -m benchmarks.td_net

proof: $(VENV)/.dev  ## Solve every dice board and play a million games of each as its solution says (an hour)
	@$(PYTHON) -m tests.solver.proof

soak: $(VENV)/.dev  ## Random games over all variants, every invariant checked; then kernel against rules (hours)
	@$(PYTHON) -m tests.soak --games 100000
	@$(PYTHON) -m tests.kernel.crosscheck --games 100000

device: $(VENV)/.dev  ## Play the same games here and on a CUDA device (needs torch, too); all must go the same
	@$(PYTHON) -m tests.kernel.device $(ARGS)

fault: $(VENV)/.dev  ## Play while servers are killed and databases stopped; nothing may be lost (ten minutes)
	@$(PYTHON) -m tests.server.fault

fuzz: $(VENV)/.dev  ## Feed the record parser a million broken records, and the server 100,000 odd messages
	@$(PYTHON) -m tests.fuzz --records 1000000
	@$(PYTHON) -m tests.server.fuzz --messages 100000

audit: $(VENV)/.dev web/node_modules/.done  ## Ask the registries for known weaknesses of what we use
	@$(VENV)/bin/pip-audit --disable-pip --require-hashes -r requirements.lock
	@npm audit --prefix web

mutants: $(VENV)/.dev  ## Mutation testing of rules/: changes the code and sees whether a test notices
	@$(VENV)/bin/mutmut run
	@$(PYTHON) -m tests.mutants

golden: $(VENV)/.dev  ## Write the golden playthroughs and perft files anew (then read the diff)
	@$(PYTHON) -m tests.golden

options: $(VENV)/.play  ## Write the table of the server's options into docs/hosting.md
	@$(PYTHON) -m docs.options

types: $(VENV)/.play  ## Make the browser's types from the server's protocol
	@$(PYTHON) -m qwixx.server.typescript > web/src/lib/protocol.ts

# What the README and the players' guide show.
BEST := start-laptop-light white-laptop-light white-phone-light hand-phone-light longo-phone-dark end-laptop-dark

pictures: $(VENV)/.dev $(PAGE)  ## Photograph every screen (phone, laptop, light, dark) into build/screens and docs/img
	@$(PYTHON) -m docs.picture
	@$(PYTHON) -m tests.browser.screens build/screens
	@for screen in $(BEST); do cp build/screens/$$screen.png docs/img/; done

lock:  ## Resolve the dependencies anew (needs uv)
	@uv pip compile --universal --generate-hashes --no-header --no-annotate -q --upgrade \
	  --extra build pyproject.toml -o requirements.lock
	@uv pip compile --universal --generate-hashes --no-header --no-annotate -q --upgrade \
	  --extra build --extra dev --extra cluster --extra plot pyproject.toml -o requirements-dev.lock

clean:  ## Remove the environment and everything built
	@rm -rf $(VENV) build dist mutants .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis
