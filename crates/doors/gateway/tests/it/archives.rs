//! Deploying archives built by IBM's toolkit, where they are at hand, and calling them.

use crate::http::{Client, Reply, once};
use crate::region::Programs;
use crate::support::{http, local};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use transom_gateway::{Gateway, GatewayConfig, Regions};
use transom_region_api::Payload;

const ZIP: [(&str, &str); 1] = [("Content-Type", "application/zip")];

/// An archive of the outside test data; says so and gives `None` where there is none.
pub(crate) fn fixture(name: &str) -> Option<Vec<u8>> {
    transom_needed::fixture(&format!("zosconnect/{name}"))
}

struct Folders {
    _root: tempfile::TempDir,
    services: PathBuf,
    apis: PathBuf,
}

fn with_folders() -> (GatewayConfig, Folders) {
    let root = tempfile::tempdir().unwrap();
    let folders = Folders {
        services: root.path().join("resources/zosconnect/services"),
        apis: root.path().join("resources/zosconnect/apis"),
        _root: root,
    };
    let mut config = local();
    config.services_dir = Some(folders.services.clone());
    config.apis_dir = Some(folders.apis.clone());
    (config, folders)
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn empty_region() -> Regions {
    let echo =
        |request: &transom_region_api::LinkRequest| Ok::<Payload, _>(request.payload.clone());
    Regions::new(
        Programs::default()
            .with("INQACC", echo)
            .with("CREACC", echo)
            .region(),
    )
}

pub(crate) fn post(client: &mut Client<TcpStream>, path: &str, archive: &[u8]) -> Reply {
    client.send("POST", path, &ZIP, archive)
}

#[test]
fn archives_of_the_toolkit_deploy_update_and_go() {
    let (Some(sar), Some(aar)) = (fixture("CSaccenq.sar"), fixture("inqaccz.aar")) else {
        return;
    };
    let (config, folders) = with_folders();
    let gateway = Gateway::start(config.clone(), empty_region()).unwrap();
    let mut client = Client::connect(http(&gateway));
    let reply = post(&mut client, "/zosConnect/apis", &aar);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let api_url = reply.json()["apiUrl"].as_str().unwrap().to_owned();
    assert_eq!(reply.header("location"), Some(api_url.as_str()));
    let api = reply.json()["name"].as_str().unwrap().to_owned();
    let reply = post(&mut client, "/zosConnect/services?status=stopped", &sar);
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json()["zosConnect"]["serviceStatus"], "Stopped");
    let service = reply.json()["zosConnect"]["serviceName"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(names(&folders.apis), [format!("{api}.aar")]);
    assert_eq!(names(&folders.services), [format!("{service}.sar")]);

    assert_eq!(post(&mut client, "/zosConnect/services", &sar).status, 409);
    let path = format!("/zosConnect/services/{service}");
    let reply = client.send("PUT", &path, &ZIP, &sar);
    assert_eq!(reply.json()["zosConnect"]["serviceStatus"], "Started");
    let schema = client.get(&format!("{path}/schema/request")).json();
    assert!(schema["properties"].is_object(), "{schema}");
    let docs = client
        .get(api_url.trim_start_matches("http://gateway.localhost:2222"))
        .status;
    assert_eq!(docs, 404);
    let base = api_url
        .trim_start_matches("http://gateway.localhost:2222")
        .to_owned();
    assert_eq!(
        client.get(&format!("{base}/api-docs")).json()["swagger"],
        "2.0"
    );
    assert_eq!(
        client.get(&format!("{base}/openapi")).json()["openapi"]
            .as_str()
            .map(|v| &v[..2]),
        Some("3.")
    );

    // A second gateway on the same folders has the same things.
    let second = Gateway::start(config, empty_region()).unwrap();
    assert!(
        second
            .notices()
            .iter()
            .all(|n| !n.to_string().contains("E ")),
        "{:?}",
        second.notices()
    );
    assert_eq!(once(http(&second), "GET", &path, "").status, 200);
    drop(second);

    assert_eq!(client.send("DELETE", &path, &[], b"").status, 409);
    for path in [format!("/zosConnect/apis/{api}"), path] {
        assert_eq!(
            client
                .send("PUT", &format!("{path}?status=stopped"), &[], b"")
                .status,
            200
        );
        assert_eq!(client.send("DELETE", &path, &[], b"").status, 200);
        assert_eq!(client.send("DELETE", &path, &[], b"").status, 404);
    }
    assert!(names(&folders.apis).is_empty() && names(&folders.services).is_empty());
}

#[test]
fn bad_archives_leave_nothing_behind() {
    let (config, folders) = with_folders();
    let gateway = Gateway::start(config, empty_region()).unwrap();
    let mut client = Client::connect(http(&gateway));
    let kind = [("Content-Type", "text/plain")];
    assert_eq!(
        client.send("POST", "/zosConnect/apis", &kind, b"PK").status,
        415
    );
    for path in ["/zosConnect/apis", "/zosConnect/services"] {
        for archive in [
            b"".as_slice(),
            b"PK",
            b"PK\x03\x04 and then nothing",
            &[0; 100_000],
        ] {
            let reply = post(&mut client, path, archive);
            assert_eq!(reply.status, 400, "{}", reply.text());
            assert!(
                reply.json()["errorDetails"]
                    .as_str()
                    .is_some_and(|d| !d.is_empty())
            );
        }
        if let Some(sar) = fixture("CSaccenq.sar") {
            for cut in (0..sar.len()).step_by(sar.len() / 10 + 1) {
                let reply = post(&mut client, path, &sar[..cut]);
                assert_eq!(reply.status, 400, "cut at {cut}: {}", reply.text());
            }
        }
    }
    assert!(names(&folders.apis).is_empty() && names(&folders.services).is_empty());
    assert_eq!(client.get("/zosConnect/apis").text(), r#"{"apis":[]}"#);
}

#[test]
fn polled_folders_follow_the_files() {
    let (Some(sar), Some(other)) = (fixture("CSaccenq.sar"), fixture("CSacccre.sar")) else {
        return;
    };
    let (mut config, folders) = with_folders();
    config.services_poll = Some(Duration::from_millis(100));
    std::fs::create_dir_all(&folders.services).unwrap();
    std::fs::write(folders.services.join("broken.sar"), "no zip").unwrap();
    let gateway = Gateway::start(config, empty_region()).unwrap();
    assert!(
        gateway.notices()[0].id() == Some("TXMGW0006E"),
        "{:?}",
        gateway.notices()
    );
    let count = || {
        let list = once(http(&gateway), "GET", "/zosConnect/services", "").json();
        list["zosConnectServices"].as_array().unwrap().len()
    };
    assert_eq!(count(), 0);
    std::fs::write(folders.services.join("any-name.sar"), &sar).unwrap();
    wait_until(|| count() == 1);
    std::fs::write(folders.services.join("second.sar"), &other).unwrap();
    wait_until(|| count() == 2);
    std::fs::remove_file(folders.services.join("any-name.sar")).unwrap();
    wait_until(|| count() == 1);
}

fn wait_until(holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < Duration::from_secs(10),
            "it never happened"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A program that leaves digits where it was given nothing.
fn digits(request: &transom_region_api::LinkRequest) -> Result<Payload, transom_region_api::Fault> {
    let Payload::Commarea(area) = &request.payload else {
        panic!("a COMMAREA is expected")
    };
    Ok(Payload::Commarea(
        area.iter()
            .map(|b| if *b == 0 { b'0' } else { *b })
            .collect(),
    ))
}

/// The same with the counter of the table, a binary number in front, set to 2.
fn two_accounts(
    request: &transom_region_api::LinkRequest,
) -> Result<Payload, transom_region_api::Fault> {
    let Payload::Commarea(mut area) = digits(request)? else {
        panic!("a COMMAREA is expected")
    };
    area[..4].copy_from_slice(&2_u32.to_be_bytes());
    Ok(Payload::Commarea(area))
}

#[test]
fn the_archive_pairs_of_the_bank_sample_are_called() {
    let region = Programs::default()
        .with("INQACC", digits)
        .with("CREACC", digits)
        .with("INQACCCU", two_accounts)
        .region();
    let gateway = Gateway::start(local(), Regions::new(region)).unwrap();
    let mut client = Client::connect(http(&gateway));
    let mut pair = |sar: &str, aar: &str| -> Option<()> {
        for (path, archive) in [("services", fixture(sar)?), ("apis", fixture(aar)?)] {
            let reply = post(&mut client, &format!("/zosConnect/{path}"), &archive);
            assert_eq!(reply.status, 201, "{}", reply.text());
        }
        Some(())
    };
    let all = [
        pair("CSaccenq.sar", "inqaccz.aar"),
        pair("CSacccre.sar", "creacc.aar"),
        pair("CScustacc.sar", "inqacccz.aar"),
    ];
    if all.contains(&None) {
        return;
    }
    let reply = client.get("/inqaccz/enquiry/4711");
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(
        reply.json()["InqAcc"]["InqAccAccno"],
        4711,
        "{}",
        reply.text()
    );
    let reply = client.get("/inqaccz/enquiry/x");
    assert_eq!(reply.status, 400, "{}", reply.text());
    let body = r#"{"CreAcc":{"CommAccType":"ISA","CommCustno":1234,"CommAvailBal":-12.34}}"#;
    let reply = client.json("POST", "/creacc/insert", body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let created = &reply.json()["CreAcc"];
    assert_eq!(
        (&created["CommCustno"], created["CommAvailBal"].to_string()),
        (&1234.into(), "-12.34".into())
    );
    // As the Java front end of the sample writes it.
    let body = r#"{"CreAcc":{"CommAccType":"ISA","CommCustno":"00000042","CommEyecatcher":null,
        "CommKey":{"CommSortcode":"987654","CommNumber":null},"CommIntRt":"1.5","CommOpened":"01012020",
        "CommOverdrLim":"0","CommLastStmtDt":null,"CommNextStmtDt":null,"CommAvailBal":"12.34",
        "CommSuccess":null,"CommFailCode":null}}"#;
    let reply = client.json("POST", "/creacc/insert", body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let created = &reply.json()["CreAcc"];
    assert_eq!(
        (&created["CommCustno"], &created["CommOpened"]),
        (&42.into(), &1_012_020.into())
    );
    for body in ["", "{}", r#"{"CREACC":{"CommCustno":1}}"#] {
        let reply = client.json("POST", "/creacc/insert", body);
        assert_eq!(reply.status, 400, "{body}");
        let details = reply.json()["errorDetails"].to_string();
        let expected = "TXMCB0719E (document) at byte 0: the document has none of the members expected: CreAcc.";
        assert!(details.contains(expected), "{details}");
    }
    let reply = client.get("/inqaccz/enquiry/x1");
    let details = reply.json()["errorDetails"].to_string();
    assert!(
        details.contains("Path parameter accno: TXMCB0712E /InqAcc/InqAccAccno (field "),
        "{details}"
    );
    assert!(!details.contains("at byte"), "{details}");
    let reply = client.get("/inqacccz/list/77");
    assert_eq!(reply.status, 200, "{}", reply.text());
    let json = reply.json();
    assert_eq!(
        json["InqAccZ"]["AccountDetails"].as_array().map(Vec::len),
        Some(2),
        "{json}"
    );
}

#[test]
fn strict_types_are_a_switch() {
    let (Some(sar), Some(aar)) = (fixture("CSacccre.sar"), fixture("creacc.aar")) else {
        return;
    };
    let mut config = local();
    config.strict = true;
    let region = Programs::default().with("CREACC", digits).region();
    let gateway = Gateway::start(config, Regions::new(region)).unwrap();
    let mut client = Client::connect(http(&gateway));
    for (path, archive) in [("services", sar), ("apis", aar)] {
        let path = format!("/zosConnect/{path}");
        assert_eq!(post(&mut client, &path, &archive).status, 201);
    }
    for (value, status) in [("42", 200), (r#""00000042""#, 400), ("null", 400)] {
        let body = format!(r#"{{"CreAcc":{{"CommCustno":{value}}}}}"#);
        let reply = client.json("POST", "/creacc/insert", &body);
        assert_eq!(reply.status, status, "{}", reply.text());
    }
}
