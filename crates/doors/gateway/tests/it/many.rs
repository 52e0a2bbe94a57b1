//! Folders with many archives: all are served after a start, and one is changed among them.

use crate::http::{Client, once};
use crate::region::Programs;
use crate::support::{http, local};
use std::path::Path;
use std::sync::Arc;
use transom_apidef::plan::ServicePlan;
use transom_apidef::toolkit::{build_api, build_service};
use transom_copybook::shape::RecordFormat;
use transom_gateway::{Gateway, GatewayConfig, Regions};
use transom_region_api::{LinkRequest, Payload};

/// APIs of the test.
const MANY: usize = 300;
const COPYBOOK: &str = "       01 AREA.\n           05 TEXT-1 PIC X(8).\n";

/// Service and API of a number: the program answers what it was given.
fn archives(number: usize, path: &str) -> (Vec<u8>, Vec<u8>) {
    let service = format!(
        "name: s{number}\nprogram: ECHO\nversion: 1.0.0\nrequest: {{copybook: area.cpy}}\n"
    );
    let built = build_service("s.yaml", &service, |_| Some(COPYBOOK.to_owned())).unwrap();
    let plan = Arc::new(ServicePlan::new(&built.service, &RecordFormat::region()).unwrap());
    let api = format!(
        "name: a{number}\nversion: 1.0.0\nbasePath: /a{number}\noperations:\n\
         - {{method: PUT, path: '{path}', service: s{number}}}\n"
    );
    let api = build_api("a.yaml", &api, |_| Some(plan.clone())).unwrap();
    (built.bytes, api)
}

fn config(root: &Path) -> GatewayConfig {
    let mut config = local();
    for folder in ["services", "apis"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    config.services_dir = Some(root.join("services"));
    config.apis_dir = Some(root.join("apis"));
    config
}

fn echo() -> Regions {
    let echo = |request: &LinkRequest| Ok::<Payload, _>(request.payload.clone());
    Regions::new(Programs::default().with("ECHO", echo).region())
}

#[test]
fn hundreds_of_apis_are_served_and_one_is_changed_among_them() {
    let root = tempfile::tempdir().unwrap();
    let config = config(root.path());
    for number in 0..MANY {
        let (sar, aar) = archives(number, "/one");
        let file = |folder, ending| root.path().join(format!("{folder}/{number}.{ending}"));
        std::fs::write(file("services", "sar"), sar).unwrap();
        std::fs::write(file("apis", "aar"), aar).unwrap();
    }
    let gateway = Gateway::start(config, echo()).unwrap();
    let mut client = Client::connect(http(&gateway));
    let body = br#"{"AREA":{"TEXT_1":"HELLO"}}"#;
    let json = [("Content-Type", "application/json")];
    let mut call = |number: usize, path: &str| {
        let reply = client.send("PUT", &format!("/a{number}{path}"), &json, body);
        (reply.status, reply.text())
    };
    for number in 0..MANY {
        let (status, text) = call(number, "/one");
        assert!(status == 200 && text.contains("HELLO"), "{number}: {text}");
    }
    let (_, changed) = archives(77, "/two");
    let zip = [("Content-Type", "application/zip")];
    let mut admin = Client::connect(http(&gateway));
    let reply = admin.send("PUT", "/zosConnect/apis/a77", &zip, &changed);
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!((call(77, "/one").0, call(77, "/two").0), (404, 200));
    assert_eq!((call(76, "/one").0, call(78, "/one").0), (200, 200));
    let list = once(http(&gateway), "GET", "/zosConnect/apis", "").json();
    assert_eq!(list["apis"].as_array().unwrap().len(), MANY);
}
