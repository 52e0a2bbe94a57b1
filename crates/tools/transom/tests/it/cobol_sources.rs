//! Programs as they come from the mainframe: EBCDIC, in lines or in records of 80 bytes.

use crate::harness::transom;
use transom_copybook::CodePage;

const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY AMOUNTS.
       PROCEDURE DIVISION.
           MOVE 'A' TO FLAG
           EXEC CICS RETURN END-EXEC.
";
const COPYBOOK: &str = "       01 FLAG PIC X.\n";

fn ebcdic(text: &str, end: Option<u8>) -> Vec<u8> {
    let page = CodePage::by_ccsid(1047).unwrap();
    let mut out = Vec::new();
    for line in text.lines() {
        let (mut bytes, _) = page.encode(&line.replace('\'', "\""));
        match end {
            Some(end) => bytes.push(end),
            None => bytes.resize(80, 0x40),
        }
        out.extend(bytes);
    }
    out
}

#[test]
fn ebcdic_sources_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    for name in ["cobol", "copy"] {
        std::fs::create_dir(dir.join(name)).unwrap();
    }
    let toml = "[region]\nAPPLID = \"TEST\"\n[cobol]\nsource_codepage = \"IBM-1047\"\n";
    std::fs::write(dir.join("transom.toml"), toml).unwrap();
    std::fs::write(dir.join("copy/AMOUNTS.cpy"), ebcdic(COPYBOOK, Some(0x15))).unwrap();
    let source = dir.join("cobol/PAY.cbl");
    for end in [Some(0x15), Some(0x25), None] {
        std::fs::write(&source, ebcdic(PROGRAM, end)).unwrap();
        let (good, out, said) = transom(&["check", "."], dir);
        assert!(good && out.contains("1 programs"), "{out}{said}");
        for file in ["cobol/PAY.cbl", "copy/AMOUNTS.cpy"] {
            let told = format!("TXMSI0046I {file} is EBCDIC and was read as code page IBM-1047");
            assert!(said.contains(&told), "{said}");
        }
    }
    let mut cut = ebcdic(PROGRAM, None);
    cut.truncate(cut.len() - 3);
    std::fs::write(&source, cut).unwrap();
    let (good, _, said) = transom(&["check", "."], dir);
    let told = "TXMSI0047E cobol/PAY.cbl is EBCDIC, and its lines cannot be told";
    assert!(!good && said.contains(told), "{said}");
}
