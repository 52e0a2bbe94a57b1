//! The description of a request and what is made of requests: for each document both say the same.

use serde_json::{Value, json};
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::openapi::{openapi, swagger};
use transom_apidef::plan::{ApiPlan, Given, ServicePlan};
use transom_apidef::sar::ServiceArchive;
use transom_apidef::toolkit::{build_api, build_service};
use transom_copybook::shape::RecordFormat;

const COPYBOOK: &str = "
       01  PAY-AREA.
           05  PAY-TO              PIC 9(6).
           05  PAY-AMOUNT          PIC S9(3)V99 COMP-3.
           05  PAY-TEXT            PIC X(4).
           05  PAY-BY.
               10  PAY-BRANCH      PIC 99.
               10  PAY-COUNT       PIC 9.
           05  PAY-TAG OCCURS 0 TO 2 TIMES DEPENDING ON PAY-COUNT.
               10  PAY-WORD        PIC X(3).
";

const SERVICE: &str = "
name: pay
program: PAYPGM
request: {copybook: pay.cpy, rename: {PAY-AREA: pay, PAY-TO: to, PAY-AMOUNT: amount, PAY-TEXT: text,
  PAY-BY: by, PAY-BRANCH: branch, PAY-TAG: tags, PAY-WORD: word}}
response: {copybook: pay.cpy}
";

const API: &str = "
name: payments
basePath: pay
operations:
- {method: POST, path: /new, service: pay}
- {method: DELETE, path: /old, service: pay}
- {method: PUT, path: '/to/{to}', service: pay, request: {path: {to: pay/to}}}
- {method: GET, path: '/of', service: pay, responses: [
    {code: 409, when: 'PAY_AREA/PAY_TO = 1', description: Twice},
    {code: 204, when: 'PAY_AREA/PAY_TO = 2'}, {code: 200, description: Done}]}
";

fn api(strict: bool) -> ApiPlan {
    let book = |name: &str| (name == "pay.cpy").then(|| COPYBOOK.to_owned());
    let built = build_service("pay.yml", SERVICE, book).unwrap_or_else(|p| panic!("{p:?}"));
    let mut archive = ServiceArchive::read("pay.sar", &built.bytes).unwrap();
    archive.conversion.strict_types = strict;
    let plan = Arc::new(ServicePlan::new(&archive, &RecordFormat::region()).unwrap());
    let services = |name: &str| (name == "pay").then(|| plan.clone());
    let bytes = build_api("pay.yml", API, services).unwrap_or_else(|p| panic!("{p:?}"));
    ApiPlan::new(&ApiArchive::read("pay.aar", &bytes).unwrap(), services).unwrap()
}

/// Whether a value is of a schema; patterns are for others to check.
fn fits(schema: &Value, value: &Value) -> bool {
    if value.is_null() && schema["nullable"] == true && schema["anyOf"].is_null() {
        return true;
    }
    let of_type = match schema["type"].as_str() {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => value.is_number(),
    };
    let number = |key: &str| schema[key].as_f64();
    let within = value.as_f64().is_none_or(|v| {
        number("minimum").is_none_or(|least| v >= least)
            && number("maximum").is_none_or(|most| v <= most)
    });
    let length = |key: &str| schema[key].as_u64().map_or(usize::MAX, |n| n as usize);
    let short = value
        .as_str()
        .is_none_or(|s| s.chars().count() <= length("maxLength"));
    let items = value.as_array().is_none_or(|items| {
        items.len() <= length("maxItems") && items.iter().all(|item| fits(&schema["items"], item))
    });
    let members = value.as_object().is_none_or(|members| {
        let required = schema["required"].as_array().into_iter().flatten();
        let known = |name: &str| schema["properties"].get(name);
        required
            .into_iter()
            .all(|name| members.contains_key(name.as_str().unwrap()))
            && members.iter().all(|(name, value)| match known(name) {
                Some(schema) => fits(schema, value),
                None => schema["additionalProperties"] != false,
            })
    });
    let any = schema["anyOf"].as_array();
    let any = any.is_none_or(|all| all.iter().any(|schema| fits(schema, value)));
    let listed = schema["enum"]
        .as_array()
        .is_none_or(|all| all.contains(value));
    of_type && within && short && items && members && any && listed
}

fn schema(document: &Value, operation: usize, api: &ApiPlan) -> Value {
    let name = format!("{}_request", api.operations[operation].operation_id);
    document["components"]["schemas"][name].clone()
}

#[test]
fn a_request_is_described_as_it_is_taken() {
    let documents = [
        r#"{"pay":{"to":42,"amount":-1.5,"text":"ab","by":{"branch":7},"tags":[{"word":"x"}]}}"#,
        r#"{"pay":{"to":1000000}}"#,
        r#"{"pay":{"text":"abcde"}}"#,
        r#"{"pay":{"text":12}}"#,
        r#"{"pay":{"text":12345}}"#,
        r#"{"pay":{"text":-999}}"#,
        r#"{"pay":{"text":-9999}}"#,
        r#"{"pay":{"to":"00000042","amount":"12.34"}}"#,
        r#"{"pay":{"to":true}}"#,
        r#"{"pay":{"to":null}}"#,
        r#"{"pay":{"to":null,"amount":1}}"#,
        r#"{"pay":{"amount":1,"by":null,"tags":null}}"#,
        r#"{"pay":{"tags":[]}}"#,
        r#"{"pay":{"tags":[null]}}"#,
        r#"{"pay":{"tags":[{},{},{}]}}"#,
        r#"{"pay":{"tags":[{"word":"long"}]}}"#,
        r#"{"pay":{"by":{"branch":1}}}"#,
        r#"{"pay":{"by":{}}}"#,
        r#"{"pay":{"by":{"brunch":1}}}"#,
        r#"{"pay":{"amount":1,"more":1},"other":2}"#,
        r#"{"pay":{"more":1}}"#,
        r#"{"pay":{}}"#,
        r#"{"pay":null}"#,
        r#"{"pay":5}"#,
        r#"{"PAY":{"to":1}}"#,
        "{}",
        "null",
        "[]",
        "5",
    ];
    let mut taken = [0; 2];
    for strict in [false, true] {
        let api = api(strict);
        let document = openapi(&api, &[]);
        for (operation, sends, outside) in [(0, true, false), (1, false, false), (2, true, true)] {
            let plan = &api.operations[operation].request;
            let schema = schema(&document, operation, &api);
            for text in documents {
                let mut record = Vec::new();
                let good = match plan.encode(text.as_bytes(), &[], &mut record) {
                    Ok(Given::Values) => true,
                    Ok(Given::Nothing) => !sends || outside,
                    Ok(Given::OtherMembers) | Err(_) => false,
                };
                let value: Value = serde_json::from_str(text).unwrap();
                let method = &api.operations[operation].method;
                assert_eq!(fits(&schema, &value), good, "{method} {text}\n{schema:#}");
                taken[usize::from(strict)] += usize::from(good);
            }
        }
    }
    assert!(taken[0] > taken[1] && taken[1] > 10, "{taken:?}");
}

#[test]
fn patterns_and_required_bodies_are_said() {
    let api = api(false);
    let document = openapi(&api, &[]);
    let body = |path: &str, method: &str| {
        let operation = &document["paths"][path][method];
        operation["requestBody"]["required"].clone()
    };
    let required = [
        body("/new", "post"),
        body("/old", "delete"),
        body("/to/{to}", "put"),
    ];
    assert_eq!(required, [json!(true), json!(false), json!(false)]);
    let pay = &schema(&document, 0, &api)["properties"]["pay"];
    assert_eq!(
        pay["properties"]["amount"],
        json!({"anyOf": [
            {"multipleOf": 0.01, "minimum": -999.99, "maximum": 999.99, "type": "number",
             "format": "decimal", "nullable": true},
            {"type": "string",
             "pattern": r"^[ \t\r\n]*[+-]?0*[0-9]{1,3}(\.[0-9]{1,2}0*)?[ \t\r\n]*$"}
        ]})
    );
}

#[test]
fn every_status_is_described_in_both_documents() {
    let api = api(false);
    let of = &openapi(&api, &[])["paths"]["/of"]["get"]["responses"];
    let statuses: Vec<&String> = of.as_object().unwrap().keys().collect();
    assert_eq!(
        statuses,
        ["409", "204", "200", "400", "500", "503", "default"]
    );
    // The gateway has a body of its own for such a status, and 204 has none.
    let twice = &of["409"]["content"]["application/json"]["schema"]["anyOf"];
    assert_eq!(twice[1]["$ref"], "#/components/schemas/Error", "{of:#}");
    assert!(of["204"]["content"].is_null());
    let of = swagger(&api, None, &[])["paths"]["/of"]["get"]["responses"].clone();
    let error = &of["400"]["schema"]["required"][0];
    assert_eq!(
        (error, of["409"]["description"].as_str()),
        (&json!("errorMessage"), Some("Twice"))
    );
    assert!(of["default"].is_object(), "{of:#}");
}
