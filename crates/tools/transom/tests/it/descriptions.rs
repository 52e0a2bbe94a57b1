//! What the gateway's OpenAPI descriptions say, held against what it does, by schemathesis.
//!
//! It sends what a description promises and what it forbids, to the sample and to IBM's archives
//! over stub programs, with `strict` on and off. `scripts/schemathesis` installs it; `EXAMPLES` is
//! the number of cases.

use crate::harness::{Running, copy_of, fixtures, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cases per operation and phase when nothing else is said.
const EXAMPLES: &str = "8";

/// The executable; `None`: it is not there.
fn schemathesis() -> Option<PathBuf> {
    let named = std::env::var_os("SCHEMATHESIS").map(PathBuf::from);
    let installed = root().join("target/schemathesis/bin/st");
    for program in named.into_iter().chain([installed]) {
        let version = Command::new(&program).arg("--version").output();
        if version.is_ok_and(|told| told.status.success()) {
            return Some(program);
        }
    }
    println!("skipped: schemathesis is missing (scripts/schemathesis installs it)");
    None
}

fn strict(dir: &Path, on: bool) {
    let file = dir.join("transom.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let gateway = format!("[gateway]\nstrict = {on}\n");
    let text = match text.contains("[gateway]") {
        true => text.replace("[gateway]\n", &gateway),
        false => format!("{text}\n{gateway}"),
    };
    std::fs::write(file, text).unwrap();
}

/// IBM's own documents say what a client should send, not all that is taken, and nothing of what
/// makes a body useless: only the replies are compared.
const REPLIES: &str = "not_a_server_error,status_code_conformance,content_type_conformance";

/// Tests the APIs by one of their documents.
fn holds(st: &Path, server: &Running, apis: &[&str], (document, checks): (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    for api in apis {
        let url = format!("http://127.0.0.1:{}/{api}", server.port);
        let examples = std::env::var("EXAMPLES").unwrap_or_else(|_| EXAMPLES.to_owned());
        let told = Command::new(st)
            .current_dir(folder.path())
            .args(["run", &format!("{url}/{document}"), "--url", &url])
            .args(["--checks", checks, "--max-examples", &examples])
            .args([
                "--phases",
                "examples,coverage,fuzzing",
                "--generation-deterministic",
            ])
            .args(["--no-color", "--suppress-health-check", "all"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&told.stdout);
        let error = String::from_utf8_lossy(&told.stderr);
        assert!(told.status.success(), "{api}/{document}:\n{text}{error}");
        let count = text.lines().find(|line| line.contains("generated"));
        println!("{api}/{document}: {}", count.unwrap_or_default().trim());
    }
}

#[test]
fn the_gateway_does_what_the_descriptions_of_the_sample_say() {
    let Some(st) = schemathesis() else { return };
    for on in [false, true] {
        let (_folder, dir) = copy_of(&root().join("samples/gateway"));
        strict(&dir, on);
        let server = Running::start(&dir);
        let apis = ["comm1k", "comm4k", "comm8k", "comm16k"];
        holds(&st, &server, &apis, ("openapi", "all"));
        assert!(server.stop());
    }
}

#[test]
fn the_gateway_does_what_the_descriptions_of_ibms_archives_say() {
    let (Some(st), Some(archives)) = (schemathesis(), fixtures("zosconnect")) else {
        return;
    };
    for on in [false, true] {
        let (_folder, dir) = copy_of(&root().join("crates/tools/transom/tests/data/bank"));
        strict(&dir, on);
        let server = Running::start(&dir);
        let all = ["CSaccenq.sar", "CScustacc.sar", "CSacccre.sar"].map(|sar| ("services", sar));
        let apis = ["inqaccz", "inqacccz", "creacc"];
        let aars = apis.map(|api| ("apis", format!("{api}.aar")));
        let all = all.map(|(kind, sar)| (kind, sar.to_owned()));
        for (kind, file) in all.into_iter().chain(aars) {
            let archive = std::fs::read(archives.join(&file)).unwrap();
            let path = format!("/zosConnect/{kind}");
            let zip = [("content-type", "application/zip")];
            let (status, body) = server.request_with("POST", &path, &zip, &archive);
            assert_eq!(status, 201, "{file}: {body}");
        }
        holds(&st, &server, &apis, ("openapi", "all"));
        holds(&st, &server, &apis, ("api-docs", REPLIES));
        assert!(server.stop());
    }
}
