# `make demo` and `make test` are all a newcomer needs; each sets up its own .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(shell find native -name '*.?pp')

# For development in place: builds the kernels next to the sources with the interpreter PY.
PY ?= $(BIN)/python
.PHONY: native
native:
	cmake -S . -B build/dev -G Ninja -DPython_EXECUTABLE=$$(command -v $(PY)) -DCMAKE_LIBRARY_OUTPUT_DIRECTORY=$(CURDIR)/src/zermelo >/dev/null
	cmake --build build/dev
