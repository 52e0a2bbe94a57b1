//! Every kind of failure and the reply it gives.

use crate::http::{Client, once};
use crate::region::{Programs, cabasic};
use crate::support::{FIGURE_2, PUT_1K, api, http, local, service, start, start_with};
use std::time::Duration;
use transom_gateway::{Gateway, Regions};
use transom_region_api::{Fault, Payload};
use transom_types::{AbendCode, Resp};

fn failing(fault: Fault) -> Gateway {
    start_with(
        local(),
        Programs::default()
            .with("CABASIC", move |_| Err(fault))
            .region(),
    )
}

#[test]
fn a_faulty_request_is_400_with_the_numbers_of_the_product() {
    let gateway = start(local());
    let reply = once(http(&gateway), "PUT", PUT_1K, "notJson");
    assert_eq!(reply.status, 400);
    let message = reply.json()["errorMessage"].as_str().unwrap().to_owned();
    let expected = "BAQR0417W: The request payload could not be parsed. A JSON object format \
                    payload is expected. Error: ";
    assert!(message.starts_with(expected), "{message}");

    let reply = once(
        http(&gateway),
        "PUT",
        "/comm1k/mapping/CABASIC-RS2/x",
        FIGURE_2,
    );
    assert_eq!(reply.status, 400);
    assert_eq!(
        reply.text(),
        "{\"errorMessage\":\"BAQR0429W: API comm1k encountered an error while processing a \
         request under URL http://gateway.localhost:2222/comm1k/mapping/CABASIC-RS2/x.\",\
         \"errorDetails\":\"path parameter countIn is no number\"}"
    );
    let statistics = gateway.statistics();
    assert_eq!(
        (
            statistics.operations[0].requests,
            statistics.operations[0].failures
        ),
        (2, 2)
    );
}

#[test]
fn unknown_paths_methods_and_types_have_their_status() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    assert_eq!(client.get("/nowhere").status, 404);
    assert_eq!(
        client.get("/nowhere").header("content-type"),
        Some("application/json")
    );
    let reply = client.send("DELETE", PUT_1K, &[], b"");
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("OPTIONS, POST, PUT"))
    );
    let reply = client.send("OPTIONS", PUT_1K, &[], b"");
    assert_eq!(
        (reply.status, reply.header("allow")),
        (200, Some("OPTIONS, POST, PUT"))
    );
    let kind = |kind| [("Content-Type", kind)];
    for wrong in ["text/xml", "application/json; charset=iso-8859-1", "json"] {
        let reply = client.send("PUT", PUT_1K, &kind(wrong), FIGURE_2.as_bytes());
        assert_eq!(reply.status, 415, "{wrong}");
    }
    for right in [
        "application/json; charset=\"UTF-8\"",
        "application/vnd.x+json",
    ] {
        let reply = client.send("PUT", PUT_1K, &kind(right), FIGURE_2.as_bytes());
        assert_eq!(reply.status, 200, "{right}");
    }
    let reply = client.get("/zosConnect/services/doesNotExist");
    assert_eq!(reply.status, 404);
    assert_eq!(
        reply.text(),
        r#"{"errorMessage":"BAQR0431W: Service doesNotExist is not available."}"#
    );
}

#[test]
fn markup_in_a_request_comes_back_as_entities() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    let reply = client.get("/zosConnect/services/%3Cscript%3E%22a%22%26'");
    assert_eq!(
        reply.text(),
        "{\"errorMessage\":\"BAQR0431W: Service &lt;script&gt;&quot;a&quot;&amp;&#39; is not \
         available.\"}"
    );
}

#[test]
fn faults_of_the_region_have_their_status() {
    let asra = AbendCode::ASRA;
    let pgmiderr = Fault::Refused {
        resp: Resp::PGMIDERR,
        resp2: 1,
    };
    let notauth = Fault::Refused {
        resp: Resp::NOTAUTH,
        resp2: 101,
    };
    for (fault, status, details) in [
        (
            Fault::Abend(asra),
            500,
            "Program CABASIC ended with abend code ASRA.",
        ),
        (
            pgmiderr,
            500,
            "Program CABASIC could not be started: condition PGMIDERR, reason 1.",
        ),
        (
            notauth,
            403,
            "Program CABASIC could not be started: condition NOTAUTH, reason 101.",
        ),
        (
            Fault::Busy,
            503,
            "The transaction server takes no more work at the moment.",
        ),
        (
            Fault::TimedOut,
            503,
            "Program CABASIC did not answer within the request time-out.",
        ),
        (
            Fault::Unavailable,
            503,
            "The transaction server is not available.",
        ),
    ] {
        let gateway = failing(fault);
        let reply = once(http(&gateway), "PUT", PUT_1K, FIGURE_2);
        assert_eq!(reply.status, status, "{fault:?}");
        assert_eq!(reply.json()["errorDetails"], details);
        assert_eq!(reply.header("retry-after").is_some(), fault == Fault::Busy);
    }
}

#[test]
fn a_program_that_leaves_nonsense_is_500() {
    let short = |_: &_| Ok(Payload::Commarea(vec![1, 2, 3]));
    let gateway = start_with(local(), Programs::default().with("CABASIC", short).region());
    let reply = once(http(&gateway), "PUT", PUT_1K, FIGURE_2);
    assert_eq!(reply.status, 500);
    assert_eq!(reply.json()["errorDetails"], "the COMMAREA is too short");
}

#[test]
fn a_body_of_100_mb_is_refused_before_it_is_read() {
    let gateway = start(local());
    let mut client = Client::connect(http(&gateway));
    let head = format!("PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n");
    client.raw(head.as_bytes()).unwrap();
    // A client that keeps sending must still get to see the reply.
    let piece = vec![b' '; 1024 * 1024];
    for _ in 0..8 {
        client.raw(&piece).unwrap();
    }
    let reply = client.read("PUT").unwrap();
    assert_eq!(reply.status, 413);
    assert_eq!(
        reply.text(),
        r#"{"errorMessage":"BAQR0420W: The request payload is larger than 16777216 bytes."}"#
    );
    assert_eq!(reply.header("connection"), Some("close"));
    let limit = limit(&gateway, "body_bytes");
    assert_eq!((limit.reached, limit.limit), (1, 16 * 1024 * 1024));
}

#[test]
fn a_chunked_body_without_end_is_cut_off() {
    let mut config = local();
    config.limits.body_bytes = 100_000;
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    let head = format!("PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.raw(head.as_bytes()).unwrap();
    let chunk = [b"1000\r\n".as_slice(), &[b'x'; 4096], b"\r\n"].concat();
    for _ in 0..30 {
        if client.raw(&chunk).is_err() {
            break;
        }
    }
    assert_eq!(client.read("PUT").unwrap().status, 413);
}

#[test]
fn bodies_together_are_bounded_too() {
    let mut config = local();
    config.limits.bodies_bytes = 50_000;
    let gateway = start(config);
    let head = format!("PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
    let mut client = Client::connect(http(&gateway));
    client
        .raw(&[head.as_bytes(), &[b' '; 20_000]].concat())
        .unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let _ = client.raw(&[b' '; 40_000]);
    let reply = client.read("PUT").unwrap();
    assert_eq!(
        (reply.status, reply.header("retry-after")),
        (503, Some("1"))
    );
    let limit = limit(&gateway, "bodies_bytes");
    assert!(limit.reached == 1 && limit.peak <= 50_000, "{limit:?}");
    assert_eq!(once(http(&gateway), "PUT", PUT_1K, FIGURE_2).status, 200);
}

#[test]
fn requests_that_are_no_http_are_refused_and_the_rest_is_served() {
    let gateway = start(local());
    for nonsense in [
        b"\x16\x03\x01\x02\x00\x01\x00".as_slice(),
        b"GET / HTTP/9.9\r\n\r\n",
        b"PUT /a HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"PUT /a HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /%zz%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let mut client = Client::connect(http(&gateway));
        client.raw(nonsense).unwrap();
        if let Ok(reply) = client.read("GET") {
            assert!(
                (400..500).contains(&reply.status),
                "{nonsense:?}: {}",
                reply.status
            );
        }
    }
    let many =
        "X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(5_000);
    let mut client = Client::connect(http(&gateway));
    let _ = client.raw(format!("GET / HTTP/1.1\r\nHost: x\r\n{many}\r\n").as_bytes());
    if let Ok(reply) = client.read("GET") {
        assert_eq!(reply.status, 431);
    }
    assert_eq!(once(http(&gateway), "PUT", PUT_1K, FIGURE_2).status, 200);
}

#[test]
fn bad_escapes_in_parameters_are_400() {
    let gateway = start(local());
    let reply = once(
        http(&gateway),
        "PUT",
        "/comm1k/mapping/CABASIC-RS2/%ff",
        FIGURE_2,
    );
    assert_eq!(reply.status, 400);
}

#[test]
fn an_api_without_its_service_is_404_until_it_comes() {
    let region = Programs::default().with("CABASIC", cabasic).region();
    let gateway = Gateway::start(local(), Regions::new(region)).unwrap();
    gateway
        .install(Vec::new(), vec![api("comm1k", "later")])
        .unwrap();
    let reply = once(http(&gateway), "PUT", PUT_1K, FIGURE_2);
    assert_eq!(reply.status, 404);
    assert_eq!(
        reply.json()["errorMessage"],
        "BAQR0431W: Service later is not available."
    );
    gateway
        .install(vec![service("later", "CABASIC")], Vec::new())
        .unwrap();
    assert_eq!(once(http(&gateway), "PUT", PUT_1K, FIGURE_2).status, 200);
}

#[test]
fn what_cannot_be_installed_changes_nothing() {
    let gateway = start(local());
    let mut other = api("other", "comm1k");
    other.base_path = "/comm1k/".into();
    let why = gateway.install(Vec::new(), vec![other]).unwrap_err();
    assert_eq!(why.to_string(), "base path /comm1k/ belongs to API comm1k");
    let mut admin = api("admin", "comm1k");
    admin.base_path = "/zosConnect/apis".into();
    assert!(gateway.install(Vec::new(), vec![admin]).is_err());
    assert_eq!(gateway.routes().len(), 2);
}

#[test]
fn two_gateways_cannot_have_one_port() {
    let first = start(local());
    let mut config = local();
    config.http = Some(http(&first));
    let region = Programs::default().region();
    let error = Gateway::start(config, Regions::new(region)).err().unwrap();
    assert!(
        error
            .to_string()
            .starts_with("TXMTC0001E Cannot listen on 127.0.0.1:"),
        "{error}"
    );
    assert_eq!(first.stop(Duration::ZERO), 0);
}

pub(crate) fn limit(gateway: &Gateway, name: &str) -> transom_tcpip::LimitReading {
    gateway
        .statistics()
        .limits
        .into_iter()
        .find(|l| l.name == name)
        .unwrap()
}
