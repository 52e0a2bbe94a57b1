//! The administration interface.

use crate::archives::{fixture, post};
use crate::http::{Client, once};
use crate::region::{Programs, cabasic};
use crate::support::{FIGURE_2, PUT_1K, api, http, local, service, start, start_with};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use transom_gateway::{CorsRule, Gateway, Regions};
use transom_messages::Operator;

#[test]
fn lists_and_details_have_the_shapes_of_the_product() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    assert_eq!(
        client.get("/zosConnect/apis").text(),
        r#"{"apis":[{"name":"comm1k","version":"1.0.0","description":"R1","adminUrl":"http://gateway.localhost:2222/zosConnect/apis/comm1k"}]}"#
    );
    let api = client.get("/zosConnect/apis/comm1k").json();
    assert_eq!(api["status"], "Started");
    assert_eq!(api["apiUrl"], "http://gateway.localhost:2222/comm1k");
    assert_eq!(
        api["documentation"]["swagger"],
        "http://gateway.localhost:2222/comm1k/api-docs"
    );
    assert_eq!(
        api["services"][0]["uri"],
        "http://gateway.localhost:2222/zosConnect/services/comm1k"
    );
    let list = client.get("/zosConnect/services").json();
    let url = "http://gateway.localhost:2222/zosConnect/services/comm1k";
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
        (405, Some("GET, HEAD, POST"))
    );
    let reply = client.send("OPTIONS", "/zosConnect/services/comm1k", &[], b"");
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("DELETE, GET, HEAD, PUT"))
    );
    let reply = client.get("/zosConnect/services/comm1k?action=stop");
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("POST, PUT"))
    );
}

#[test]
fn only_put_and_post_invoke_a_service() {
    let region = Programs::default().with("CABASIC", cabasic).region();
    let gateway = start_with(local(), region.clone());
    let mut client = Client::connect(http(&gateway));
    let path = "/zosConnect/services/comm1k?action=invoke";
    for method in ["GET", "DELETE", "HEAD", "PATCH"] {
        let reply = client.send(method, path, &[], b"");
        assert_eq!(
            (reply.status, reply.header("allow")),
            (405, Some("POST, PUT")),
            "{method}"
        );
    }
    assert!(region.last.lock().unwrap().is_none(), "no program has run");
    for method in ["PUT", "POST"] {
        assert_eq!(client.json(method, path, FIGURE_2).status, 200);
    }
}

#[test]
fn the_log_says_who_changed_what() {
    let lines = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut config = local();
    let seen = lines.clone();
    config.operator = Operator::new(move |line| seen.lock().unwrap().push(line.to_string()));
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    for (method, path) in [
        ("PUT", "/zosConnect/services/comm1k?status=stopped"),
        ("PUT", "/zosConnect/services/comm1k?action=start"),
        ("PUT", "/zosConnect/apis/comm1k?status=stopped"),
    ] {
        assert_eq!(client.send(method, path, &[], b"").status, 200, "{path}");
    }
    if let Some(sar) = fixture("CSaccenq.sar") {
        let path = "/zosConnect/services/CSaccenq";
        assert_eq!(post(&mut client, "/zosConnect/services", &sar).status, 201);
        let stop = format!("{path}?status=stopped");
        assert_eq!(client.send("PUT", &stop, &[], b"").status, 200);
        assert_eq!(client.send("DELETE", path, &[], b"").status, 200);
    }
    let lines = lines.lock().unwrap();
    let by = "by an unknown user from 127.0.0.1";
    for what in [
        "service comm1k is stopped",
        "service comm1k is started",
        "API comm1k is stopped",
        "service CSaccenq is deployed",
        "service CSaccenq is stopped",
        "service CSaccenq is undeployed",
    ] {
        let expected = format!("TXMGW0015I {what} {by}");
        let skipped = what.contains("CSaccenq") && fixture("CSaccenq.sar").is_none();
        assert!(
            skipped || lines.contains(&expected),
            "{expected}: {lines:?}"
        );
    }
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

#[test]
fn pages_of_other_sites_administer_nothing() {
    let mut config = local();
    config.cors.push(CorsRule {
        domain: "/zosConnect".into(),
        origins: vec!["https://console.example".into()],
        ..CorsRule::default()
    });
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    let stop = "/zosConnect/services/comm1k?action=stop";
    let invoke = "/zosConnect/services/comm1k?action=invoke";
    for header in [
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        for path in [stop, invoke] {
            let reply = client.send("POST", path, &[header], b"");
            assert_eq!(reply.status, 403, "{header:?} {path}");
            assert!(reply.text().contains("BAQR0413W"), "{}", reply.text());
        }
    }
    let status = |client: &mut Client<_>| {
        let details = client.get("/zosConnect/services/comm1k").json();
        details["zosConnect"]["serviceStatus"].clone()
    };
    assert_eq!(status(&mut client), "Started");
    // A name of somebody else that leads here.
    let named = format!("POST {stop} HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n");
    client.raw(named.as_bytes()).unwrap();
    let reply = client.read("POST").unwrap();
    assert_eq!(reply.status, 403);
    assert!(reply.text().contains("BAQR0414W"), "{}", reply.text());
    assert_eq!(status(&mut client), "Started");
    // Its own pages, a console that is allowed, and programs that are no browser.
    for headers in [
        vec![
            ("Origin", "http://gateway.localhost:2222"),
            ("Sec-Fetch-Site", "same-origin"),
        ],
        vec![
            ("Origin", "https://console.example"),
            ("Sec-Fetch-Site", "cross-site"),
        ],
        vec![],
    ] {
        let reply = client.send("POST", stop, &headers, b"");
        assert_eq!(reply.status, 200, "{headers:?} {}", reply.text());
        client.send("POST", "/zosConnect/services/comm1k?action=start", &[], b"");
    }
}
