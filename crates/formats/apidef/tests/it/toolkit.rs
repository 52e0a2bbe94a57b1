//! Archives made from copybooks and YAML: built, read back by the same code as IBM's, planned and
//! called.

use serde_json::{Value, json};
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::{ApiPlan, OperationPlan, ServicePlan, Source};
use transom_apidef::sar::{Carrier, ServiceArchive, TransidUsage};
use transom_apidef::toolkit::{BuiltService, build_api, build_service};
use transom_copybook::shape::RecordFormat;
use transom_messages::Problem;

const COPYBOOK: &str = "
       01  ORDER-AREA.
           05  ORD-RETURN          PIC 99.
           05  ORD-ID              PIC 9(6).
           05  ORD-KIND            PIC X.
           05  ORD-DATE            PIC 9(8).
           05  ORD-DATE-PARTS REDEFINES ORD-DATE.
               10  ORD-DAY         PIC 99.
               10  ORD-MONTH       PIC 99.
               10  ORD-YEAR        PIC 9(4).
           05  ORD-TOTAL           PIC S9(7)V99 COMP-3.
           05  ORD-COUNT           PIC S9(4) COMP.
           05  ORD-RATE            COMP-2.
           05  FILLER              PIC X(3).
           05  ORD-TAGS            PIC X(4) OCCURS 2.
           05  ORD-NOTE            PIC N(5).
           05  ORD-LINE OCCURS 0 TO 3 TIMES DEPENDING ON ORD-COUNT.
               10  ORD-ITEM        PIC X(5).
               10  ORD-QTY         PIC S9(3) SIGN LEADING SEPARATE.
";

const SERVICE: &str = "
name: order
version: 2.1.0
description: Orders & more
program: ORDPGM
transid: ORDX
transidUsage: EIB_AND_MIRROR
connectionRef: cicsConn
properties: {initializeInputFields: true, omitOutputFieldsByValue: true, omitOutputFieldsByValueByte: '0x00'}
request:
  copybook: order.cpy
  names: camel
  rename: {ORDER-AREA: order, ORD-ID: id, ORD-LINE: lines}
  default: {ORD-KIND: 'Z'}
  exclude: [ORD-RATE]
  redefines: {ORD-DATE: ORD-DATE-PARTS}
";

fn copybook(name: &str) -> Option<String> {
    (name == "order.cpy").then(|| COPYBOOK.to_owned())
}

fn service(yaml: &str) -> Result<BuiltService, Problem> {
    build_service("order.yml", yaml, copybook)
}

fn plan(yaml: &str) -> Arc<ServicePlan> {
    let built = service(yaml).unwrap();
    let back = ServiceArchive::read("order.sar", &built.bytes).unwrap();
    Arc::new(ServicePlan::new(&back, &RecordFormat::region()).unwrap())
}

fn decode(operation: &OperationPlan, record: &[u8]) -> (u16, Vec<(String, String)>, Value) {
    let mut out = Vec::new();
    let reply = operation.response.decode(record, &mut out).unwrap();
    (
        reply.code,
        reply.headers,
        serde_json::from_slice(&out).unwrap(),
    )
}

#[test]
fn a_service_reads_back_as_it_was_asked_for() {
    let built = service(SERVICE).unwrap();
    assert_eq!(built.bytes, service(SERVICE).unwrap().bytes);
    let back = ServiceArchive::read("order.sar", &built.bytes).unwrap();
    assert_eq!(
        (
            back.name.as_str(),
            back.version.as_str(),
            back.description.as_str()
        ),
        ("order", "2.1.0", "Orders & more")
    );
    assert_eq!(
        (
            back.program.unwrap().as_str(),
            back.transid.unwrap().as_str()
        ),
        ("ORDPGM", "ORDX")
    );
    assert_eq!(
        (back.transid_usage, back.connection_ref.as_deref()),
        (Some(TransidUsage::EibAndMirror), Some("cicsConn"))
    );
    assert!(
        back.conversion.initialize_input_fields
            && back.conversion.omit_output_fields_by_value == Some(0)
    );
    assert!(back.notices.is_empty(), "{:?}", back.notices);
    assert_eq!(
        back.request_schema,
        Some(transom_apidef::schema::of_shape(&back.request.shape))
    );
    let members = &back.request_schema.as_ref().unwrap()["properties"]["order"]["properties"];
    let names: Vec<&String> = members.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "OrdReturn",
            "id",
            "OrdKind",
            "OrdDateParts",
            "OrdTotal",
            "OrdTags",
            "OrdNote",
            "lines"
        ]
    );
    assert_eq!(members["OrdTags"]["items"]["type"], "string");
    assert_eq!(
        (&members["lines"]["minItems"], &members["lines"]["maxItems"]),
        (&json!(0), &json!(3))
    );
}

#[test]
fn every_kind_of_field_goes_there_and_back() {
    let plan = plan(SERVICE);
    let document = json!({"order": {"OrdReturn": 7, "id": 42, "OrdKind": "K",
        "OrdDateParts": {"OrdDay": 20, "OrdMonth": 11, "OrdYear": 2026}, "OrdTotal": -12.5, "OrdTags": ["ab", "cd"],
        "OrdNote": "Gr\u{fc}\u{df}e", "lines": [{"OrdItem": "NUT", "OrdQty": -5}, {"OrdItem": "BOLT", "OrdQty": 7}]}});
    let mut record = Vec::new();
    plan.request
        .encode(document.to_string().as_bytes(), &[], &mut record)
        .unwrap();
    assert_eq!(record.len(), plan.commarea_len);
    assert_eq!(&record[..17], b"07000042K20112026");
    assert_eq!(&record[17..24], [0, 0, 0x01, 0x25, 0x0D, 0, 2]);
    assert_eq!(&record[53..71], b"NUT  -005BOLT +007");
    let mut out = Vec::new();
    plan.response.decode(&record, &mut out).unwrap();
    let expected = document;
    let got: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(got["order"]["lines"], expected["order"]["lines"]);
    assert_eq!(got["order"]["OrdTotal"].to_string(), "-12.50");
    for name in [
        "OrdReturn",
        "id",
        "OrdKind",
        "OrdDateParts",
        "OrdTags",
        "OrdNote",
    ] {
        assert_eq!(got["order"][name], expected["order"][name], "{name}");
    }
    // The default of a field nobody sends.
    record.clear();
    plan.request.encode(b"{}", &[], &mut record).unwrap();
    assert_eq!(&record[..9], b"00000000Z");
}

const API: &str = "
name: orders
version: 1.2.0
basePath: shop
operations:
- method: put
  path: /orders/{id}/{kind}
  service: order
  request:
    path: {id: order/id, kind: OrdKind}
    query: {total: OrdTotal}
    header: {X-Year: OrdDateParts/OrdYear}
    assign: {OrdDateParts/OrdDay: 31}
    remove: [OrdTags]
    rename: {lines: items}
  responses:
  - {code: 404, description: Not found, when: 'order/OrdReturn = 20 OR order/OrdReturn > 90', remove: [order/lines]}
  - {code: 409, when: \"OrdKind startswith 'C' AND OrdReturn != 0\", assign: {OrdKind: X}}
  - code: 200
    description: Done
    headers: {X-Total: OrdTotal, X-Served-By: =transom}
    move: {OrdNote: order/extra/note}
    order: {order: [OrdTotal, id]}
    rename: {lines: items, order: Order}
- {method: GET, path: '/orders/{id}/{kind}', service: order}
";

fn api() -> ApiPlan {
    let plan = plan(SERVICE);
    let services = |name: &str| (name == "order").then(|| plan.clone());
    let bytes = build_api("orders.yml", API, services).unwrap();
    assert_eq!(bytes, build_api("orders.yml", API, services).unwrap());
    let archive = ApiArchive::read("orders.aar", &bytes).unwrap();
    assert_eq!(
        (
            archive.name.as_str(),
            archive.base_path.as_str(),
            archive.version.as_str()
        ),
        ("orders", "/shop", "1.2.0")
    );
    assert!(archive.notices.is_empty());
    ApiPlan::new(&archive, services).unwrap()
}

#[test]
fn a_delete_may_have_a_body() {
    let mut api = api();
    for (method, named) in [("DELETE", true), ("GET", false), ("PUT", true)] {
        api.operations[0].method = method.to_owned();
        let open = transom_apidef::openapi::openapi(&api, &[]);
        let path = &open["paths"][&api.operations[0].path];
        let body = &path[method.to_ascii_lowercase()]["requestBody"];
        assert_eq!(body.is_object(), named, "{method}: {path}");
    }
}

#[test]
fn requests_take_values_from_path_query_and_header() {
    let api = api();
    let operation = &api.operations[0];
    let sources: Vec<(Source, &str)> = operation
        .request
        .overrides
        .iter()
        .map(|o| (o.source, o.name.as_str()))
        .collect();
    assert_eq!(
        sources,
        [
            (Source::Path, "id"),
            (Source::Path, "kind"),
            (Source::Query, "total"),
            (Source::Header, "X-Year")
        ]
    );
    let ids: Vec<_> = operation.request.overrides.iter().map(|o| o.id).collect();
    let values = [
        (ids[0], "77"),
        (ids[1], "B"),
        (ids[2], "1.25"),
        (ids[3], "1999"),
    ];
    let body = br#"{"order":{"id":1,"OrdTags":["x","y"],"OrdDateParts":{"OrdDay":1,"OrdMonth":2},"items":[{"OrdQty":1}],"lines":[]}}"#;
    let mut record = Vec::new();
    operation
        .request
        .encode(body, &values, &mut record)
        .unwrap();
    assert_eq!(&record[..17], b"00000077B31021999");
    assert_eq!(&record[17..24], [0, 0, 0, 0x12, 0x5C, 0, 1]);
    assert_eq!(&record[35..43], b"        ");
    let schema = transom_apidef::schema::of_shape(&operation.request.shape);
    let members: Vec<&String> = schema["properties"]["order"]["properties"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(members, ["OrdReturn", "OrdDateParts", "OrdNote", "items"]);
}

#[test]
fn the_answer_chooses_code_headers_and_document() {
    let api = api();
    let operation = &api.operations[0];
    let mut record = Vec::new();
    let document = json!({"order": {"OrdReturn": 0, "id": 5, "OrdKind": "C", "OrdTotal": 3.5, "OrdNote": "hi", "lines": [{"OrdItem": "a"}]}});
    operation
        .service
        .request
        .encode(document.to_string().as_bytes(), &[], &mut record)
        .unwrap();
    let (code, headers, json) = decode(operation, &record);
    let owned = |pairs: &[(&str, &str)]| {
        pairs
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (code, headers),
        (
            200,
            owned(&[("X-Total", "3.50"), ("X-Served-By", "transom")])
        )
    );
    assert_eq!(json["Order"]["extra"], json!({"note": "hi"}));
    let order: Vec<&String> = json["Order"].as_object().unwrap().keys().take(3).collect();
    assert_eq!(order, ["OrdTotal", "id", "OrdReturn"]);
    assert_eq!(json["Order"]["items"][0]["OrdItem"], "a");
    assert!(json["Order"].get("OrdNote").is_none());
    record[..2].copy_from_slice(b"20");
    let (code, _, json) = decode(operation, &record);
    assert_eq!((code, json["order"].get("lines")), (404, None));
    record[..2].copy_from_slice(b"95");
    assert_eq!(decode(operation, &record).0, 404);
    record[..2].copy_from_slice(b"30");
    let (code, headers, json) = decode(operation, &record);
    assert_eq!(
        (code, headers.len(), &json["order"]["OrdKind"]),
        (409, 0, &json!("X"))
    );
    // The second operation has no mapping at all.
    assert_eq!(decode(&api.operations[1], &record).0, 200);
}

#[test]
fn documentation_of_what_was_built() {
    let api = api();
    let swagger = transom_apidef::openapi::swagger(&api, None, &[]);
    let put = &swagger["paths"]["/orders/{id}/{kind}"]["put"];
    assert_eq!(put["responses"]["404"]["description"], "Not found");
    assert_eq!(
        put["responses"]["200"]["headers"]["X-Total"]["type"],
        "string"
    );
    let open = transom_apidef::openapi::openapi(&api, &[]);
    let parameters = open["paths"]["/orders/{id}/{kind}"]["put"]["parameters"]
        .as_array()
        .unwrap();
    let names: Vec<(&str, &str)> = parameters
        .iter()
        .map(|p| (p["name"].as_str().unwrap(), p["in"].as_str().unwrap()))
        .collect();
    assert_eq!(
        names,
        [
            ("id", "path"),
            ("kind", "path"),
            ("total", "query"),
            ("X-Year", "header")
        ]
    );
    assert_eq!(parameters[0]["schema"]["maximum"], 999_999);
}

#[test]
fn channels_with_several_containers() {
    let yaml = "
name: chan
program: CHANPGM
request:
  containers:
  - {name: ORDERS, copybook: order.cpy}
  - {name: COMMENT, type: CHAR, required: false, bytes: 20}
response:
  containers:
  - {name: REPLY, copybook: order.cpy, include: [ORD-RETURN]}
";
    let plan = plan(yaml);
    let document =
        json!({"chanOperation": {"ORDERS": {"ORDER_AREA": {"ORD_ID": 9}}, "COMMENT": "hello"}});
    let mut record = Vec::new();
    plan.request
        .encode(document.to_string().as_bytes(), &[], &mut record)
        .unwrap();
    let parts = plan.request.carrier.split(&record);
    let names: Vec<(&str, bool, bool)> = parts
        .iter()
        .map(|(p, _)| (p.name.as_str(), p.character, p.required))
        .collect();
    assert_eq!(names, [("COMMENT", true, false), ("ORDERS", false, true)]);
    assert_eq!(
        (parts[0].1, &parts[1].1[2..8]),
        (&b"hello               "[..], &b"000009"[..])
    );
    let Carrier::Channel { containers, .. } = &plan.response.carrier else {
        panic!()
    };
    let record = plan
        .response
        .carrier
        .join(plan.response.record_len, [(containers[0].name, &b"12"[..])]);
    let mut out = Vec::new();
    plan.response.decode(&record, &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        r#"{"chanOperationResponse":{"REPLY":{"ORDER_AREA":{"ORD_RETURN":12}}}}"#
    );
}

#[test]
fn mistakes_in_service_files() {
    for (from, to, expected) in [
        (
            "program:",
            "programm:",
            "TXMAD0050E unknown key programm; did you mean program?",
        ),
        (
            "exclude: [ORD-RATE]",
            "exclude: [ORD-RAET]",
            "TXMAD0051E request.exclude names ORD-RAET, which order.cpy does not have; did you mean ORD-RATE?",
        ),
        (
            "ORD-DATE: ORD-DATE-PARTS",
            "ORD-DATE: ORD-TOTAL",
            "TXMAD0051E request.redefines ORD-TOTAL does not redefine ORD-DATE",
        ),
        (
            "copybook: order.cpy",
            "copybook: x.cpy",
            "TXMAD0051E request.copybook \"x.cpy\" is not found",
        ),
        (
            "ORD-ID: id",
            "ORD-ID: OrdKind",
            "TXMAD0051E ORDER-AREA.ORD-KIND: two members are named OrdKind",
        ),
        (
            "names: camel",
            "names: snake",
            "TXMAD0051E request.names is \"snake\"",
        ),
        (
            "transidUsage: EIB_AND_MIRROR",
            "transidUsage: BOTH",
            "TXMAD0010E property transidUsage is \"BOTH\"",
        ),
        (
            "program: ORDPGM",
            "program: ORDERPROGRAM",
            "TXMAD0010E property program has the value",
        ),
        ("name: order", "name: 'a/b'", "TXMAD0051E name may have"),
        (
            "initializeInputFields: true",
            "initializeInputFields: perhaps",
            "TXMAD0010E property initializeInputFields",
        ),
        ("name: order", "name: [", "TXMAD0006E "),
    ] {
        assert!(SERVICE.contains(from), "{from}");
        let text = SERVICE.replacen(from, to, 1);
        let error = service(&text).unwrap_err();
        assert!(
            error.message.line().starts_with(expected),
            "{error:?}\n{expected}"
        );
        if error.id() != "TXMAD0006E" {
            points_at(&error, &text, to);
        }
    }
}

/// The place in the user's own file is that of the mistake, or of what the message names.
fn points_at(error: &Problem, text: &str, mistake: &str) {
    assert!(
        error.place.file.ends_with(".yml") && !error.place.file.contains('!'),
        "{error:?}"
    );
    assert!(error.place.column.is_some(), "{error:?}");
    let line = text
        .lines()
        .nth(error.place.line as usize - 1)
        .unwrap_or_default();
    let first = mistake.lines().next().unwrap_or_default();
    let value = line.split(": ").last().unwrap_or_default();
    let named = value.len() > 2 && error.message.line().contains(value);
    // What is named several times: the operation.
    let named = named || line.trim_start().starts_with("- method");
    assert!(named || line.contains(first), "{error:?}\n{line}\n{first}");
}

#[test]
fn mistakes_in_api_files() {
    let plan = plan(SERVICE);
    for (from, to, expected) in [
        (
            "service: order\n",
            "service: odrer\n",
            "TXMAD0024E operations[0] needs service odrer",
        ),
        (
            "method: put",
            "method: FETCH",
            "TXMAD0051E operations[0].method is \"FETCH\"",
        ),
        ("id: order/id", "id: order/idd", "TXMAD0022E "),
        ("id: order/id", "nr: order/id", "TXMAD0022E "),
        ("id: order/id", "id: order/lines/OrdQty", "TXMAD0022E "),
        (
            "path: /orders/{id}/{kind}",
            "path: /orders/{id}x/{kind}",
            "TXMAD0051E operations[0].path is /orders/{id}x/{kind}: a parameter must be a whole part",
        ),
        (
            "code: 404",
            "code: 42",
            "TXMAD0051E operations[0].responses[0].code is 42",
        ),
        (
            "order/OrdReturn = 20",
            "order/OrdReturn ~ 20",
            "TXMAD0051E operations[0].responses[0].when : \"~\" is no comparison",
        ),
        (
            "order/OrdReturn = 20",
            "order/OrdReturn = none",
            "TXMAD0023E",
        ),
        ("order/OrdReturn = 20", "order/Nope = 20", "TXMAD0022E"),
        ("X-Total: OrdTotal", "'X Total': OrdTotal", "TXMAD0022E"),
        ("[OrdTotal, id]", "[OrdTotal, ident]", "TXMAD0022E"),
        (
            "{order: [OrdTotal, id]}",
            "{order: OrdTotal}",
            "TXMAD0051E operations[0].responses[2].order.order must be a list of names",
        ),
        (
            "rename: {lines: items, order: Order}",
            "rename: {lines: OrdKind}",
            "TXMAD0022E",
        ),
        ("code: 200", "code: 500\n    when: 'OrdKind = 1'", ""),
    ] {
        assert!(API.contains(from), "{from}");
        let yaml = API.replacen(from, to, 1);
        let result = build_api("orders.yml", &yaml, |name| {
            (name == "order").then(|| plan.clone())
        });
        match result {
            Ok(_) => assert!(expected.is_empty(), "{to} was accepted"),
            Err(error) => {
                let fits = error.message.line().starts_with(expected);
                assert!(!expected.is_empty() && fits, "{error:?}\n{expected}");
                points_at(&error, &yaml, to);
            }
        }
    }
}
