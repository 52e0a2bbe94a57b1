//! The replies of operations in descriptions: what answers of programs become, and the gateway's
//! own.
//!
//! Why both: a client must know every status it can get. Not here: what requests look like.

use crate::plan::{OperationPlan, ResponseCase};
use crate::schema;
use serde_json::{Map, Value, json};

/// Statuses of the gateway itself that every operation can have.
const OWN: [(u16, &str); 3] = [
    (
        400,
        "The request does not fit this description; no program was run",
    ),
    (
        500,
        "The program failed, or its answer does not fit its description",
    ),
    (
        503,
        "The API or its region is stopped, busy, or did not answer in time",
    ),
];
/// All others: no logon, no authority, no such path, a body too long.
const OTHERS: &str = "The request or the service failed";
const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "head", "options"];

/// The replies of an operation by status. Schemas of bodies are added to `schemas`.
pub(crate) fn of(
    operation: &OperationPlan,
    schemas: &mut Map<String, Value>,
) -> Map<String, Value> {
    let mut responses = Map::new();
    let cases = &operation.response.cases;
    for case in cases {
        let same: Vec<&ResponseCase> = cases.iter().filter(|c| c.code == case.code).collect();
        responses
            .entry(case.code.to_string())
            .or_insert_with(|| of_status(operation, &same, schemas));
    }
    for (status, description) in OWN {
        let own = || json!({"description": description, "content": failed()});
        responses.entry(status.to_string()).or_insert_with(own);
    }
    let others = json!({"description": OTHERS, "content": failed()});
    responses.insert("default".into(), others);
    responses
}

/// One status, which several cases of the mapping may have.
fn of_status(
    operation: &OperationPlan,
    cases: &[&ResponseCase],
    schemas: &mut Map<String, Value>,
) -> Value {
    let fewer = !operation
        .service
        .conversion()
        .enforce_min_array_occurrence_response;
    let mut names: Vec<String> = Vec::new();
    let mut all_headers = Map::new();
    for case in cases {
        let body = schema::of_response(&case.shape, fewer);
        let name = match names.len() {
            0 => format!("{}_response_{}", operation.operation_id, case.code),
            n => format!(
                "{}_response_{}_{}",
                operation.operation_id,
                case.code,
                n + 1
            ),
        };
        if names.iter().all(|known| schemas[known] != body) {
            schemas.insert(name.clone(), body);
            names.push(name);
        }
        all_headers.extend(headers(case, |_| json!({"schema": {"type": "string"}})));
    }
    let code = cases.first().map_or(200, |case| case.code);
    // The gateway has such replies of its own.
    if code >= 400 {
        names.push("Error".into());
    }
    let mut described = cases.iter().map(|case| case.description.as_str());
    let described = described.find(|text| !text.is_empty());
    let mut response = json!({"description": described.unwrap_or("Response")});
    if !matches!(code, 204 | 304) {
        response["content"] = content(&names);
    }
    if !all_headers.is_empty() {
        response["headers"] = all_headers.into();
    }
    response
}

/// A body that is of one of these schemas.
pub(crate) fn content(names: &[String]) -> Value {
    let of = |name: &String| json!({"$ref": format!("#/components/schemas/{name}")});
    let schema = match names {
        [name] => of(name),
        names => json!({"anyOf": names.iter().map(of).collect::<Vec<_>>()}),
    };
    json!({"application/json": {"schema": schema}})
}

/// The headers that a case of a mapping sets.
pub(crate) fn headers(case: &ResponseCase, schema: impl Fn(&str) -> Value) -> Map<String, Value> {
    case.headers
        .iter()
        .map(|h| (h.name.clone(), schema(&h.name)))
        .collect()
}

fn failed() -> Value {
    content(&["Error".to_owned()])
}

/// The body of the gateway's own replies.
pub(crate) fn error() -> Value {
    json!({
        "type": "object",
        "properties": {"errorMessage": {"type": "string"}, "errorDetails": {"type": "string"}},
        "required": ["errorMessage"]
    })
}

/// Adds the gateway's own replies to a Swagger 2.0 document that lacks them.
pub(crate) fn of_swagger(document: &mut Value) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for item in paths.into_iter().flat_map(|paths| paths.values_mut()) {
        for method in METHODS {
            let responses = item.get_mut(method).and_then(|o| o.get_mut("responses"));
            let Some(responses) = responses.and_then(Value::as_object_mut) else {
                continue;
            };
            for (status, description) in OWN {
                let own = || json!({"description": description, "schema": error()});
                responses.entry(status.to_string()).or_insert_with(own);
            }
            let others = || json!({"description": OTHERS, "schema": error()});
            responses.entry("default").or_insert_with(others);
        }
    }
}
