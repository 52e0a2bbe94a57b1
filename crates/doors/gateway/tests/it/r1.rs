//! R1's request through server.xml, bind file, API archive and compiled conversion.

use crate::cabasic::setup;
use crate::http::{Client, once};
use crate::region::{Programs, cabasic};
use crate::support::{FIGURE_2, PUT_1K, http};
use transom_gateway::{Gateway, Regions};

fn start(folder: &std::path::Path) -> Gateway {
    let config = setup::configure(folder);
    let region = Programs::default().with("CABASIC", cabasic).region();
    let gateway = Gateway::start(config, Regions::new(region)).unwrap();
    assert!(
        gateway
            .notices()
            .iter()
            .all(|n| !n.to_string().contains("E ")),
        "{:?}",
        gateway.notices()
    );
    gateway
}

#[test]
fn figure_3_comes_back_for_every_size() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = start(folder.path());
    let mut client = Client::connect(http(&gateway));
    for (kilobytes, elements) in setup::SIZES {
        let path = format!("/comm{kilobytes}k/mapping/CABASIC-RS2/1");
        let body = format!(
            "{{\"COMM{kilobytes}KOperation\":{{\"count_out\":{}}}}}",
            elements + 1
        );
        let reply = client.json("PUT", &path, &body);
        assert_eq!(reply.status, 200, "{}", reply.text());
        let json = reply.json();
        let response = &json[format!("COMM{kilobytes}KOperationResponse")];
        let data = response["user_data"].as_array().unwrap();
        assert_eq!(data.len(), elements as usize);
        assert_eq!(data[0]["user_data"], "0001-ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
        assert_eq!(response["tranid"], "BBO#");
        assert_eq!(response["rs_spare"], "");
        assert_eq!(response["recv_size"], 0);
        assert_eq!(response["send_size"], (elements + 1) * 32);
        assert_eq!(response["taskid"], 181);
        assert_eq!(response.as_object().unwrap().len(), 6);
    }
}

#[test]
fn the_path_parameter_reaches_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let config = setup::configure(folder.path());
    let region = Programs::default().with("CABASIC", cabasic).region();
    let gateway = Gateway::start(config, Regions::new(region.clone())).unwrap();
    let reply = once(
        http(&gateway),
        "PUT",
        "/comm1k/mapping/CABASIC-RS2/77",
        FIGURE_2,
    );
    assert_eq!(reply.status, 200);
    let last = region.last.lock().unwrap().take().unwrap();
    assert_eq!(last.transid.unwrap().as_str(), "BBO#");
    let transom_region_api::Payload::Commarea(area) = last.payload else {
        panic!()
    };
    assert_eq!(area[..8], [0, 0, 0, 77, 0, 0, 0, 32]);
    assert_eq!((area.len(), last.reply_bytes_max), (1024, 1024));
}

#[test]
fn requests_that_do_not_fit_are_told_where() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = start(folder.path());
    let mut client = Client::connect(http(&gateway));
    for (path, body, details) in [
        (
            PUT_1K,
            r#"{"COMM1KOperation":{"count_out":"abc"}}"#,
            "/COMM1KOperation/count_out",
        ),
        (
            PUT_1K,
            r#"{"COMM1KOperation":{"count_out":123456789}}"#,
            "/COMM1KOperation/count_out",
        ),
        (PUT_1K, r#"{"COMM1KOperation":[]}"#, "/COMM1KOperation"),
        ("/comm1k/mapping/CABASIC-RS2/abc", FIGURE_2, "COUNT-IN"),
    ] {
        let reply = client.json("PUT", path, body);
        assert_eq!(reply.status, 400, "{body}: {}", reply.text());
        let text = reply.text();
        assert!(text.contains("BAQR0429W: API comm1k"), "{text}");
        assert!(
            reply.json()["errorDetails"]
                .as_str()
                .unwrap()
                .contains(details),
            "{text}"
        );
    }
    for body in ["{", "{\"a\":}", "[1,2", "\u{1}", "{}}", "nul"] {
        let reply = client.json("PUT", PUT_1K, body);
        assert_eq!(reply.status, 400, "{body}: {}", reply.text());
        assert!(
            reply.text().contains("BAQR0417W"),
            "{body}: {}",
            reply.text()
        );
    }
    assert_eq!(client.json("PUT", PUT_1K, FIGURE_2).status, 200);
}

#[test]
fn the_service_and_its_descriptions_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = start(folder.path());
    let mut client = Client::connect(http(&gateway));
    let details = client.get("/zosConnect/services/comm1k").json();
    assert_eq!(
        details["zosConnect"]["dataXformProvider"],
        "zosConnectXform-1.0"
    );
    assert_eq!(details["comm1k"]["connectionRef"], "CICSREG");
    let schema = client
        .get("/zosConnect/services/comm1k/schema/response")
        .json();
    assert!(
        schema["properties"]["COMM1KOperationResponse"].is_object(),
        "{schema}"
    );
    let docs = client.get("/comm1k/api-docs").json();
    assert!(
        docs["paths"]["/mapping/CABASIC-RS2/{countIn}"]["put"].is_object(),
        "{docs}"
    );
    let openapi = client.get("/comm1k/openapi").json();
    assert!(
        openapi["paths"]["/mapping/CABASIC-RS2/{countIn}"]["put"].is_object(),
        "{openapi}"
    );
    let path = "/zosConnect/services/comm1k?action=invoke";
    let body = r#"{"COMM1KOperation":{"count_in":1,"count_out":32}}"#;
    let reply = client.json("POST", path, body);
    assert_eq!(reply.json()["COMM1KOperationResponse"]["send_size"], 1024);
    let path = "/zosConnect/services/comm1k?status=stopped";
    assert_eq!(client.send("PUT", path, &[], b"").status, 200);
    let reply = client.send("DELETE", "/zosConnect/services/comm1k", &[], b"");
    assert_eq!(reply.status, 409);
    assert!(
        reply.text().contains("defined in server.xml"),
        "{}",
        reply.text()
    );
}
