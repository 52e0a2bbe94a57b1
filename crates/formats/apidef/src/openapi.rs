//! Swagger 2.0 and OpenAPI 3.0 documents of an API.
//!
//! Swagger: the archive's own document when it has one, with host and schemes of this server and
//! the gateway's own replies; else one in the form IBM's editor writes. OpenAPI: always from the
//! compiled operations, as exactly as a schema can say what is accepted.

mod calls;

use crate::accepted;
use crate::plan::{ApiPlan, OperationPlan, RestOperation, Source};
use crate::replies;
use crate::schema;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use transom_copybook::shape::Kind;

/// The Swagger 2.0 document. `host` is `name:port` as clients see it, `schemes` are `https` and
/// `http`.
pub fn swagger(api: &ApiPlan, host: Option<&str>, schemes: &[&str]) -> Value {
    let mut document = api
        .swagger
        .clone()
        .filter(Value::is_object)
        .unwrap_or_else(|| generate(api));
    document["basePath"] = api.base_path.clone().into();
    if let Some(host) = host {
        document["host"] = host.into();
    }
    if !schemes.is_empty() {
        document["schemes"] = schemes.into();
    }
    replies::of_swagger(&mut document);
    document
}

/// Adds operations over services that are called by HTTP, where the document lacks them.
pub fn with_calls(mut document: Value, calls: &[Arc<RestOperation>]) -> Value {
    let swagger = document.get("swagger").is_some();
    for call in calls {
        let item = &mut document["paths"][&call.path];
        let method = call.method.to_ascii_lowercase();
        if item.get(&method).is_some() {
            continue;
        }
        item[&method] = calls::operation(call, swagger);
    }
    document
}

/// The document as IBM's editor would write it for these operations.
pub fn generate(api: &ApiPlan) -> Value {
    let mut paths = Paths::default();
    let mut definitions = Map::new();
    for operation in &api.operations {
        let id = &operation.operation_id;
        let request = format!("{id}_request");
        let mut parameters = swagger_parameters(operation);
        parameters.push(json!({
            "in": "body", "name": request, "description": "request body", "required": true,
            "schema": {"$ref": format!("#/definitions/{request}")}
        }));
        definitions.insert(
            request,
            schema::of_shape_for_swagger(&operation.request.shape),
        );
        let mut responses = Map::new();
        for case in &operation.response.cases {
            let name = format!("{id}_response_{}", case.code);
            let mut response = Map::new();
            response.insert("description".into(), case.description.clone().into());
            response.insert(
                "schema".into(),
                json!({"$ref": format!("#/definitions/{name}")}),
            );
            let headers = replies::headers(case, |_| json!({"type": "string"}));
            if !headers.is_empty() {
                response.insert("headers".into(), headers.into());
            }
            responses
                .entry(case.code.to_string())
                .or_insert(response.into());
            definitions
                .entry(name)
                .or_insert_with(|| schema::of_shape_for_swagger(&case.shape));
        }
        let value = json!({"tags": [api.name], "operationId": id, "parameters": parameters, "responses": responses});
        paths.put(operation, value);
    }
    json!({
        "swagger": "2.0",
        "info": {"description": api.description, "version": api.version, "title": api.name},
        "host": "localhost:8080",
        "basePath": api.base_path,
        "schemes": ["https", "http"],
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "paths": paths.value(),
        "definitions": definitions
    })
}

/// The OpenAPI 3.0 document. `servers` are URLs up to the base path, without it.
pub fn openapi(api: &ApiPlan, servers: &[&str]) -> Value {
    let mut paths = Paths::default();
    let mut schemas = Map::new();
    for operation in &api.operations {
        let value = openapi_operation(api, operation, &mut schemas);
        paths.put(operation, value);
    }
    schemas.insert("Error".into(), replies::error());
    let servers: Vec<Value> = if servers.is_empty() {
        vec![json!({"url": api.base_path})]
    } else {
        servers
            .iter()
            .map(|s| json!({"url": format!("{}{}", s.trim_end_matches('/'), api.base_path)}))
            .collect()
    };
    json!({
        "openapi": "3.0.3",
        "info": {"title": api.name, "description": api.description, "version": version(&api.version)},
        "servers": servers,
        "paths": paths.value(),
        "components": {
            "schemas": schemas,
            "securitySchemes": {"basic": {"type": "http", "scheme": "basic"}}
        },
        "security": [{}, {"basic": []}]
    })
}

fn openapi_operation(
    api: &ApiPlan,
    operation: &OperationPlan,
    schemas: &mut Map<String, Value>,
) -> Value {
    let id = &operation.operation_id;
    let format = operation.service.format();
    let parameters = openapi_parameters(operation);
    let mut out = Map::new();
    out.insert("tags".into(), json!([api.name]));
    out.insert("operationId".into(), id.clone().into());
    out.insert("parameters".into(), parameters.into());
    // OpenAPI leaves the meaning of a DELETE's body open; z/OS Connect takes one.
    let body_allowed = !matches!(operation.method.as_str(), "GET" | "HEAD");
    if body_allowed && !operation.request.body_members().is_empty() {
        let name = format!("{id}_request");
        let empty = operation.method == "DELETE" || !operation.request.overrides.is_empty();
        let properties = operation.service.conversion();
        let shape = &operation.request.shape;
        let schema = accepted::of_request(shape, properties, format, empty);
        schemas.insert(name.clone(), schema);
        out.insert(
            "requestBody".into(),
            json!({"required": !empty, "content": replies::content(&[name])}),
        );
    }
    out.insert("responses".into(), replies::of(operation, schemas).into());
    out.into()
}

fn swagger_parameters(operation: &OperationPlan) -> Vec<Value> {
    let mut parameters = Vec::new();
    // IBM's editor puts this header into each request map it makes.
    if operation.request_mapped {
        parameters.push(
            json!({"name": "Authorization", "in": "header", "required": false, "type": "string"}),
        );
    }
    for (name, place, kind) in named_values(operation) {
        let mut parameter =
            json!({"name": name, "in": place, "required": place == "path", "type": "string"});
        // Numbers are texts in Swagger's parameters; only texts have a length worth telling.
        if let Some(Kind::Text(text)) = kind {
            parameter["maxLength"] = text.len.into();
        }
        parameters.push(parameter);
    }
    parameters
}

fn openapi_parameters(operation: &OperationPlan) -> Vec<Value> {
    let format = operation.service.format();
    let mut parameters = Vec::new();
    for (name, place, kind) in named_values(operation) {
        let mut value = kind.map_or_else(
            || json!({"type": "string"}),
            |k| schema::of_field(k, format),
        );
        if place == "path" && value["type"] == "string" {
            value["minLength"] = 1.into();
        }
        parameters
            .push(json!({"name": name, "in": place, "required": place == "path", "schema": value}));
    }
    parameters
}

/// A document must have a version.
fn version(text: &str) -> &str {
    if text.is_empty() { "1.0.0" } else { text }
}

/// Operations by path, in the order of the paths.
#[derive(Default)]
struct Paths(Vec<(String, Map<String, Value>)>);

impl Paths {
    fn put(&mut self, operation: &OperationPlan, value: Value) {
        let method = operation.method.to_ascii_lowercase();
        match self.0.iter_mut().find(|(path, _)| *path == operation.path) {
            Some((_, item)) => {
                item.insert(method, value);
            }
            None => self
                .0
                .push((operation.path.clone(), Map::from_iter([(method, value)]))),
        }
    }

    fn value(self) -> Value {
        self.0
            .into_iter()
            .map(|(path, item)| (path, Value::Object(item)))
            .collect::<Map<_, _>>()
            .into()
    }
}

/// Parameters of the path in their order, then query parameters and headers: name, place, kind of
/// the field.
fn named_values(operation: &OperationPlan) -> Vec<(&str, &'static str, Option<&Kind>)> {
    let shape = &operation.service.request.shape;
    let kind = |field: &str| shape.find(field).map(|n| &n.kind);
    let mut out: Vec<(&str, &'static str, Option<&Kind>)> = Vec::new();
    for name in crate::aar::path_parameters(&operation.path) {
        let mapped = operation
            .request
            .overrides
            .iter()
            .find(|o| o.source == Source::Path && o.name == name);
        out.push((name, "path", mapped.and_then(|o| kind(&o.field))));
    }
    for value in &operation.request.overrides {
        let place = match value.source {
            Source::Path => continue,
            Source::Query => "query",
            Source::Header => "header",
        };
        if !out.iter().any(|(n, p, _)| *n == value.name && *p == place) {
            out.push((&value.name, place, kind(&value.field)));
        }
    }
    out
}
