//! Changes to thousands of APIs: what is not touched stays, what fails leaves nothing.

use super::*;
use crate::conversion::{Conversion, ConversionFailure, Decoded, RequestView};
use crate::definition::{OperationDefinition, ServiceDefinition};
use crate::live::{Found, Target};
use crate::operation::Operation;
use crate::regions::Regions;
use transom_region_api::{LinkFailure, LinkOutput, LinkRequest, Payload, Programs, Reply};
use transom_types::ProgramName;

struct Nothing;

impl Programs for Nothing {
    fn link(&self, _: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        Box::pin(std::future::pending())
    }
}

impl Conversion for Nothing {
    fn encode(&self, _: &RequestView<'_>, _: Vec<u8>) -> Result<Payload, ConversionFailure> {
        Ok(Payload::Commarea(Vec::new()))
    }

    fn decode(&self, _: &Payload, _: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        Ok(Decoded::default())
    }
}

fn service(name: &str, uri: &str) -> Change {
    let definition = ServiceDefinition {
        name: name.into(),
        description: String::new(),
        version: String::new(),
        provider: String::new(),
        data_xform: String::new(),
        program: ProgramName::new("PROG").unwrap(),
        rest: None,
        transid: None,
        connection: String::new(),
        reply_bytes_max: 0,
        conversion: Arc::new(Nothing),
        request_schema: "{}".into(),
        response_schema: "{}".into(),
        invoke_uris: vec![uri.into()],
    };
    Change::Service(Box::new(definition), Arc::default(), true)
}

fn api(name: &str, base: &str, service: &str) -> Change {
    let definition = ApiDefinition {
        name: name.into(),
        version: String::new(),
        description: String::new(),
        base_path: base.into(),
        operations: vec![OperationDefinition {
            method: Method::GET,
            path: "/one/{id}".into(),
            service: service.into(),
            conversion: Some(Arc::new(Nothing)),
        }],
        swagger: "{}".into(),
        openapi: "{}".into(),
    };
    Change::Api(Box::new(definition), Arc::default(), true)
}

fn backends() -> Backends {
    Backends {
        regions: Regions::new(Arc::new(Nothing)),
        timeout: None,
    }
}

fn operation(live: &Live, path: &str) -> Option<Arc<Operation>> {
    match live.find(&Method::GET, path) {
        Ok(Found::Target(Target::Operation(operation), _)) | Ok(Found::Service(operation)) => {
            Some(operation.clone())
        }
        _ => None,
    }
}

/// Ten APIs of ten services.
fn ten() -> State {
    let mut state = State::default();
    for n in 0..10 {
        let changes = vec![
            service(&format!("S{n}"), &format!("/s{n}/*")),
            api(&format!("A{n}"), &format!("/a{n}"), &format!("S{n}")),
        ];
        state
            .change(changes, &backends())
            .unwrap_or_else(|e| panic!("{e}"));
    }
    state
}

#[test]
fn a_change_makes_only_what_it_touches() {
    let mut state = ten();
    let before = state.live().clone();
    let change = vec![service("S3", "/other/*")];
    state
        .change(change, &backends())
        .unwrap_or_else(|e| panic!("{e}"));
    let now = state.live();
    for n in 0..10 {
        let path = format!("/a{n}/one/7");
        let (old, new) = (operation(&before, &path), operation(now, &path));
        let same = Arc::ptr_eq(&old.unwrap(), &new.unwrap());
        // The API of the service that was replaced calls the new one.
        assert_eq!(same, n != 3, "{path}");
    }
    assert!(operation(&before, "/s3/x").is_some() && operation(now, "/s3/x").is_none());
    let called = operation(now, "/a3/one/7").unwrap();
    assert!(Arc::ptr_eq(&called.service, &now.services["S3"].installed));
}

#[test]
fn what_fails_in_the_middle_leaves_everything_as_it_was() {
    let mut state = ten();
    // The last wants the route of A9, under another name of its parameter.
    let mut clash = api("B", "/", "S1");
    let Change::Api(definition, ..) = &mut clash else {
        unreachable!()
    };
    definition.base_path = "/a9/one".into();
    definition.operations[0].path = "/{other}".into();
    let changes = vec![
        service("S3", "/other/*"),
        api("A4", "/moved", "S3"),
        Change::RemoveApi("A5".into()),
        clash,
    ];
    let refused = state.change(changes, &backends()).err().unwrap();
    let text = "GET /a9/one/{other} is deployed already";
    assert_eq!(refused, Refusal::Conflict(text.into()));
    for n in 0..10 {
        let called = operation(state.live(), &format!("/a{n}/one/7")).unwrap();
        let service = &state.live().services[&format!("S{n}")];
        assert!(Arc::ptr_eq(&called.service, &service.installed));
        assert!(operation(state.live(), &format!("/s{n}/x")).is_some());
    }
    assert!(operation(state.live(), "/moved/one/7").is_none());
    assert!(state.live().find(&Method::GET, "/a9/api-docs").is_ok());
    // Base path and callers are those of before, too.
    let taken = state.change(vec![api("B", "/a4/", "S1")], &backends());
    assert!(matches!(taken, Err(Refusal::Conflict(_))));
    assert_eq!(state.callers("S4"), [("A4".to_owned(), true)]);
}

#[test]
fn an_api_goes_with_its_routes_and_its_base_path() {
    let mut state = ten();
    let change = vec![Change::RemoveApi("A1".into())];
    state
        .change(change, &backends())
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(operation(state.live(), "/a1/one/7").is_none());
    assert!(state.live().find(&Method::GET, "/a1/openapi").is_err());
    let change = vec![api("C", "/a1", "S1")];
    state
        .change(change, &backends())
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(operation(state.live(), "/a1/one/7").is_some());
    let gone = state.change(vec![Change::RemoveApi("A1".into())], &backends());
    assert_eq!(gone.err(), Some(Refusal::Unknown));
}

#[test]
fn the_longest_prefix_of_a_path_is_found() {
    let mut state = State::default();
    for (name, uri) in [
        ("S1", "/a/*"),
        ("S2", "/a/b/x*"),
        ("S3", "/a/b*"),
        ("S4", "/a/*"),
    ] {
        let change = vec![service(name, uri)];
        state
            .change(change, &backends())
            .unwrap_or_else(|e| panic!("{e}"));
    }
    let called = |path| Some(operation(state.live(), path)?.service.name.to_string());
    assert_eq!(called("/a/b/x/1").as_deref(), Some("S2"));
    assert_eq!(called("/a/b/y").as_deref(), Some("S3"));
    assert_eq!(called("/a/c/x").as_deref(), Some("S1"));
    assert_eq!(called("/b"), None);
}
