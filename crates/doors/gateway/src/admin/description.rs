//! Swagger 2.0 of the administration interface itself, at `/zosConnect/api-docs`.

use serde_json::{Value, json};

/// The document for clients that reached us under this host.
pub(super) fn swagger(host: &str) -> Value {
    json!({
        "swagger": "2.0",
        "info": {
            "title": "z/OS Connect administration interface",
            "description": "Lists, deploys, starts, stops and removes APIs and services.",
            "version": "1.2.0",
        },
        "host": host,
        "basePath": "/zosConnect",
        "schemes": ["http", "https"],
        "produces": ["application/json"],
        "paths": {
            "/apis": collection("APIs", "API"),
            "/apis/{name}": item("API"),
            "/services": collection("services", "service"),
            "/services/{name}": item("service"),
            "/services/{name}/schema/request": schema("request"),
            "/services/{name}/schema/response": schema("response"),
            "/apiRequesters": { "get": operation("Lists API requesters.", &[]) },
        },
        "definitions": {
            "error": {
                "type": "object",
                "required": ["errorMessage"],
                "properties": {
                    "errorMessage": { "type": "string" },
                    "errorDetails": { "type": "string" },
                },
            },
        },
    })
}

fn operation(summary: &str, parameters: &[Value]) -> Value {
    let error = json!({ "description": "Failure.", "schema": { "$ref": "#/definitions/error" } });
    json!({
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": { "description": "Success." },
            "400": error, "401": error, "403": error, "404": error, "409": error, "415": error,
        },
    })
}

fn collection(many: &str, one: &str) -> Value {
    let mut post = operation(
        &format!("Deploys an archive as a new {one}."),
        &[status(), archive()],
    );
    post["consumes"] = json!(["application/zip"]);
    post["responses"]["201"] = json!({ "description": "Deployed." });
    json!({ "get": operation(&format!("Lists installed {many}."), &[]), "post": post })
}

fn item(one: &str) -> Value {
    let name = json!({ "name": "name", "in": "path", "required": true, "type": "string" });
    let mut put = operation(
        &format!("Updates the {one} from an archive, or starts or stops it."),
        &[name.clone(), status(), archive()],
    );
    put["consumes"] = json!(["application/zip"]);
    json!({
        "get": operation(&format!("Details of one {one}."), std::slice::from_ref(&name)),
        "put": put,
        "delete": operation(&format!("Removes a stopped {one}."), std::slice::from_ref(&name)),
    })
}

fn schema(direction: &str) -> Value {
    let name = json!({ "name": "name", "in": "path", "required": true, "type": "string" });
    json!({ "get": operation(&format!("JSON schema of the {direction}."), &[name]) })
}

fn status() -> Value {
    json!({ "name": "status", "in": "query", "type": "string", "enum": ["started", "stopped"] })
}

fn archive() -> Value {
    json!({
        "name": "archive", "in": "body",
        "schema": { "type": "string", "format": "binary" },
    })
}
