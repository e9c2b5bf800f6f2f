# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Everyday commands; CMakePresets.json has the builds behind them, .ci/run calls the same scripts.
PREFIX ?= /usr/local
CTEST = ctest -j2 --output-on-failure --no-tests=error --test-dir build/test
SINEW = build/release/sinew

.PHONY: all demo test test-long deps deps-build deps-all bench format check clean install help

all: build/release/build.ninja
	cmake --build --preset release

help:
	@echo 'make            build $(SINEW), libsinew.a and libsinew.so'
	@echo 'make demo       simulate the built-in starfish into demo/'
	@echo 'make test       quick and full tests'
	@echo 'make test-long  every test, and ten minutes of fuzzing'
	@echo 'make deps       install what building and testing need (deps-all: also what CI needs)'
	@echo 'make bench      benchmarks, as a table and in build/bench.json'
	@echo 'make format     format the C files in place'
	@echo 'make check      the style checks of CI'
	@echo 'make install    install below PREFIX ($(PREFIX))'
	@echo 'make clean      remove build/ and demo/'

# cmake watches its own files once this one exists
build/%/build.ninja:
	cmake --preset $*

# Dependencies first, also under make -j, hence the second call of make. Where nothing can be drawn
# the tool says what is missing, and the GLB is there.
demo: deps-build
	$(MAKE) all
	mkdir -p demo
	$(SINEW) run starfish_fall -o demo/starfish.glb
	-$(SINEW) render starfish_fall -o demo/starfish.mp4 --camera follow
	-$(SINEW) render starfish_fall -o demo/starfish.png --camera follow

test: deps
	$(MAKE) build/test/build.ninja
	cmake --build --preset test
	$(CTEST) -L 'quick|full'

test-long:
	scripts/deps.sh long
	$(MAKE) build/test/build.ninja
	cmake --build --preset test
	$(CTEST)
	scripts/fuzz.sh 600

deps-build:
	scripts/deps.sh build

deps:
	scripts/deps.sh minimal

deps-all:
	scripts/deps.sh all

# the table goes to stderr, the JSON to the file
bench: all
	$(SINEW) bench --json > build/bench.json

format:
	scripts/format.sh --write

check:
	scripts/check.sh

clean:
	rm -rf build demo

install: all
	cmake --install build/release --prefix '$(PREFIX)'
