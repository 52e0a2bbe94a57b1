//! An archive for a service that is a call of another server.

use crate::archive::Archive;
use crate::problem::Result;
use serde_json::{Value, json};
use transom_messages as messages;
use transom_messages::Problem;

/// What the archive says.
#[derive(Debug, Clone)]
pub struct RestService {
    /// Service name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// One line of text.
    pub description: String,
    /// Identifier of the connection in server.xml.
    pub connection: String,
    /// Method of the call.
    pub verb: String,
    /// Path of the call.
    pub uri: String,
    /// JSON schema of requests.
    pub request: Value,
    /// JSON schema of responses.
    pub response: Value,
}

/// Writes the archive.
///
/// # Errors
/// TXMAD0051E for a name that no file can have.
pub fn build_rest_service(service: &RestService) -> Result<Vec<u8>> {
    let name = &service.name;
    let property =
        |name: &str, value: &str| json!({"propertyName": name, "value": value, "type": "STRING"});
    let schema = |side: &str| json!({"value": format!("file:///schemas/{name}{side}.json"), "type": "JSONSchema"});
    let manifest = json!({
        "Manifest-Version": "1.0",
        "name": name,
        "provider": "restclient-1.0",
        "factoryPid": "rest",
        "requestSchema": schema("Request"),
        "responseSchema": schema("Response"),
        "providerProperties": [
            property("connectionRef", &service.connection),
            property("uri", &service.uri),
            property("verb", &service.verb),
        ],
        "providerObjects": [],
        "version": service.version,
        "description": service.description,
    });
    let manifest = serde_norway::to_string(&manifest)
        .map_err(|e| Problem::new(messages::ad::manifest_not_written(e), name))?;
    let mut archive = Archive::new(&format!("{name}.sar"));
    archive.put("manifest.yml", manifest);
    for (side, schema) in [
        ("Request", &service.request),
        ("Response", &service.response),
    ] {
        archive.put(&format!("schemas/{name}{side}.json"), format!("{schema:#}"));
    }
    archive.write()
}
