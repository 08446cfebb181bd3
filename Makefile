# `make run` and `make test` do all the set-up; see README.md.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PORT ?= 8321

# The newest Python that will do, looked for only when the environment is made.
# `make PYTHON=/path/to/python3.12 …` decides otherwise.
PYTHON ?=

.PHONY: run test test-base test-lowest platforms steady lint new-game check-game texts soak bench torture torture-pack guided audit lighthouse pictures lock dist clean

run: $(READY)
	@exec $(BIN)/referee serve --port $(PORT)

# One worker more than there are processors: the tests of servers and browsers wait much.
WORKERS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
PYTEST = -m pytest
test: $(READY)
	@chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	CHROMIUM="$$chromium" $(BIN)/python $(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

# Everything but the browser's tests, with none of the extras and accelerators.
BASE_TESTS = tests --ignore=tests/browser
test-base: $(READY)
	REFEREE_TEST_BASE=true $(BIN)/python $(PYTEST) -n $(WORKERS) --dist loadfile $(or $(ARGS),$(BASE_TESTS))

# With the lowest versions that pyproject.toml allows, in an environment of its own.
LOWEST := .lowest
LOWEST_TESTS = tests/test_serve.py tests/test_doctor.py tests/store/test_store.py \
	tests/history/test_transfer.py tests/web/test_table.py
test-lowest: $(READY)
	@$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable '.[test]'
	$(LOWEST)/bin/python $(PYTEST) -n $(WORKERS) --dist loadfile $(or $(ARGS),$(LOWEST_TESTS))

# Whether the base has a wheel of everything for every platform in docs/install.md.
platforms: $(READY)
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/python tools/platforms.py

# Whether every run ends the same: on processors that others burn, with threads that take turns at
# every step. All tests ten times, or e.g. RUNS=3 ARGS=--ignore=tests/browser
RUNS ?= 10
steady: $(READY)
	$(BIN)/python tools/steady.py $(RUNS) -- $(MAKE) --no-print-directory test \
		WORKERS=$$((2 * $$(getconf _NPROCESSORS_ONLN))) \
		ARGS="--quiet --switch-interval=0.000005 $(ARGS)"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy --strict

# A minimal game that plays, in folders of this name; see docs/new-game.md.
new-game: $(READY)
	@$(BIN)/python -m tools.new_game $(NAME)

# What a game still lacks, in sentences. Every game without a NAME.
check-game: $(READY)
	@$(BIN)/python -m tools.check_game $(NAME)

# The English catalogue: adds sentences that it lacks, removes those that nothing says, compiles it.
texts: $(READY)
	@$(BIN)/python -m tools.texts

# Honest random matches of one GAME, or of each in turn, held against every law. With MATCH=number
# that one alone, as a record with the answers.
SECONDS ?= 60
soak: $(READY)
	@$(BIN)/python -m tools.soak --seconds $(SECONDS) $(if $(MATCH),--match $(MATCH)) $(GAME)

# The engines to compare with are large and not built for every machine: without them it measures ours alone.
bench: $(READY)
	@$(BIN)/python -m pip install --quiet --editable '.[bench]' || \
	echo 'make bench: the engines to compare with cannot be installed here; going on without them.'
	$(BIN)/python -m bench

# Kills, power cuts, failing disks and bad input: an hour with the default numbers. Then whole
# matches of each game on a phone whose network is cut before every tap.
torture: $(READY)
	$(BIN)/python -m torture $(ARGS)
	@chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	CHROMIUM="$$chromium" $(BIN)/python $(PYTEST) --quiet --every-cell tests/browser/taps/test_every_cut.py

# The app in a browser tab whose page is ended a thousand times while it plays; ARGS="--times 10" does less.
torture-pack: $(READY)
	@pyodide="$$(sh tests/browser/ensure_pyodide.sh)" && folder="$$(mktemp -d)" && \
	chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	$(BIN)/referee pack --pyodide "$$pyodide" "$$folder" && \
	CHROMIUM="$$chromium" $(BIN)/python -m torture.packed "$$folder" $(ARGS); \
	status=$$?; rm -rf "$$folder"; exit $$status

# Bad input led by coverage: ten minutes, or ARGS="--seconds 3600 --corpus folder".
guided: $(READY)
	@$(BIN)/python -m pip install --quiet atheris
	$(BIN)/python -m torture.guided $(ARGS)

# Known vulnerabilities of what requirements.lock names; asks a database on the internet, and says
# so where that can't be had.
audit: $(READY)
	@$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/python tools/audit.py requirements.lock

# Four pages on Lighthouse's phone, which has to give each of them 100; needs npm. Wants a quiet machine.
LIGHTHOUSE := .lighthouse/node_modules/.bin/lighthouse
lighthouse: $(READY) $(LIGHTHOUSE)
	@chromium="$$(sh tests/browser/ensure_chromium.sh)" && \
	CHROMIUM="$$chromium" $(BIN)/python tools/lighthouse.py $(LIGHTHOUSE)

$(LIGHTHOUSE):
	npm install --prefix .lighthouse --no-save --no-audit --no-fund lighthouse@12.8.2

# What messengers show beside a link, of all games and the app, or e.g. NAME=fancy; without NAME also
# the pictures in the README.
pictures: $(READY)
	@$(BIN)/python -m pip install --quiet pillow
	@chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	CHROMIUM="$$chromium" $(BIN)/python tools/build_pictures.py $(NAME) && \
	{ [ -n "$(NAME)" ] || CHROMIUM="$$chromium" $(BIN)/python tools/build_perite_dispute.py; }

# One file for all supported Pythons; what differs between them carries a marker.
# The second one is what a server runs, with the driver of PostgreSQL and without tools.
COMPILE = $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-package pip --no-annotate \
	--custom-compile-command 'make lock'
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --extra test --extra lint --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra fast --extra https --extra postgres --output-file deploy/requirements.lock \
		--constraint requirements.lock pyproject.toml

# Wheel and source in dist/, and beside them what a server is made of (CycloneDX).
dist: $(READY)
	@$(BIN)/python -m pip install --quiet build cyclonedx-bom
	$(BIN)/python -m build --outdir dist
	$(BIN)/cyclonedx-py requirements deploy/requirements.lock --pyproject pyproject.toml \
		--output-reproducible --output-file dist/referee.cdx.json

clean:
	rm -rf $(VENV) $(LOWEST) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find referee tests -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml requirements.lock
	@python="$(PYTHON)"; \
	if [ -z "$$python" ]; then \
		for name in python3.13 python3.12 python3.11 python3 python; do \
			if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
				python=$$name; break; \
			fi; \
		done; \
	fi; \
	if [ -z "$$python" ]; then \
		echo 'make: referee needs Python 3.11 or newer, and there is none on the PATH.' >&2; \
		echo '      Install one, or name it: make PYTHON=/path/to/python3.12 run' >&2; \
		exit 1; \
	fi; \
	if ! $$python -c 'import venv, ensurepip' 2>/dev/null; then \
		echo "make: $$python lacks the modules venv and ensurepip." >&2; \
		echo '      On Debian and Ubuntu they are a package: apt install python3-venv' >&2; \
		exit 1; \
	fi; \
	echo "make: setting up $(VENV) with $$($$python --version)"; \
	$$python -m venv --clear $(VENV)
	@pip="$(BIN)/python -m pip install --quiet --disable-pip-version-check"; \
	if $$pip --requirement requirements.lock; then \
		$$pip --no-deps --editable .; \
	else \
		echo 'make: no wheels of some tools for this machine; installing the program alone.'; \
		$$pip --editable . && { $$pip --only-binary :all: '.[fast]' || true; }; \
	fi
	@touch $@
