# Two commands do everything on a fresh Debian or Ubuntu machine with a Swift toolchain, and on macOS:
#
#     make run     install what is missing, build a release, analyse a sample
#     make test    install what is missing, run every test

SWIFT ?= swift
SWIFTFLAGS ?=
SAMPLE ?= Samples/polar-h7.btsnoop
PREFIX ?= /usr/local

# Homebrew keeps its libarchive apart from the one that macOS has without headers.
ifeq ($(shell uname),Darwin)
export PKG_CONFIG_PATH := $(PKG_CONFIG_PATH):/opt/homebrew/opt/libarchive/lib/pkgconfig:/usr/local/opt/libarchive/lib/pkgconfig
endif

.PHONY: run test test-live build lint fuzz bench install clean setup setup-tests

run: build
	.build/release/hrsnoop $(SAMPLE)

build: setup
	$(SWIFT) build -c release --static-swift-stdlib --product hrsnoop $(SWIFTFLAGS)

test: setup-tests
	$(SWIFT) test $(SWIFTFLAGS)

# In a virtual machine with a Bluetooth connection of its own: see Tests/LiveMachine/run.
test-live: build
	Tests/LiveMachine/run

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Fuzz/Package.swift $(wildcard Fuzz/Sources/Fuzz*)

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 .build/release/hrsnoop $(DESTDIR)$(PREFIX)/bin/hrsnoop

fuzz:
	Fuzz/run

bench: build
	Benchmarks/run

clean:
	$(SWIFT) package clean

setup:
	@Scripts/install-packages build

setup-tests:
	@Scripts/install-packages build tests
