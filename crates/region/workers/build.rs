//! Builds the C edge and gives the tests of this crate the symbols COBOL modules need.

fn main() {
    println!("cargo:rerun-if-changed=edge");
    let built = cc::Build::new()
        .files(
            [
                "decimals",
                "edited",
                "fields",
                "floating",
                "functions",
                "intermediate",
                "level",
                "place",
                "random",
                "routines",
                "runtime",
                "scaled",
                "services",
                "storage",
                "text",
                "zoned",
            ]
            .map(|name| format!("edge/{name}.c")),
        )
        .warnings(true)
        .flag("-fno-omit-frame-pointer")
        .opt_level(2)
        .try_compile("txmedge");
    if let Err(error) = built {
        eprintln!("{error}");
        eprintln!("The COBOL edge needs the headers of GnuCOBOL 3 (Debian package gnucobol3).");
        #[expect(clippy::disallowed_methods, reason = "no build without the edge")]
        std::process::exit(1);
    }
    for symbol in include_str!("edge/exported.txt").lines() {
        println!("cargo:rustc-link-arg-tests=-Wl,--export-dynamic-symbol={symbol}");
        println!("cargo:rustc-link-arg-examples=-Wl,--export-dynamic-symbol={symbol}");
    }
}
