//! Builds the C of statements and functions.

fn main() {
    println!("cargo:rerun-if-changed=edge");
    println!("cargo:rerun-if-changed=../workers/edge");
    let built = cc::Build::new()
        .files(
            ["collating", "display", "replaced", "start", "unstring"]
                .map(|name| format!("edge/{name}.c")),
        )
        .include("../workers/edge")
        .warnings(true)
        .flag("-fno-omit-frame-pointer")
        .opt_level(2)
        .try_compile("txmcobol");
    if let Err(error) = built {
        eprintln!("{error}");
        eprintln!("Statements of COBOL need the headers of GnuCOBOL 3 (Debian package gnucobol3).");
        #[expect(clippy::disallowed_methods, reason = "no build without the edge")]
        std::process::exit(1);
    }
}
