//! COBOL modules and libcob find the run time in this executable, so its entry points must be in
//! the dynamic symbol table.

fn main() {
    let list = "../../region/workers/edge/exported.txt";
    println!("cargo:rerun-if-changed={list}");
    for symbol in include_str!("../../region/workers/edge/exported.txt").lines() {
        println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic-symbol={symbol}");
    }
}
