# The commands of the README. Everything else is `transom --help` and `cargo xtask`.

.DEFAULT_GOAL := help
NAME ?= gateway
TRANSOM := target/release/transom
export CARGO_TERM_COLOR ?= auto

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

.PHONY: run
run: ## Install what is missing, build, and serve two samples (http://localhost:2222 and :2224)
	@scripts/setup run
	@scripts/build
	@TRANSOM=$(TRANSOM) exec scripts/run

.PHONY: test
test: ## Install what is missing and run every test
	@scripts/setup test
	@scripts/test

.PHONY: check
check: ## Format, lint, structure, house rules, licences, generated pages fresh
	@cargo fmt --all --check
	@cargo clippy --workspace --all-targets -q -- -D warnings
	@cargo xtask graph
	@cargo xtask tidy
	@cargo xtask docs --check
	@cargo xtask deny

.PHONY: docs
docs: ## Write the generated reference pages again
	@cargo xtask docs

.PHONY: bench
bench: ## Run one bench: make bench NAME=gateway [QUICK=1]
	@scripts/setup bench
	@test -x bench/$(NAME)/run || { echo "no bench '$(NAME)'; there are: $$(ls bench)"; exit 2; }
	@bench/$(NAME)/run

.PHONY: fuzz
fuzz: ## Run every fuzz target for 60 seconds each (SECONDS_EACH=n)
	@scripts/fuzz

.PHONY: torture
torture: ## Kill, cut power, fail disks, damage files; nothing may be lost (SHARE=1 for two minutes, SEED=n)
	@scripts/setup test
	@cargo build -q -p transom
	@cargo run -q -p transom-testkit --features failpoints --bin torture -- $(if $(SHARE),--share) $(if $(SEED),--seed $(SEED))

.PHONY: build
build: ## Build the executable
	@scripts/setup run
	@scripts/build

.PHONY: package
package: ## Build a Debian package in target/package
	@scripts/setup run
	@scripts/package

.PHONY: package-try
package-try: ## Install, upgrade and remove the package in a clean Debian (root, mmdebstrap, systemd-container)
	@scripts/setup run
	@scripts/package-try

.PHONY: image
image: ## Build a container image from the package (podman, buildah or docker)
	@scripts/image
