//! Archives built by IBM's toolkit, deployed as they are, with stub programs behind them.

use crate::harness::{Running, copy_of, fixtures, root};

const PAIRS: &[(&str, &str)] = &[
    ("CSaccenq.sar", "inqaccz.aar"),
    ("CScustacc.sar", "inqacccz.aar"),
    ("CSacccre.sar", "creacc.aar"),
];

#[test]
fn three_archive_pairs_are_deployed_over_http_and_called() {
    let Some(archives) = fixtures("zosconnect") else {
        return;
    };
    let (_folder, dir) = copy_of(&root().join("crates/tools/transom/tests/data/bank"));
    let server = Running::start(&dir);
    for (sar, aar) in PAIRS {
        for (kind, file) in [("services", sar), ("apis", aar)] {
            let bytes = std::fs::read(archives.join(file)).unwrap();
            let path = format!("/zosConnect/{kind}");
            let (status, body) = server.request_with(
                "POST",
                &path,
                &[("content-type", "application/zip")],
                &bytes,
            );
            assert_eq!(status, 201, "{file}: {body}\n{}", server.said());
        }
    }
    let (status, body) = server.request("GET", "/inqaccz/enquiry/1234", b"");
    assert_eq!(status, 200, "{body}");
    for part in [
        "\"InqAccAccno\":1234",
        "\"InqAccIntRate\":2.1",
        "\"InqAccAvailBal\":1851",
        "\"InqAccActualBal\":-1234.25",
        "\"InqAccAccType\":\"ISA\"",
    ] {
        assert!(body.contains(part), "{part} is not in {body}");
    }
    let (status, body) = server.request("GET", "/inqacccz/list/0000000003", b"");
    assert_eq!(status, 200, "{body}");
    assert_eq!(body.matches("\"CommEye\":\"ACCT\"").count(), 3, "{body}");
    assert!(body.contains("\"CommAvailBal\":-30.03"), "{body}");
    let create = br#"{"CreAcc":{"CommCustno":42,"CommAccType":"LOAN","CommIntRt":3.75,"CommOverdrLim":500}}"#;
    let (status, body) = server.request("POST", "/creacc/insert", create);
    assert_eq!(status, 200, "{body}");
    for part in [
        "\"CommNumber\":43",
        "\"CommAvailBal\":500",
        "\"CommActBal\":-3.75",
        "\"CommSuccess\":\"Y\"",
    ] {
        assert!(body.contains(part), "{part} is not in {body}");
    }
    let (status, body) = server.request("GET", "/zosConnect/apis", b"");
    assert!(
        status == 200 && body.contains("inqaccz") && body.contains("creacc"),
        "{body}"
    );
    assert!(server.stop(), "the region did not stop cleanly");
}
