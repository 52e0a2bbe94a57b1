//! Descriptions of APIs to their users: Swagger 2.0 and OpenAPI 3.0.
//!
//! What: the reply to a GET of a description, with the address the client used. Why: IBM's editor
//! writes a placeholder for host and port, and a client generated from it would call nobody. Not
//! here: the making of descriptions (`transom-apidef`).

use crate::door::Door;
use crate::errors;
use crate::peer::{Peer, host};
use crate::reply_body::ReplyBody;
use crate::security::Policy;
use bytes::Bytes;
use hyper::Response;
use hyper::header;
use hyper::http::request::Parts;
use serde_json::Value;

/// What IBM's API editor writes as `host`.
const PLACEHOLDER: &str = "localhost:8080";

/// Answers a description.
pub(crate) fn answer(
    door: &Door,
    peer: Peer,
    parts: &Parts,
    policy: &Policy,
    bytes: Bytes,
) -> Response<ReplyBody> {
    // Descriptions are public like the product's, but not over a transport the API refuses.
    if policy.require_secure && !peer.secure {
        let target = parts.uri.path_and_query().map_or("/", |p| p.as_str());
        return errors::needs_secure(door.secure_location(host(parts), target)).response();
    }
    let bytes = addressed(&bytes, host(parts), peer.secure).unwrap_or(bytes);
    let mut response = Response::new(ReplyBody::from(bytes));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, door.json.clone());
    response
}

/// A Swagger document with the placeholder replaced; `None` leaves a document as it is.
fn addressed(bytes: &[u8], host: &str, secure: bool) -> Option<Bytes> {
    let mut document: Value = serde_json::from_slice(bytes).ok()?;
    if document.get("host")?.as_str()? != PLACEHOLDER {
        return None;
    }
    document["host"] = host.into();
    document["schemes"] = vec![if secure { "https" } else { "http" }].into();
    Some(Bytes::from(document.to_string()))
}

#[cfg(test)]
mod tests {
    use super::addressed;

    #[test]
    fn the_placeholder_becomes_the_address_of_the_client() {
        let ibm = br#"{"swagger":"2.0","host":"localhost:8080","basePath":"/a","schemes":["https","http"]}"#;
        let out = addressed(ibm, "api.example:2222", false).unwrap();
        assert_eq!(
            std::str::from_utf8(&out).unwrap(),
            r#"{"swagger":"2.0","host":"api.example:2222","basePath":"/a","schemes":["http"]}"#
        );
        for kept in [r#"{"host":"bank.example"}"#, r#"{"openapi":"3.0.3"}"#] {
            assert_eq!(addressed(kept.as_bytes(), "x", true), None, "{kept}");
        }
    }
}
