# `make run` and `make test` do all the set-up; see README.md.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
INSTALLED := $(VENV)/.installed
PORT ?= 8321

# By default the newest suitable Python is used, which is looked for when the environment is made.
# `make PYTHON=/path/to/python3.12 …` names another one.
PYTHON ?=

.PHONY: run test quick test-base test-lowest platforms steady lint lint-code lint-types lint-tests lint-scripts new-game check-game texts soak bench torture torture-pack webkit guided audit lighthouse pictures lock dist clean

run: $(READY)
	@exec $(BIN)/referee serve --port $(PORT)

# Without ARGS it leaves out the tests marked as thorough: those that read every page at many sizes, cut
# the network at many places, or compare with every possible deal. `make test ARGS=tests` runs them, too.
DAILY = -m 'not thorough'
# One worker more than there are processors: tests with servers and browsers often wait.
WORKERS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
PYTEST = -m pytest
test: $(READY)
	@chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	CHROMIUM="$$chromium" $(BIN)/python $(PYTEST) -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(or $(ARGS),$(DAILY))

# Lint, types, and what the rules decide: less than a minute, no browser.
QUICK_TESTS = tests/core tests/games tests/judge tests/test_purity.py tests/test_rooms.py \
	--ignore=tests/games/kit --ignore=tests/games/test_memory.py
quick: lint
	$(BIN)/python $(PYTEST) --quiet -n $(WORKERS) $(DAILY) $(QUICK_TESTS)

# All tests but those in a browser, the torture, and of what brings its own packages, without extras
# and accelerators.
BASE_TESTS = tests --ignore=tests/browser --ignore=tests/torture --ignore=tests/test_deploy.py \
	--ignore=tests/store/test_postgres.py
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

# Checks that all packages of the base have wheels for every platform in docs/install.md.
platforms: $(READY)
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/python tools/platforms.py

# Checks that tests pass every time, while all processors are busy and threads change very often.
# All tests ten times, or e.g. RUNS=3 ARGS=--ignore=tests/browser
RUNS ?= 10
steady: $(READY)
	$(BIN)/python tools/steady.py $(RUNS) -- $(MAKE) --no-print-directory test \
		WORKERS=$$((2 * $$(getconf _NPROCESSORS_ONLN))) \
		ARGS="--quiet --switch-interval=0.000005 $(ARGS)"

# Four programs that use one processor each, two of them at once. Each keeps what it found, so the
# tests' types have a folder of their own: both read the program, with other settings.
lint: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 lint-code lint-types lint-tests lint-scripts

lint-code:
	$(BIN)/ruff check .

lint-types:
	$(BIN)/mypy --strict

lint-tests:
	MYPYPATH=$$(find tests -name '*.py' -exec dirname {} + | sort -u | paste -sd : -) \
		$(BIN)/mypy --cache-dir=.mypy_cache/tests --config-file tests/mypy.ini tests

# Scripts and styles. The linter is a program from npm; without npm, or if it cannot be loaded, they
# are not checked.
BIOME := node_modules/.bin/biome
lint-scripts:
	@command -v npm >/dev/null || { echo 'make lint: there is no npm here; scripts and styles are not checked.'; exit 0; }; \
	[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --loglevel=error --fetch-retries=1 --fetch-timeout=20000 || \
	{ echo 'make lint: npm cannot load the linter; scripts and styles are not checked.'; exit 0; }; \
	$(BIOME) check --error-on-warnings || \
	{ echo 'make lint: `$(BIOME) format --write` formats style sheets.'; exit 1; }

# Writes a minimal playable game into folders of this name; see docs/new-game.md.
new-game: $(READY)
	@$(BIN)/python -m tools.new_game $(NAME)

# Lists what the game NAME still lacks; without NAME, what each game lacks.
check-game: $(READY)
	@$(BIN)/python -m tools.check_game $(NAME)

# Updates the English catalogue: adds missing sentences, removes unused ones, and compiles it.
texts: $(READY)
	@$(BIN)/python -m tools.texts

# Checks random matches of one GAME, or of each in turn, against all laws (tools/laws.py). With
# MATCH=number it prints that match alone, as a record with the referee's answers. With PAGES=100 it
# opens all pages of a hundred matches of each game in which people err.
SECONDS ?= 60
soak: $(READY)
	@$(BIN)/python -m tools.soak --seconds $(SECONDS) $(if $(MATCH),--match $(MATCH)) $(if $(PAGES),--pages $(PAGES)) $(GAME)

# The engines to compare with are large, and do not exist for every machine: it also runs without them.
bench: $(READY)
	@$(BIN)/python -m pip install --quiet --editable '.[bench]' || \
	echo 'make bench: the engines to compare with cannot be installed here; going on without them.'
	$(BIN)/python -m bench

# Kills, power cuts, failing disks and bad input: takes an hour with the default numbers. Then whole
# matches of each game on a phone that loses the network before every tap.
torture: $(READY)
	$(BIN)/python -m torture $(ARGS)
	@chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	CHROMIUM="$$chromium" $(BIN)/python $(PYTEST) --quiet --every-cell -m rare tests && \
	CHROMIUM="$$chromium" $(BIN)/python $(PYTEST) --quiet --every-cell tests/browser/taps/test_every_cut.py

# Ends the page of the app in a browser tab a thousand times while it plays, or ARGS="--times 10".
torture-pack: $(READY)
	@pyodide="$$(sh tests/browser/ensure_pyodide.sh)" && folder="$$(mktemp -d)" && \
	chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	$(BIN)/referee pack --pyodide "$$pyodide" "$$folder" && \
	CHROMIUM="$$chromium" $(BIN)/python -m torture.packed "$$folder" $(ARGS); \
	status=$$?; rm -rf "$$folder"; exit $$status

# Plays in WebKit, the engine of the browsers on iPhones: at a table of every game, without a server,
# and in the app in a tab. Not part of CI: the browser weighs 200 MB, and no phone is exactly this one.
webkit: $(READY)
	@command -v WebKitWebDriver >/dev/null && command -v xvfb-run >/dev/null || \
	{ echo 'make webkit: install webkit2gtk-driver, xvfb, xauth and fonts-noto-cjk (Debian) first.'; exit 1; }
	@pyodide="$$(sh tests/browser/ensure_pyodide.sh)" && folder="$$(mktemp -d)" && \
	$(BIN)/referee pack --pyodide "$$pyodide" "$$folder" && \
	xvfb-run --auto-servernum $(BIN)/python tools/webkit.py "$$folder"; \
	status=$$?; rm -rf "$$folder"; exit $$status

# Fuzzing guided by coverage: ten minutes, or ARGS="--seconds 3600 --corpus folder".
guided: $(READY)
	@$(BIN)/python -m pip install --quiet atheris
	$(BIN)/python -m torture.guided $(ARGS)

# Lists known vulnerabilities of the packages in requirements.lock. It asks a database on the internet,
# and prints so if that does not answer.
audit: $(READY)
	@$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/python tools/audit.py requirements.lock

# Checks that Lighthouse gives four pages 100 on a phone. Needs npm, and a machine that is not busy.
LIGHTHOUSE := .lighthouse/node_modules/.bin/lighthouse
lighthouse: $(READY) $(LIGHTHOUSE)
	@chromium="$$(sh tests/browser/ensure_chromium.sh)" && \
	CHROMIUM="$$chromium" $(BIN)/python tools/lighthouse.py $(LIGHTHOUSE)

$(LIGHTHOUSE):
	npm install --prefix .lighthouse --no-save --no-audit --no-fund lighthouse@12.8.2

# Draws the pictures that messengers show beside a link: of all games and the app, or e.g. of
# NAME=fancy. Without NAME also the pictures in the README.
pictures: $(READY)
	@$(BIN)/python -m pip install --quiet pillow
	@chromium="$$(sh tests/browser/ensure_chromium.sh --shell)" && \
	CHROMIUM="$$chromium" $(BIN)/python tools/build_pictures.py $(NAME) && \
	{ [ -n "$(NAME)" ] || CHROMIUM="$$chromium" $(BIN)/python tools/build_perite_dispute.py; }

# requirements.lock is for development, with all supported Pythons: markers name the differences.
# deploy/requirements.lock is for a server, with the driver of PostgreSQL and without tools.
COMPILE = $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-package pip --no-annotate \
	--custom-compile-command 'make lock'
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --extra test --extra lint --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra fast --extra https --extra postgres --output-file deploy/requirements.lock \
		--constraint requirements.lock pyproject.toml

# Makes wheel and source in dist/, and beside them a list of a server's packages (CycloneDX).
dist: $(READY)
	@$(BIN)/python -m pip install --quiet build cyclonedx-bom
	$(BIN)/python -m build --outdir dist
	$(BIN)/cyclonedx-py requirements deploy/requirements.lock --pyproject pyproject.toml \
		--output-reproducible --output-file dist/referee.cdx.json

clean:
	rm -rf $(VENV) $(LOWEST) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find referee tests -name __pycache__ -prune -exec rm -rf {} +

# The compiled catalogues of the texts are not in git.
$(READY): $(INSTALLED) $(wildcard referee/translations/*/LC_MESSAGES/*.po)
	@$(BIN)/python -m tools.texts compile
	@touch $@

$(INSTALLED): pyproject.toml requirements.lock
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
