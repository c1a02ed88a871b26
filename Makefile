# The two that matter: make demo, make test. `make help` lists them all.
PREFIX ?= /usr/local
RELEASE := .build/release
export PHOTOS

.PHONY: demo test build setup bench soak-warm format install clean help
.DEFAULT_GOAL := help

demo: build ## the main job end to end on loopback; PHOTOS=dir takes your own pictures
	@$(RELEASE)/rcache demo $${PHOTOS:+--photos "$$PHOTOS"}

test: setup ## every check and every test
	@Scripts/check

build: setup ## rcache and rcache-render, optimised, Swift's run time linked in
	@Scripts/swift build -c release --static-swift-stdlib

setup: ## install the Debian packages that are missing
	@Scripts/setup

bench: build ## hits, renders and warming a second on this machine, under a minute
	@$(RELEASE)/rcache bench

soak-warm: setup ## 10,000 pictures from a faulty CMS, killed ten times; a few minutes
	@RCACHE_SOAK_PICTURES=$${PICTURES:-10000} RCACHE_SOAK_KILLS=$${KILLS:-10} \
	    Scripts/swift test --filter FaultyWarmTests

format: ## format the Swift sources
	@Scripts/swift format format --in-place --recursive Package.swift Sources Tests

install: build ## both programs into PREFIX/bin (PREFIX=/usr/local)
	install -D -m 755 $(RELEASE)/rcache $(DESTDIR)$(PREFIX)/bin/rcache
	install -D -m 755 $(RELEASE)/rcache-render $(DESTDIR)$(PREFIX)/bin/rcache-render

clean: ## remove what was built; the cache stays
	rm -rf .build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r target text; do \
	    printf '  make %-9s %s\n' "$$target" "$$text"; done
