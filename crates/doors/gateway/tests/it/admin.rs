//! The administration interface, with archives built by IBM's toolkit where they are at hand.

use crate::http::{Client, Reply, once};
use crate::region::{Programs, cabasic};
use crate::support::{FIGURE_2, PUT_1K, api, http, local, service, start};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use transom_gateway::{Gateway, GatewayConfig, Regions};
use transom_region_api::Payload;

const ZIP: [(&str, &str); 1] = [("Content-Type", "application/zip")];

/// An archive of the outside test data; says so and gives `None` where there is none.
fn fixture(name: &str) -> Option<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/fixtures/zosconnect");
    let bytes = std::fs::read(root.join(name)).ok();
    if bytes.is_none() {
        println!("skipped: no fixtures (1 archive, {name})");
    }
    bytes
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

fn post(client: &mut Client<TcpStream>, path: &str, archive: &[u8]) -> Reply {
    client.send("POST", path, &ZIP, archive)
}

#[test]
fn lists_and_details_have_the_shapes_of_the_product() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    assert_eq!(
        client.get("/zosConnect/apis").text(),
        r#"{"apis":[{"name":"comm1k","version":"1.0.0","description":"R1","adminUrl":"http://gateway.test:2222/zosConnect/apis/comm1k"}]}"#
    );
    let api = client.get("/zosConnect/apis/comm1k").json();
    assert_eq!(api["status"], "Started");
    assert_eq!(api["apiUrl"], "http://gateway.test:2222/comm1k");
    assert_eq!(
        api["documentation"]["swagger"],
        "http://gateway.test:2222/comm1k/api-docs"
    );
    assert_eq!(
        api["services"][0]["uri"],
        "http://gateway.test:2222/zosConnect/services/comm1k"
    );
    let list = client.get("/zosConnect/services").json();
    let url = "http://gateway.test:2222/zosConnect/services/comm1k";
    assert_eq!(list["zosConnectServices"][0]["ServiceName"], "comm1k");
    assert_eq!(list["zosConnectServices"][0]["ServiceURL"], url);
    for path in [
        "/zosConnect/services/comm1k",
        "/zosConnect/services/comm1k?action=status",
    ] {
        let details = client.get(path).json();
        let own = &details["zosConnect"];
        assert_eq!(own["serviceInvokeURL"], format!("{url}?action=invoke"));
        assert_eq!(own["dataXformProvider"], "DATA_UNAVAILABLE");
        assert_eq!(own["serviceStatus"], "Started");
        assert_eq!(details["comm1k"]["program"], "CABASIC");
    }
    assert_eq!(
        client
            .get("/zosConnect/services/comm1k/schema/request")
            .json()["title"],
        "request"
    );
    assert_eq!(
        client
            .get("/zosConnect/services/comm1k/schema/response")
            .json()["title"],
        "response"
    );
    assert_eq!(
        client.get("/zosConnect/apiRequesters").text(),
        r#"{"apiRequesters":[]}"#
    );
    assert_eq!(
        client.get("/zosConnect/api-docs").json()["basePath"],
        "/zosConnect"
    );
    assert_eq!(client.get("/zosConnect/nothing").status, 404);
    let reply = client.send("PATCH", "/zosConnect/apis", &[], b"");
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("GET, POST"))
    );
}

#[test]
fn a_stopped_service_or_api_refuses_and_starts_again() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    for (stop, start) in [
        (
            "/zosConnect/services/comm1k?status=stopped",
            "/zosConnect/services/comm1k?status=started",
        ),
        (
            "/zosConnect/services/comm1k?action=stop",
            "/zosConnect/services/comm1k?action=start",
        ),
        (
            "/zosConnect/apis/comm1k?status=stopped",
            "/zosConnect/apis/comm1k?status=started",
        ),
    ] {
        assert_eq!(client.send("PUT", stop, &[], b"").status, 200, "{stop}");
        let reply = client.json("PUT", PUT_1K, FIGURE_2);
        assert_eq!(reply.status, 503);
        assert!(reply.text().contains("is stopped"), "{}", reply.text());
        assert_eq!(client.get("/zosConnect/services").status, 200);
        assert_eq!(client.send("PUT", start, &[], b"").status, 200, "{start}");
        assert_eq!(client.json("PUT", PUT_1K, FIGURE_2).status, 200);
    }
    for bad in ["?status=paused", "", "?action=explode"] {
        let path = format!("/zosConnect/services/comm1k{bad}");
        assert_eq!(client.send("PUT", &path, &[], b"").status, 400, "{bad}");
    }
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
        .get(api_url.trim_start_matches("http://gateway.test:2222"))
        .status;
    assert_eq!(docs, 404);
    let base = api_url
        .trim_start_matches("http://gateway.test:2222")
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
        second.notices().iter().all(|n| !n.contains("E ")),
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
        gateway.notices()[0].starts_with("TXMGW0006E"),
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

#[test]
fn nothing_is_lost_while_things_are_deployed_and_replaced() {
    let gateway = Arc::new(start(local()));
    let address: SocketAddr = http(&gateway);
    let (stop, served) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
    );
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let (stop, served) = (stop.clone(), served.clone());
            std::thread::spawn(move || {
                let mut client = Client::connect(address);
                while !stop.load(Relaxed) {
                    let reply = client.json("PUT", PUT_1K, FIGURE_2);
                    assert_eq!(reply.status, 200, "{}", reply.text());
                    served.fetch_add(1, Relaxed);
                }
            })
        })
        .collect();
    let mut admin = Client::connect(address);
    let archives: Vec<Vec<u8>> = ["CSaccenq.sar", "CSacccre.sar"]
        .into_iter()
        .filter_map(fixture)
        .collect();
    for round in 0..30 {
        // Replace what is being called ...
        gateway
            .install(
                vec![service("comm1k", "CABASIC")],
                vec![api("comm1k", "comm1k")],
            )
            .unwrap();
        // ... and come and go beside it.
        for archive in &archives {
            let reply = post(&mut admin, "/zosConnect/services?status=stopped", archive);
            assert_eq!(reply.status, 201, "{round}: {}", reply.text());
            let name = reply.json()["zosConnect"]["serviceName"]
                .as_str()
                .unwrap()
                .to_owned();
            let path = format!("/zosConnect/services/{name}");
            assert_eq!(admin.send("DELETE", &path, &[], b"").status, 200);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    stop.store(true, Relaxed);
    clients.into_iter().for_each(|c| c.join().unwrap());
    let put = &gateway.statistics().operations[0];
    assert_eq!((put.requests, put.failures), (served.load(Relaxed), 0));
    assert!(put.requests > 100);
}

#[test]
fn connections_lead_to_their_regions() {
    let dead = Programs::default().region();
    let alive = Programs::default().with("CABASIC", cabasic).region();
    let regions = Regions::new(dead).with("CICSREG", alive);
    let gateway = Gateway::start(local(), regions).unwrap();
    let mut elsewhere = service("elsewhere", "CABASIC");
    elsewhere.connection = "OTHER".into();
    gateway
        .install(
            vec![service("comm1k", "CABASIC"), elsewhere],
            vec![api("comm1k", "comm1k"), api("other", "elsewhere")],
        )
        .unwrap();
    assert_eq!(once(http(&gateway), "PUT", PUT_1K, FIGURE_2).status, 200);
    let other = PUT_1K.replace("comm1k", "other");
    assert_eq!(once(http(&gateway), "PUT", &other, FIGURE_2).status, 500);
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
    let reply = client.get("/inqacccz/list/77");
    assert_eq!(reply.status, 200, "{}", reply.text());
    let json = reply.json();
    assert_eq!(
        json["InqAccZ"]["AccountDetails"].as_array().map(Vec::len),
        Some(2),
        "{json}"
    );
}
