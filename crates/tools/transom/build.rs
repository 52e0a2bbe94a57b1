//! COBOL modules and libcob find the run time in this executable, so its entry points must be in
//! the dynamic symbol table.

fn main() {
    println!("cargo:rerun-if-changed=../../region/workers/edge/exported.txt");
    println!("cargo:rerun-if-changed=../../region/batch/edge/exported.txt");
    println!("cargo:rerun-if-changed=../../region/cobol/edge/exported.txt");
    let lists = [
        include_str!("../../region/workers/edge/exported.txt"),
        include_str!("../../region/batch/edge/exported.txt"),
        include_str!("../../region/cobol/edge/exported.txt"),
    ];
    for symbol in lists.iter().flat_map(|list| list.lines()) {
        println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic-symbol={symbol}");
    }
}
