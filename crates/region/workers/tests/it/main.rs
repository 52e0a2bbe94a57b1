//! The plumbing end to end: a region, a zygote and workers that run COBOL.
//!
//! This executable is its own zygote, so it has its own `main` and runs its tests one by one.

mod cobol;
mod commands;
mod support;

mod checks;
mod levels;
mod robust;
mod tasks;

use std::time::Instant;

fn main() {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if args.first().is_some_and(|a| a == "cobol-zygote") {
        #[expect(
            clippy::disallowed_methods,
            reason = "the zygote is a process of its own"
        )]
        std::process::exit(transom_workers::zygote_main(&args[1..], commands::make));
    }
    if args.first().is_some_and(|a| a == "region-to-be-killed") {
        robust::region_to_be_killed();
    }
    if args
        .first()
        .is_some_and(|a| a == "region-with-stray-stores")
    {
        let at = args.get(1).and_then(|a| a.to_str()).unwrap_or_default();
        robust::region_with_stray_stores(at);
    }
    let exact = args.iter().any(|a| a == "--exact");
    let filters: Vec<&str> = args
        .iter()
        .filter_map(|a| a.to_str())
        .filter(|a| !a.starts_with('-'))
        .collect();
    let is_asked = |name: &str| {
        let fits = |f: &&str| if exact { name == *f } else { name.contains(*f) };
        filters.is_empty() || filters.iter().any(fits)
    };
    let tests: Vec<(&str, fn())> =
        [levels::TESTS, checks::TESTS, tasks::TESTS, robust::TESTS].concat();
    if args.iter().any(|a| a == "--list") {
        tests.iter().for_each(|(name, _)| println!("{name}: test"));
        return;
    }
    if !cobol::available() {
        transom_needed::skipped(format_args!("{} tests, cobc is not installed", tests.len()));
        return;
    }
    let mut failed = Vec::new();
    let tests: Vec<_> = tests
        .into_iter()
        .filter(|(name, _)| is_asked(name))
        .collect();
    for (name, test) in &tests {
        let start = Instant::now();
        let good = std::panic::catch_unwind(test).is_ok();
        let verdict = if good { "ok" } else { "FAILED" };
        println!(
            "test {name} ... {verdict} ({:.2} s)",
            start.elapsed().as_secs_f64()
        );
        if !good {
            failed.push(*name);
        }
    }
    // As other test programs say it: what failed is run once more by these lines.
    let passed = tests.len() - failed.len();
    if failed.is_empty() {
        println!("test result: ok. {passed} passed; 0 failed");
    } else {
        println!("failures:\n    {}", failed.join("\n    "));
        println!(
            "\ntest result: FAILED. {passed} passed; {} failed;",
            failed.len()
        );
        #[expect(clippy::disallowed_methods, reason = "this main runs the tests itself")]
        std::process::exit(101);
    }
}
