# `make demo` and `make test` are all a newcomer needs; each sets up its own .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL_COMPILED := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := $(INSTALL_COMPILED) --no-compile
CXX_FILES := $(shell find native checker -name '*.?pp')
NATIVE := CMakeLists.txt pyproject.toml $(CXX_FILES)
WORKERS ?= 2

.PHONY: help setup demo test test-bridges test-web load-web trial page-picture proof connect-four lint format stubs bench suite reproduce arena-ray arena-kills fuzz mutants sanitize sanitize-python sanitize-threads docs gallery native clean
help:
	@echo "make demo      set up, then solve a real game and show the checked answer"
	@echo "make test      set up, then run the tests"
	@echo "make test-web  the tests of the web page in a browser: installs Playwright, TypeScript and (as root) Chromium"
	@echo "make load-web  100 clients for a minute while two solves run, and 10,000 malformed requests"
	@echo "make trial     from a clone to a won game on the page, as README says, with a clock"
	@echo "make lint      ruff, clang-format, mypy --strict"
	@echo "make stubs     write the types of the compiled kernels (src/zermelo/_native.pyi) anew"
	@echo "make gallery   draw every target of the library and the examples on one page"
	@echo "make bench     measure against OpenSpiel and easyAI in one run"
	@echo "make arena-ray run a small plan on a Ray cluster of two processes on this machine, and one on a cluster that loses workers"
	@echo "make arena-kills kill such a run 50 times (kill -9), resume it and compare the results"
	@echo "make fuzz      long random comparison of engines, checkers and parsers (FUZZ='--seconds 60 --seed 1 cli')"
	@echo "               what fails is kept in build/fuzz; FUZZ='replay build/fuzz/NAME.json' runs it again"
	@echo "make mutants   change the checker in one place after the other and see that a test notices (MUTANTS='FILE ...')"
	@echo "make proof     prove in Coq why layers prove a claim, and check a certificate by what is proved (Debian's coq)"
	@echo "make connect-four solve Connect Four, write its certificate and check it: about three minutes and 4 GB"
	@echo "make sanitize  build and run the native tests, with the address and undefined-behaviour sanitizers;"
	@echo "               make test leaves them out, since they take minutes to compile"
	@echo "make sanitize-python run Python tests of every native module with the same sanitizers (about a quarter of an hour)"
	@echo "make sanitize-threads run whatever has threads with the thread sanitizer"
	@echo "make reproduce play the paper's fifteen games (about 25 minutes on two processors) and write docs/results.md"
	@echo "make docs      build the documentation site"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The build tools come as wheels.
$(VENV)/.tools: pyproject.toml | $(BIN)/python
	$(INSTALL) scikit-build-core "nanobind>=3.1,<4" cmake ninja
	@touch $@

# Versions of pip before 25.1 do not read dependency groups.
$(VENV)/.pip: | $(BIN)/python
	$(INSTALL) --upgrade "pip>=25.1"
	@touch $@

# What the package depends on is installed while its kernels are compiled, with byte code: a first start that has to
# compile what it imports takes a second.
$(VENV)/.package: $(VENV)/.tools $(NATIVE)
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
		> $(VENV)/dependencies.txt
	( $(INSTALL_COMPILED) --requirement $(VENV)/dependencies.txt && $(BIN)/python -m compileall -q src/zermelo ) & dependencies=$$!; \
	$(INSTALL_COMPILED) --no-build-isolation --no-deps --editable .; built=$$?; \
	wait $$dependencies && exit $$built
	@touch $@

$(VENV)/.%: $(VENV)/.pip pyproject.toml
	$(INSTALL) --group $*
	@touch $@

setup: $(VENV)/.package

demo: setup
	$(BIN)/zermelo solve mnk:4,3,3
	@echo
	$(BIN)/zermelo solve connect:4,4,4 --certificate build/connect.json
	$(BIN)/zermelo check connect:4,4,4 build/connect.json
	@echo
	@echo "Play it yourself:  $(BIN)/zermelo play tictactoe, or in a browser:  $(BIN)/zermelo serve"

# TESTS are further words for pytest, as folders.
test: setup $(VENV)/.test
	@$(BIN)/python -m tests.web.browsing
	$(BIN)/python -m pytest -n $(WORKERS) $(TESTS)

# Our games in other packages, and theirs here: with the real packages, which are large.
test-bridges: setup $(VENV)/.test $(VENV)/.bridges
	$(BIN)/python -m pytest tests/games/test_open_spiel.py tests/games/test_pettingzoo.py tests/games/test_gambit_package.py -rs

# What the tests of the page need beside Python: a browser, which only root can install, and TypeScript. Where one of
# them cannot be had its tests are skipped, each with a line that says so.
$(VENV)/.typescript: tests/web/package.json | $(BIN)/python
	@if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --no-package-lock --prefix tests/web \
			|| echo "make test-web: TypeScript could not be installed"; \
	else echo "make test-web: no npm, so the types of the page's scripts are not checked"; fi
	@touch $@

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
			|| echo "make test-web: Chromium could not be installed"; \
	else echo "make test-web: no Chromium, and no leave to install it"; fi

test-web: setup $(VENV)/.test $(VENV)/.web-test $(VENV)/.typescript chromium
	$(BIN)/python -m pytest tests/web -n $(WORKERS) -rs

load-web: setup $(VENV)/.test
	$(BIN)/python -m tests.web.load --clients 100 --seconds 60
	$(BIN)/python -m tests.web.hostile --requests 10000

# From a clone to a won game on the page, as README says.
trial: setup $(VENV)/.test $(VENV)/.web-test chromium
	rm -rf build/trial
	$(BIN)/python -m tests.web.trial build/trial

# The screenshot in README.
page-picture: setup $(VENV)/.test $(VENV)/.web-test chromium
	$(BIN)/python -m tests.web.screenshot docs/pictures/page.png

lint: setup $(VENV)/.test $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)
	$(BIN)/mypy

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

# The types of the compiled kernels, for mypy and editors; a test sees that the file is what this writes.
stubs: setup
	$(BIN)/python -m nanobind.stubgen --quiet --module zermelo._native --pattern-file native/bindings/_native.pat \
		--output-file src/zermelo/_native.pyi

bench: setup $(VENV)/.bench $(VENV)/peers/python-constraint
	$(BIN)/python -m benchmarks

# Apart, since its successor python-constraint2 has the same name to import.
$(VENV)/peers/python-constraint: | $(BIN)/python
	$(INSTALL) --target $@ python-constraint==1.4.0

# What has been played is kept: after an interruption the same command goes on. PART=full is the whole of it.
PLAN ?= plans/reproduce.toml
PAGE ?= docs/results.md
reproduce: setup
	$(BIN)/zermelo arena run $(PLAN) --part "$(PART)" --workers $(WORKERS)
	$(BIN)/python -m zermelo.arena.reproduce $(PLAN) --part "$(PART)" -o $(PAGE)

# The extra of the package, without building it again.
$(VENV)/.ray: pyproject.toml $(VENV)/.package
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["ray"], sep="\n")' \
		> $(VENV)/ray.txt
	$(INSTALL) --requirement $(VENV)/ray.txt
	@touch $@

arena-ray: setup $(VENV)/.ray
	@mkdir -p build && rm -f build/arena-ray.sqlite*
	$(BIN)/zermelo arena run examples/cup.toml --store build/arena-ray.sqlite --on ray --workers 2
	$(BIN)/zermelo arena report examples/cup.toml --store build/arena-ray.sqlite -o build/arena-ray
	$(BIN)/python -m tests.arena.on_ray

arena-kills: setup $(VENV)/.test
	$(BIN)/python -m tests.arena.kills --kills 50

# What was asked before is kept in build/suite.jsonl; SUITE='--only WORD' asks about a part.
suite: setup
	$(BIN)/python -m benchmarks.suite --page docs/suite.md $(SUITE)

fuzz: setup $(VENV)/.test
	$(BIN)/python -m tests.fuzz $(FUZZ)

mutants: setup $(VENV)/.test
	$(BIN)/python -m tests.mutants --workers $(WORKERS) $(MUTANTS)

# The native tests that start threads.
THREADED := test_forest test_gdl_bulk test_gdl_single test_ongoing_search
sanitize: $(VENV)/.tools
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DZERMELO_PYTHON=OFF \
		-DZERMELO_NATIVE_TESTS=ON -DZERMELO_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug >/dev/null
	$(BIN)/cmake --build build/sanitize
	cd build/sanitize && $(CURDIR)/$(BIN)/ctest --output-on-failure

# What the kernels do when Python calls them: the extension is instrumented, the interpreter is not.
sanitize-python: setup $(VENV)/.test
	$(BIN)/cmake -S . -B build/sanitize-python -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
		-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DZERMELO_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug >/dev/null
	$(BIN)/cmake --build build/sanitize-python
	$(BIN)/python -m tests.sanitize addresses build/sanitize-python/_native.abi3.so

sanitize-threads: setup $(VENV)/.test
	$(BIN)/cmake -S . -B build/sanitize-threads -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
		-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -DZERMELO_SANITIZE=THREADS -DZERMELO_NATIVE_TESTS=ON \
		-DCMAKE_BUILD_TYPE=Debug >/dev/null
	$(BIN)/cmake --build build/sanitize-threads --target _native $(THREADED)
	cd build/sanitize-threads && for test in $(THREADED); do setarch -R ./$$test || exit 1; done
	$(BIN)/python -m tests.sanitize threads build/sanitize-threads/_native.abi3.so

# The rule by which layers prove a claim, proved; the checker that Coq makes of it reads real certificates. In folders
# of its own, since coqc leaves files beside its sources.
PROOF := build/proof
proof: setup
	@command -v coqc >/dev/null && command -v ocamlfind >/dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends coq >/dev/null; \
	else echo "make proof: no coqc and ocamlfind, and no leave to install Debian's package coq"; exit 1; fi
	@mkdir -p $(PROOF) && cp proof/*.v proof/main.ml $(PROOF)
	cd $(PROOF) && for file in Layers Rows Extract; do coqc -q -Q . Zermelo $$file.v || exit 1; done
	cd $(PROOF) && ocamlfind ocamlopt -w -a checked.mli checked.ml main.ml -o layers-proved
	for game in connect:4,4,4 connect:4,5,4 mnk:4,3,3; do \
		$(BIN)/zermelo solve $$game --engine alphabeta --quiet --certificate $(PROOF)/brief.zc >/dev/null && \
		$(BIN)/zermelo certificate export $(PROOF)/brief.zc -o $(PROOF)/proof.zc && \
		$(PROOF)/layers-proved $(PROOF)/proof.zc || exit 1; done

connect-four: setup
	@mkdir -p build
	$(BIN)/python -m benchmarks.proof --memory 4096 --no-python --keep build connect:6,7,4
	$(BIN)/zermelo certificate info build/connect-6-7-4.zc
	$(BIN)/zermelo-check build/connect-6-7-4.zc connect:6,7,4
	sha256sum build/connect-6-7-4.zc

# Never with --quiet: it hides warnings also from --strict, which then lets broken links pass. The variable spares us a
# message of the theme's authors.
docs: setup $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir site

# A contact sheet of all pictures: site/gallery/index.html.
gallery: setup
	$(BIN)/python docs/gallery.py -o site/gallery

# For development in place: builds the kernels next to the sources with the interpreter PY.
PY ?= $(BIN)/python
native:
	cmake -S . -B build/dev -G Ninja -DPython_EXECUTABLE=$$(command -v $(PY)) -DCMAKE_LIBRARY_OUTPUT_DIRECTORY=$(CURDIR)/src/zermelo >/dev/null
	cmake --build build/dev

clean:
	rm -rf $(VENV) build site
