# Two commands do everything on a fresh Debian or Ubuntu machine with a Swift toolchain, and on macOS:
#
#     make run     install what is missing, build a release, analyse a sample
#     make test    install what is missing, run every test

SWIFT ?= swift
SWIFTFLAGS ?=
SAMPLE ?= Samples/polar-h7.btsnoop
PREFIX ?= /usr/local

# Without the first, starting takes half as long again: which type conforms to what would be looked up by name. The second
# is worth three per cent. Frame pointers, which only profilers follow, cost two; macOS asks for them.
RELEASE = -c release \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  -Xswiftc -Xllvm -Xswiftc -inline-threshold=600

ifneq ($(shell uname),Darwin)
# A release needs no dynamic library of Swift's. macOS has them, and none that could be linked in.
RELEASE += --static-swift-stdlib --omit-frame-pointers
else
# Homebrew keeps its libarchive apart from the one that macOS has without headers.
export PKG_CONFIG_PATH := $(PKG_CONFIG_PATH):/opt/homebrew/opt/libarchive/lib/pkgconfig:/usr/local/opt/libarchive/lib/pkgconfig
endif

.PHONY: run test test-live build lint fuzz bench install permit clean setup setup-tests

run: build
	.build/release/hrsnoop $(SAMPLE)

build: setup
	$(SWIFT) build $(RELEASE) --product hrsnoop $(SWIFTFLAGS)
	$(SWIFT) build $(RELEASE) --product hrsnoop-capture $(SWIFTFLAGS)

test: setup-tests
	$(SWIFT) test $(SWIFTFLAGS)

# In a virtual machine with a Bluetooth connection of its own: see Tests/LiveMachine/run.
test-live: build
	Tests/LiveMachine/run

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Fuzz/Package.swift $(wildcard Fuzz/Sources/Fuzz*)

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 .build/release/hrsnoop .build/release/hrsnoop-capture $(DESTDIR)$(PREFIX)/bin
	@[ "$$(uname)" != Linux ] || echo "For 'hrsnoop live' without root, give the capture program its right:  make permit"

# Whoever may run the capture program may then see what goes over this computer's Bluetooth.
permit:
	setcap cap_net_raw+ep $(DESTDIR)$(PREFIX)/bin/hrsnoop-capture

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
