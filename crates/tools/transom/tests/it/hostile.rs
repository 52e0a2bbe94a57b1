//! What a hostile or careless user sends: programs, decks, archives and requests that are wrong.
//!
//! Each reply names what is wrong and where; nothing is half-deployed and the server serves on.

use crate::harness::{EXE, Running, copy_of, fixtures, root, transom};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A program with one more line of storage (line 6) and of procedure (line 8).
fn program(name: &str, storage: &str, procedure: &str) -> String {
    format!(
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. {name}.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-A PIC X(8).
       {storage}
       PROCEDURE DIVISION.
           {procedure}
           EXEC CICS RETURN END-EXEC.\n"
    )
}

const ITEM: &str = "01  WS-B PIC X.";

#[test]
fn every_error_of_a_program_names_file_line_and_column() {
    let cases = [
        (ITEM, "MOVE 1 TO WS-UNDEF.", "8:22: TXMTR0040E 'WS-UNDEF'"),
        (
            ITEM,
            "EXEC CICS LNK PROGRAM('X') END-EXEC.",
            "8:12: TXMTR0012E",
        ),
        (
            ITEM,
            "EXEC CICS LINK PROGRAM('X') NOPTION(1) END-EXEC.",
            "8:40: TXMTR0013E NOPTION",
        ),
        (ITEM, "EXEC CICS LINK PROGRAM('X'", "8:12: TXMTR0010E"),
        (
            ITEM,
            "EXEC CICS LINK END-EXEC.",
            "8:12: TXMTR0021E LINK: option PROGRAM",
        ),
        (ITEM, "IF WS-A = 'X' ELSE ELSE END-IF.", "8"),
        (
            "COPY NOSUCH.",
            "CONTINUE.",
            "6:8: TXMTR0002E copybook NOSUCH",
        ),
        (ITEM, "MOVE 'UNTERMINATED TO WS-A.", "8:17: TXMTR0001E"),
        ("01  WS-P PIC X(0).", "CONTINUE.", "6"),
        ("01  WS-P PIC Q(4).", "CONTINUE.", "6:21: TXMTR0040E"),
        (
            ITEM,
            "PERFORM NO-SUCH-PARA.",
            "8:20: TXMTR0040E 'NO-SUCH-PARA'",
        ),
        (
            ITEM,
            "MOVE DFHRESP(NOSUCH) TO WS-A.",
            "8:25: TXMTR0016E NOSUCH",
        ),
        (
            ITEM,
            "MOVE DFHVALUE(NOSUCH) TO WS-A.",
            "8:26: TXMTR0016E NOSUCH",
        ),
        (
            "COPY LOOPS.",
            "CONTINUE.",
            "copy/LOOPS.cpy:1:12: TXMTR0005E copybook LOOPS",
        ),
        (
            ITEM,
            "EXEC CICS HANDLE CONDITION NOCOND(P) END-EXEC.",
            "8:39: TXMTR0013E NOCOND",
        ),
        (
            ITEM,
            "EXEC CICS ASKTIME ABSTIME(WS-T) END-EXEC.",
            "8:38: TXMTR0040E 'WS-T'",
        ),
        ("COPY BROKEN.", "CONTINUE.", "copy/BROKEN.cpy:2"),
        (
            ITEM,
            "EXEC CICS HANDLE ABEND LABEL(NO-LABEL) END-EXEC.",
            "8:41: TXMTR0040E 'NO-LABEL'",
        ),
        (
            ITEM,
            "EXEC CICS WRITEQ TS QUEUE(WS-A) FROM(WS-A) ITM(1) END-EXEC.",
            "8:55: TXMTR0013E ITM",
        ),
        (
            "COPY ONE REPLACING ==A== BY .",
            "CONTINUE.",
            "6:27: TXMTR0004E",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    for part in ["cobol", "copy"] {
        std::fs::create_dir(dir.join(part)).unwrap();
    }
    std::fs::write(dir.join("transom.toml"), "[region]\nAPPLID = \"WRONG\"\n").unwrap();
    std::fs::write(dir.join("copy/LOOPS.cpy"), "           COPY LOOPS.\n").unwrap();
    std::fs::write(
        dir.join("copy/BROKEN.cpy"),
        "       01  CP-A.\n           05 CP-B PIX X.\n",
    )
    .unwrap();
    std::fs::write(dir.join("copy/ONE.cpy"), "       01  A PIC X.\n").unwrap();
    for (i, (storage, procedure, _)) in cases.iter().enumerate() {
        let text = program(&format!("BAD{i:02}"), storage, procedure);
        std::fs::write(dir.join(format!("cobol/BAD{i:02}.cbl")), text).unwrap();
    }
    let (good, out, said) = transom(&["check", "."], dir);
    assert!(!good, "{out}{said}");
    let all = out + &said;
    for (i, (_, procedure, wanted)) in cases.iter().enumerate() {
        let wanted = if wanted.starts_with("copy/") {
            (*wanted).to_owned()
        } else {
            format!("cobol/BAD{i:02}.cbl:{wanted}")
        };
        assert!(all.contains(&wanted), "{procedure}: no {wanted} in\n{all}");
    }
}

#[test]
fn wrong_configurations_and_decks_name_their_line() {
    let cases = [
        (
            "transom.toml",
            "[region]\nAPPLID = \"X\n",
            "transom.toml:2:12: TXMSI0001E",
        ),
        (
            "transom.toml",
            "\n[regoin]\n",
            "transom.toml:2:2: TXMSI0002E the file has no key [regoin]; the nearest known one is region\n     2 | [regoin]\n       |  ^",
        ),
        (
            "transom.toml",
            "[region]\nAPLID = \"X\"\n",
            "the nearest known one is APPLID",
        ),
        (
            "transom.toml",
            "[region]\nAPPLID = \"A\"\nMXT = \"many\"\n",
            "transom.toml:3:1: TXMSI0003E MXT",
        ),
        (
            "server.xml",
            "<server>\n <a></b>\n</server>\n",
            "\n     2 |  <a></b>\n       |     ^",
        ),
        ("server.xml", "<server", "TXMAD0005E server.xml:1"),
        ("server.xml", "<notserver/>", "TXMAD0040E server.xml:1:1"),
        (
            "server.xml",
            "<server>\n<httpEndpoint httpPort=\"99999\"/></server>",
            "TXMAD0040E server.xml:2:1",
        ),
        (
            "server.xml",
            "<!DOCTYPE s [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<server>&x;</server>",
            "document type definitions are not accepted",
        ),
        (
            "csd/bad.csd",
            "DEFINE PRORGAM(A) GROUP(G)\n",
            "csd/bad.csd:1: TXMCS0002E PRORGAM",
        ),
        (
            "csd/bad.csd",
            "* words\nDEFINE PROGRAM(TOOLONGNAME) GROUP(G)\n",
            "csd/bad.csd:2: TXMCS0004E",
        ),
        (
            "csd/bad.csd",
            "ADD GROUP(A) LIST(B)\n  CEDAR DEF TRANS(C) GROUP(A)\n",
            "csd/bad.csd:2:3: TXMCS0001E CEDAR is no command\n     2 |   CEDAR DEF TRANS(C) GROUP(A)\n       |   ^",
        ),
        (
            "csd/bad.csd",
            "DEFINE PROGRAM(\n",
            "csd/bad.csd:1: TXMCS0006E",
        ),
    ];
    for (file, text, wanted) in cases {
        let (_folder, dir) = copy_of(&root().join("samples/gateway"));
        std::fs::write(dir.join(file), text).unwrap();
        let (good, out, said) = transom(&["check", "."], &dir);
        let all = out + &said;
        assert!(
            !good && all.contains(wanted),
            "{file} {text:?}: no {wanted} in\n{all}"
        );
        let run = Command::new(EXE).arg("run").arg(&dir).output().unwrap();
        assert!(!run.status.success(), "run starts with {text:?}");
    }
}

#[test]
fn a_bad_file_of_users_is_told_with_its_place_and_without_its_line() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let users = "[[user]]\nuserid = \"PAY\"\n  pasword = \"secret\"\n";
    std::fs::write(dir.join("users.toml"), users).unwrap();
    let (good, out, said) = transom(&["check", "."], &dir);
    let wanted = "users.toml:3:3 cannot be read: unknown field `pasword`";
    assert!(!good && said.contains(wanted), "{said}");
    assert!(!format!("{out}{said}").contains("secret"), "{out}\n{said}");
}

#[test]
fn a_source_that_does_not_compile_need_not_stop_the_others() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let bad = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BAD.\n       PROCEDURE DIVISION.\n           \
               EXEC CICS SENT MAP('M') END-EXEC.\n";
    std::fs::write(dir.join("cobol/BAD.cbl"), bad).unwrap();
    let run = Command::new(EXE).arg("run").arg(&dir).output().unwrap();
    assert!(!run.status.success());
    let server = Running::start_with(&dir, &["--keep-going"]);
    let said = server.said();
    assert!(
        said.contains("cobol/BAD.cbl:4")
            && said.contains("TXMSI0026W sources with errors are left out"),
        "{said}"
    );
}

/// Sends bytes, reads until the server closes.
fn raw(server: &Running, bytes: &[u8]) -> String {
    let mut socket = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A server that refuses early may close before it has read everything.
    let _sent = socket.write_all(bytes);
    let mut reply = Vec::new();
    let _read = socket.read_to_end(&mut reply);
    String::from_utf8_lossy(&reply).into_owned()
}

fn head(extra: &str) -> String {
    format!(
        "PUT /comm1k/mapping/CABASIC-RS2/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n{extra}\r\n"
    )
}

#[test]
fn requests_out_of_bounds_are_refused_and_the_server_serves_on() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    let flood: String = (0..5_000).map(|i| format!("X-{i}: y\r\n")).collect();
    let cases = [
        (
            head("Content-Length: 2\r\nContent-Length: 3\r\n") + "{}",
            "400",
        ),
        (
            head("Transfer-Encoding: chunked\r\n") + "zz\r\n{}\r\n",
            "400",
        ),
        (
            head("Content-Encoding: gzip\r\nContent-Length: 2\r\n") + "{}",
            "415",
        ),
        (head(&flood), "431"),
        (head(&format!("X: {}\r\n", "y".repeat(1 << 20))), "431"),
        (
            format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(200_000)),
            "431",
        ),
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (
            head("Content-Length: 104857600\r\n") + &" ".repeat(100 << 20),
            "413",
        ),
        (
            head("Content-Length: 104857600\r\nExpect: 100-continue\r\n"),
            "413",
        ),
        (
            head("Content-Length: 200000\r\n") + &"[".repeat(200_000),
            "400",
        ),
    ];
    for (request, status) in &cases {
        let reply = raw(&server, request.as_bytes());
        let begin: String = request.chars().take(200).collect();
        assert!(
            reply.starts_with(&format!("HTTP/1.1 {status} ")),
            "{begin}: {reply}"
        );
    }
    let good = "{\"COMM1KOperation\":{\"count_out\":32}}";
    let plain = head(&format!("Content-Length: {}\r\n", good.len())) + good;
    let chunked = head("Transfer-Encoding: chunked\r\n")
        + &format!("{:x}\r\n{good}\r\n0\r\n\r\n", good.len());
    let kept = plain.replace("Connection: close\r\n", "");
    let old = plain.replace("HTTP/1.1", "HTTP/1.0");
    for (request, replies) in [
        (&plain, 1),
        (&chunked, 1),
        (&old, 1),
        (&(kept.repeat(20) + &plain), 21),
    ] {
        let reply = raw(&server, request.as_bytes());
        assert_eq!(reply.matches(" 200 OK\r\n").count(), replies, "{reply}");
    }
    let swagger = server.request("GET", "/comm1k/api-docs", b"").1;
    assert!(
        swagger.contains("\"host\":\"localhost\"") && swagger.contains("\"schemes\":[\"http\"]"),
        "{swagger}"
    );
    assert!(server.stop());
}

#[test]
fn tls_is_1_2_or_1_3() {
    if Command::new("curl").arg("--version").output().is_err() {
        transom_needed::skipped("curl is missing");
        return;
    }
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    let url = format!("https://localhost:{}/comm1k/api-docs", server.secure_port);
    for (options, good) in [
        (&["--tlsv1.2", "--tls-max", "1.2"][..], true),
        (&["--tlsv1.3"], true),
        (
            &[
                "--tlsv1.1",
                "--tls-max",
                "1.1",
                "--ciphers",
                "DEFAULT:@SECLEVEL=0",
            ],
            false,
        ),
    ] {
        let mut curl = Command::new("curl");
        let done = curl.args(["-sk", &url]).args(options).output().unwrap();
        let body = String::from_utf8_lossy(&done.stdout);
        let said = body.contains("\"schemes\":[\"https\"]");
        assert!(
            done.status.success() == good && said == good,
            "{options:?}: {body}"
        );
    }
    assert!(server.stop());
}

/// A stored (not compressed) zip of members, written here so that names can be anything.
fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let crc = |data: &[u8]| {
        !data.iter().fold(!0_u32, |mut crc, byte| {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
            }
            crc
        })
    };
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in members {
        let (at, size) = (out.len() as u32, data.len() as u32);
        let mut fields = Vec::new();
        fields.extend([20_u16, 0, 0, 0, 0x21].iter().flat_map(|v| v.to_le_bytes()));
        fields.extend([crc(data), size, size].iter().flat_map(|v| v.to_le_bytes()));
        fields.extend([name.len() as u16, 0].iter().flat_map(|v| v.to_le_bytes()));
        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(name.as_bytes());
        out.extend(data);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&fields);
        directory.extend([0_u8; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, size, n) = (
        out.len() as u32,
        directory.len() as u32,
        members.len() as u16,
    );
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([n, n].iter().flat_map(|v| v.to_le_bytes()));
    out.extend([size, at].iter().flat_map(|v| v.to_le_bytes()));
    out.extend([0, 0]);
    out
}

fn files(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path().display().to_string());
        }
    }
    found.sort();
    found
}

#[test]
fn wrong_archives_are_refused_and_leave_nothing_behind() {
    let Some(archives) = fixtures("zosconnect") else {
        return;
    };
    let (_folder, dir) = copy_of(&root().join("crates/tools/transom/tests/data/bank"));
    let server = Running::start(&dir);
    let post = |kind: &str, bytes: &[u8]| {
        let path = format!("/zosConnect/{kind}");
        server.request_with("POST", &path, &[("content-type", "application/zip")], bytes)
    };
    let aar = std::fs::read(archives.join("inqaccz.aar")).unwrap();
    let sar = std::fs::read(archives.join("CSaccenq.sar")).unwrap();
    let package = |base: &str| {
        let xml = format!(
            "<zosConnectApi id=\"evil\"><apiSpec title=\"evil\" version=\"1.0.0\" basePath=\"{base}\"/></zosConnectApi>"
        );
        zip(&[("package.xml".into(), xml.into_bytes())])
    };
    // The gateway serves before the console is open, which is the last file of a start.
    let begin = Instant::now();
    while !dir.join(".transom/console").exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no console");
        std::thread::sleep(Duration::from_millis(10));
    }
    let before = (
        files(&dir),
        server.request("GET", "/zosConnect/apis", b""),
        server.request("GET", "/zosConnect/services", b""),
    );
    let up = zip(&[
        ("../../up.txt".into(), b"up".to_vec()),
        ("package.xml".into(), b"<a/>".to_vec()),
    ]);
    for (kind, bytes, why) in [
        ("apis", Vec::new(), "the body is empty"),
        (
            "apis",
            b"this is no archive at all, but long enough".to_vec(),
            "TXMAD0001E",
        ),
        ("services", b"PK\x03\x04".to_vec(), "TXMAD0001E"),
        ("apis", aar[..aar.len() / 2].to_vec(), "cut short"),
        ("services", sar[..sar.len() - 1].to_vec(), "cut short"),
        ("apis", sar.clone(), "no member package.xml"),
        ("services", aar.clone(), "no member manifest.yml"),
        ("apis", up, "leaves the archive"),
        ("apis", package("/../evil"), "has a segment . or .."),
        ("apis", package("/"), "has no basePath"),
        (
            "apis",
            zip(&[("package.xml".into(), b"<!DOCTYPE a []><a/>".to_vec())]),
            "document type definitions",
        ),
        ("apis", vec![0; 5 << 20], "BAQR0420W"),
    ] {
        let (status, body) = post(kind, &bytes);
        assert!(
            (400..500).contains(&status) && body.contains("BAQR") && body.contains(why),
            "{why}: {status} {body}"
        );
    }
    let after = (
        files(&dir),
        server.request("GET", "/zosConnect/apis", b""),
        server.request("GET", "/zosConnect/services", b""),
    );
    assert_eq!(before, after, "something is half-deployed");
    assert_eq!(post("services", &sar).0, 201);
    assert_eq!(post("apis", &aar).0, 201);
    assert_eq!(post("services", &sar).0, 409, "the same service twice");
    assert_eq!(post("apis", &aar).0, 409, "the same API twice");
    assert_eq!(server.request("GET", "/inqaccz/enquiry/1234", b"").0, 200);
    // An API without its service answers 404, not 500, until the service is there again.
    assert_eq!(
        server
            .request("PUT", "/zosConnect/services/CSaccenq?status=stopped", b"")
            .0,
        200
    );
    assert_eq!(server.request("GET", "/inqaccz/enquiry/1234", b"").0, 503);
    assert_eq!(
        server
            .request("DELETE", "/zosConnect/services/CSaccenq", b"")
            .0,
        200
    );
    assert_eq!(server.request("GET", "/inqaccz/enquiry/1234", b"").0, 404);
    assert_eq!(post("services", &sar).0, 201);
    assert_eq!(server.request("GET", "/inqaccz/enquiry/1234", b"").0, 200);
    assert!(server.stop());
}
