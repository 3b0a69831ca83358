# make run    set up and start the box with its sample photographs
# make test   set up what the tests need, then every check
# make quick  in a minute: no browser, no goldens, no second scorer, no training, nothing slow
# make clean-room  as root: run and test on a Debian that has nothing of ours (ROOMS="bookworm trixie")
# make prove  the long proofs, SHARD=1/4 of them   make networks  the shipped networks again
# make real   libcamera, arm64 and systemd themselves, emulated (as root; tests/real/README.md)
# make release  in dist/: wheel, sdist, and the bundle for a Raspberry Pi, of what is committed (docs/release.md)
# make findings  what surprised us about other software: is it still so? (findings/README.md)
# make lowest  the tests with the oldest packages that pyproject.toml allows   make newest  with the newest
# make figures  counts of the tree, written into the documents that repeat them
# make bench  speed and memory   make cover  untested branches   make mutants  mutants
PYTHON ?= python3
BIN := .venv/bin
# What was compiled is kept: to do it again takes the tests ten seconds a process.
unexport PYTHONDONTWRITEBYTECODE

# The README's pictures, taken of the real page reading a sample photograph.
screens: .venv/.test .venv/.packages screenshots
	TONGBOX_SCREENS=tests/e2e/screens $(BIN)/pytest -q tests/e2e/test_real_reading.py
	for each in table-after settlement dispute dealt rule asked exercise-marked tournament player custom-ruleset custom-rule custom-hand; do \
		cp var/screenshots/phone-light/*[0-9]-$$each.png tests/e2e/screens/$$each.png; done
	cp var/screenshots/tablet-light/*[0-9]-board.png tests/e2e/screens/board.png

# The README's film of a deal: the tour's screens, one after the other.
film: .venv/.test .venv/.packages
	$(BIN)/python -m tests.e2e.film tests/e2e/screens/deal.webp

# Every screen, light and dark, on a phone and on a tablet, for whoever changes one to look at.
screenshots: .venv/.test .venv/.packages
	$(BIN)/python -m tests.e2e.screens var/screenshots

ROOMS ?= bookworm trixie

.PHONY: clean-room release release-key run test quick check lint types imports unit prove real screens film screenshots networks train crossval bench cover figures findings lowest newest mutants lock

run: .venv/.run
	$(BIN)/tongbox serve --demo

# Side by side: the system's packages and Python's, then mypy, which is one process, and the tests.
test:
	$(MAKE) --jobs=2 --no-print-directory check unit

quick: check .venv/.packages
	$(BIN)/pytest -m "not prove and not slow" -n auto --dist worksteal \
		--ignore=tests/e2e --ignore=tests/goldens --ignore=tests/scorer/oracle --ignore=tests/models

# Outside CI, as packages change by themselves. Old ones warn of what is gone in newer Pythons: not our fault.
OF_PACKAGES := --quiet --only-binary :all:
lowest: RESOLUTION := lowest-direct
newest: RESOLUTION := highest

lowest newest: .venv/.test .venv/.packages
	mkdir -p var
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python var/$@
	$(BIN)/uv pip compile $(OF_PACKAGES) --upgrade --resolution $(RESOLUTION) --python var/$@/bin/python --group run pyproject.toml -o var/$@.txt
	$(BIN)/uv pip install $(OF_PACKAGES) --python var/$@/bin/python -r var/$@.txt
	$(BIN)/uv pip install $(OF_PACKAGES) --python var/$@/bin/python --group dev -c var/$@.txt
	$(BIN)/uv pip install $(OF_PACKAGES) --python var/$@/bin/python --no-deps --no-build-isolation --no-binary tongbox -e .
	var/$@/bin/python -m pytest -W default -m "not prove and not slow" -n auto --dist worksteal --ignore=tests/e2e --ignore=tests/goldens --ignore=tests/models

check: lint types imports

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.test
	$(BIN)/mypy

imports: .venv/.test
	$(BIN)/lint-imports

# Two more at a time than there are cores: tests in a browser, and of a database, wait as much as they work. With one
# more, a tenth of the time goes by unused. Each collects the tests and starts browsers and a database of its own.
# In a fresh clone one process compiles the tests first, or each of the others would: nine seconds of processor each.
unit: .venv/.test .venv/.packages
	[ -d tests/__pycache__ ] || $(BIN)/pytest -m "not prove" --collect-only --quiet >/dev/null || true
	$(BIN)/pytest -m "not prove" -n $$(expr $$(nproc) + 2) --dist worksteal --durations=20

# Goes on where it was stopped: what has passed at this commit is in the record, with what it took and printed.
# SHARD=1/4: the first of four parts, which may be empty.   PART=spoiling: what has this in its name.
# Pytest's 5: there was no test.
NO_TEST = 5
IN_PARTS = $(BIN)/python -m pytest -p tests.record --shard $(or $(SHARD),1/1) $(if $(PART),-k "$(PART)")

prove: .venv/.test .venv/.packages
	$(IN_PARTS) --record var/proved.jsonl -m "prove and not alone" -n auto --maxschedchunk=1 --durations=20; \
		beside=$$?; [ $$beside = 0 ] || [ $$beside = $(NO_TEST) ] || exit $$beside; \
	$(IN_PARTS) --record var/proved.jsonl -m "prove and alone"; \
		alone=$$?; [ $$alone = $(NO_TEST) ] || exit $$alone; \
	[ $$beside = 0 ] || [ -n "$(SHARD)" ] || { echo 'No proof has "$(PART)" in its name.' >&2; exit 1; }

# Each part names the packages that it needs: see tests/real/README.md.
real: .venv/.test .venv/.packages
	$(IN_PARTS) --record var/real.jsonl tests/real/trials.py

# Of what is committed. It needs Debian's package mmdebstrap, and nothing of the virtual environment.
clean-room:
	$(PYTHON) -m tests.real.clean_room $(ROOMS)

# The same commit and key make the same bytes. Wheels are fetched once, by the locks' hashes, and kept in var/wheels.
release: .venv/.test
	$(BIN)/python -m deploy.release

# Where releases are signed: a box takes updates from the key alone that made what runs on it.
release-key: .venv/.test
	$(BIN)/python -m deploy.release.signing

# uv, itself from a lock, installs in a quarter of pip's time: all from locks with hashes; the project itself
# is then linked in without a look-up. Nothing is compiled on the way: programs compile the part that they import.
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python --only-binary :all:
.venv/.run: requirements.lock requirements-uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Tongbox needs Python 3.11 or newer; set PYTHON=python3.11, say.") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-uv.lock
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --no-binary tongbox -e .
	touch $@

.venv/.test: .venv/.run requirements-dev.lock tests/axe.lock
	$(INSTALL) --require-hashes -r requirements-dev.lock
	$(INSTALL) --require-hashes --no-deps -r tests/axe.lock
	touch $@

.venv/.packages: tests/install-packages
	tests/install-packages
	mkdir -p .venv
	touch $@

TRAIN := .venv-train/bin/python -m models.train

# The shipped networks again, from weights that the repository holds: see models/train/README.md.
networks: .venv-train/.ok
	$(TRAIN).pipeline

# And trained further on. Stopped, it goes on where it was; each stage is done once, and var/stages.jsonl keeps what it
# took. A trial of the whole way through in some minutes is `make train PAINTED=6 LARGE=3 SETS=4 STEPS=20` in a clone,
# for it writes over models/.
# TONGBOX_DATASETS=FOLDER:FOLDER make train: hands that players gave are learnt from, too (docs/dataset.md).
SCENES := var/tables var/large
PAINTED ?= 2000
LARGE ?= 700
SETS ?= 800
RECIPE = --painted $(PAINTED) --large $(LARGE) --sets $(SETS) $(if $(STEPS),--steps $(STEPS))

train: .venv-train/.ok
	$(TRAIN).pipeline --further $(RECIPE)

# Every photograph read once by networks that never saw its table.
crossval: .venv-train/.ok
	$(TRAIN).pipeline --further $(RECIPE) --until "drawn sets"
	$(TRAIN).crossval var --scenes $(SCENES)

.venv-train/.ok: requirements.lock requirements-dev.lock models/train/requirements.txt
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock -r requirements-dev.lock
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check -r models/train/requirements.txt
	touch $@

# How fast commands start, what memory the box takes, how fast scorer and reading are beside a peer; which
# branches of the scorer no test takes; which mutants survive.
bench: .venv/.measure
	$(BIN)/python -m tests.bench.start_time
	$(BIN)/python -m tests.bench.memory
	$(BIN)/python -m tests.bench.scorer
	$(BIN)/python -m tests.bench.last_version
	$(BIN)/python -m tests.bench.reading_time
	$(BIN)/python -m tests.bench.real_reading
	$(BIN)/python -m tests.bench.correction_time
	$(BIN)/python -m tests.bench.growth

cover: .venv/.measure
	rm -rf var/coverage
	mkdir -p var/coverage
	$(BIN)/coverage run -m pytest -q -m "not prove" -n auto --dist worksteal tests/scorer tests/test_doctests.py \
		tests/device/views tests/device/commands tests/device/rulesets tests/device/matches tests/device/web/tutor \
		tests/device/web/test_exercise_pages.py tests/device/web/test_custom_*.py tests/test_library.py \
		--ignore tests/device/commands/test_start.py # coverage itself loads what no command may
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --show-missing --skip-covered --fail-under=100

findings:
	@for script in findings/*.sh; do echo "== $$script"; bash $$script || changed="$$changed $$script"; done; \
		[ -z "$$changed" ] || { echo "Changed, or could not be run:$$changed"; exit 1; }

figures: .venv/.test
	$(BIN)/python -m tests.figures

mutants: .venv/.measure
	tests/mutants

.venv/.measure: .venv/.test .venv/.packages requirements-measure.lock
	$(INSTALL) --require-hashes --no-deps -r requirements-measure.lock
	touch $@

# yattag comes as source alone, and nothing is built here; only cosmic-ray's web report needs it.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group run pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group dev pyproject.toml -c requirements.lock -o requirements-dev.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group measure --no-emit-package yattag pyproject.toml -c requirements-dev.lock -o requirements-measure.lock
	echo opencv-python-headless==4.11.0.86 | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-deps - -o deploy/bookworm.lock
	echo uv==0.13.9 | uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-deps - -o requirements-uv.lock
