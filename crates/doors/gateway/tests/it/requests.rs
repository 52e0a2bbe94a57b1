//! Requests that work.

use crate::http::{Client, once};
use crate::region::Programs;
use crate::support::{FIGURE_2, PUT_1K, http, local, start};
use std::time::Duration;
use transom_gateway::CorsRule;

#[test]
fn figure_2_gives_figure_3() {
    let gateway = start(local());
    let reply = once(http(&gateway), "PUT", PUT_1K, FIGURE_2);
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let json = reply.json();
    let response = &json["COMM1KOperationResponse"];
    assert_eq!(response["tranid"], "BBO#");
    assert_eq!(response["user_data"].as_array().unwrap().len(), 31);
    assert_eq!(
        response["user_data"][30]["user_data"],
        "0031-ABCDEFGHIJKLMNOPQRSTUVWXYZ-"
    );
    assert_eq!(
        (&response["taskid"], &response["send_size"]),
        (&181.into(), &1024.into())
    );
    assert_eq!(gateway.stop(Duration::from_secs(1)), 0);
}

#[test]
fn one_connection_carries_many_requests_and_pipelines() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    for _ in 0..50 {
        assert_eq!(client.json("PUT", PUT_1K, FIGURE_2).status, 200);
    }
    let one = format!(
        "PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{FIGURE_2}",
        FIGURE_2.len()
    );
    client.raw(one.repeat(3).as_bytes()).unwrap();
    for _ in 0..3 {
        assert_eq!(client.read("PUT").unwrap().status, 200);
    }
    let statistics = gateway.statistics();
    let put = statistics
        .operations
        .iter()
        .find(|o| o.method == "PUT")
        .unwrap();
    assert_eq!((&*put.api, &*put.base_path), ("comm1k", "/comm1k"));
    assert_eq!(put.path, "/mapping/CABASIC-RS2/{countIn}");
    assert_eq!((put.requests, put.failures), (53, 0));
    assert_eq!(put.request_bytes, 53 * FIGURE_2.len() as u64);
    assert_eq!(statistics.connections, 1);
}

#[test]
fn a_body_in_chunks_is_put_together() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    let (front, back) = FIGURE_2.split_at(7);
    let head = format!("PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.raw(head.as_bytes()).unwrap();
    client
        .raw(format!("{:x}\r\n{front}\r\n", front.len()).as_bytes())
        .unwrap();
    std::thread::sleep(Duration::from_millis(20));
    client
        .raw(format!("{:x}\r\n{back}\r\n0\r\n\r\n", back.len()).as_bytes())
        .unwrap();
    assert_eq!(client.read("PUT").unwrap().status, 200);
}

#[test]
fn descriptions_lie_beside_the_api() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    assert_eq!(client.get("/comm1k/api-docs").json()["swagger"], "2.0");
    assert_eq!(client.get("/comm1k/openapi").json()["openapi"], "3.0.3");
    assert_eq!(
        client.get("/comm1k/api-docs/openapi.json").json()["openapi"],
        "3.0.3"
    );
    let head = client.send("HEAD", "/comm1k/api-docs", &[], b"");
    assert_eq!(
        (head.status, head.header("content-length")),
        (200, Some("17"))
    );
}

#[test]
fn a_service_can_be_invoked_by_itself_and_by_its_uri() {
    let mut config = local();
    let scope = transom_gateway::Scope {
        invoke_uris: vec!["/direct".into(), "/any/*".into()],
        ..Default::default()
    };
    config.services.insert("comm1k".into(), scope);
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    for path in [
        "/zosConnect/services/comm1k?action=invoke",
        "/direct",
        "/any/where/at/all",
    ] {
        let reply = client.json("POST", path, FIGURE_2);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert_eq!(reply.json()["COMM1KOperationResponse"]["tranid"], "BBO#");
    }
}

#[test]
fn cross_origin_rules_of_the_cors_element_hold() {
    let mut config = local();
    config.cors.push(CorsRule {
        domain: "/".into(),
        origins: vec!["*".into(), "http://a.example".into()],
        methods: vec!["GET".into(), "PUT".into()],
        headers: vec!["Origin".into(), "Content-Type".into()],
        credentials: true,
        max_age: Some(3600),
        ..CorsRule::default()
    });
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    let origin = ("Origin", "http://a.example");
    let asks = |method| [origin, ("Access-Control-Request-Method", method)];
    let reply = client.send("OPTIONS", PUT_1K, &asks("PUT"), b"");
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("http://a.example")
    );
    assert_eq!(
        reply.header("access-control-allow-methods"),
        Some("GET, PUT")
    );
    assert_eq!(
        reply.header("access-control-allow-headers"),
        Some("Origin, Content-Type")
    );
    assert_eq!(
        reply.header("access-control-allow-credentials"),
        Some("true")
    );
    assert_eq!(reply.header("access-control-max-age"), Some("3600"));
    // Any origin does not count together with credentials.
    let other = [("Origin", "http://b.example"), asks("PUT")[1]];
    let reply = client.send("OPTIONS", PUT_1K, &other, b"");
    assert_eq!(reply.header("access-control-allow-origin"), None);
    assert_eq!(
        client.send("OPTIONS", PUT_1K, &asks("DELETE"), b"").status,
        403
    );
    let reply = client.send("PUT", PUT_1K, &[origin], FIGURE_2.as_bytes());
    assert_eq!(reply.status, 200);
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("http://a.example")
    );
    let plain = client.json("PUT", PUT_1K, FIGURE_2);
    assert_eq!(plain.header("access-control-allow-origin"), None);
}

#[test]
fn the_user_and_the_timeout_reach_the_region() {
    let region = Programs::default()
        .with("CABASIC", crate::region::cabasic)
        .region();
    let mut config = local();
    config.manager.request_timeout = Some(Duration::from_secs(7));
    let gateway = crate::support::start_with(config, region.clone());
    assert_eq!(once(http(&gateway), "PUT", PUT_1K, FIGURE_2).status, 200);
    let last = region.last.lock().unwrap().take().unwrap();
    assert_eq!(last.program.as_str(), "CABASIC");
    // Where it came from is told to the task.
    let client = last.client.expect("an address");
    assert!(client.client.ip().is_loopback() && client.client.port() > 0);
    assert_eq!(client.server, http(&gateway));
    assert_eq!(last.timeout, Some(Duration::from_secs(7)));
    assert_eq!((last.reply_bytes_max, last.userid), (16_384, None));
}
