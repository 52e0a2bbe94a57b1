//! Builds the C side of file statements.

fn main() {
    println!("cargo:rerun-if-changed=edge");
    println!("cargo:rerun-if-changed=../workers/edge");
    let built = cc::Build::new()
        .files(["edge/accept.c", "edge/files.c", "edge/sorts.c"])
        .include("../workers/edge")
        .warnings(true)
        .flag("-fno-omit-frame-pointer")
        .opt_level(2)
        .try_compile("txmfiles");
    if let Err(error) = built {
        eprintln!("{error}");
        eprintln!("File statements need the headers of GnuCOBOL 3 (Debian package gnucobol3).");
        #[expect(clippy::disallowed_methods, reason = "no build without the edge")]
        std::process::exit(1);
    }
}
