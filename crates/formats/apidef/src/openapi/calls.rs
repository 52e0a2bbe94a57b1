//! Operations over services that are called by HTTP, in Swagger 2.0 and OpenAPI 3.0.
//!
//! What: parameters from the mapping, bodies as the service's own schemas say them. Not here:
//! replies of the gateway itself.

use crate::plan::{RestOperation, Source};
use serde_json::{Value, json};

/// One operation.
pub(super) fn operation(call: &RestOperation, swagger: bool) -> Value {
    let mut parameters: Vec<Value> = call
        .moves
        .iter()
        .map(|one| {
            let place = match one.source {
                Source::Path => "path",
                Source::Query => "query",
                Source::Header => "header",
            };
            let (required, kind) = (place == "path", word(&one.schema));
            match swagger {
                true => json!({"name": one.name, "in": place, "required": required, "type": kind}),
                false => json!({
                    "name": one.name, "in": place, "required": required, "schema": {"type": kind}
                }),
            }
        })
        .collect();
    let mut out = json!({"operationId": call.operation_id});
    if !matches!(call.method.as_str(), "GET" | "HEAD" | "DELETE") {
        match swagger {
            true => parameters.push(json!({
                "in": "body", "name": "body", "required": true, "schema": {"type": "object"}
            })),
            false => {
                let content = json!({"application/json": {"schema": {"type": "object"}}});
                out["requestBody"] = json!({"content": content});
            }
        }
    }
    out["parameters"] = parameters.into();
    for case in &call.cases {
        let response = match swagger {
            true => json!({"description": case.description, "schema": {"type": "object"}}),
            false => json!({
                "description": case.description,
                "content": {"application/json": {"schema": {"type": "object"}}}
            }),
        };
        out["responses"][case.code.to_string()] = response;
    }
    out
}

/// The type of a member that may be null, for a parameter, which is there or not.
fn word(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            kinds
                .into_iter()
                .find(|kind| *kind != "null")
                .unwrap_or("string")
        }
        Value::String(kind) => kind,
        _ => "string",
    }
}
