//! A request of the administration interface taken apart, and the forms of its replies.

use crate::change::Refusal;
use crate::door::{Door, Outcome};
use crate::errors;
use crate::live::ADMIN_PATH;
use crate::peer::{Peer, origin, url};
use crate::reply_body::ReplyBody;
use crate::request_body;
use crate::router::percent_decode;
use crate::security::Principal;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use serde_json::Value;
use std::sync::Arc;
use transom_messages as messages;

/// A request for this interface, taken apart.
pub(super) struct Call<'a> {
    pub(super) door: &'a Arc<Door>,
    pub(super) peer: Peer,
    pub(super) parts: &'a Parts,
    /// Who asks; `None` where no logon is required.
    user: Option<Arc<Principal>>,
    /// Decoded segments below `/zosConnect`.
    pub(super) path: Vec<String>,
    pub(super) status: Option<bool>,
    pub(super) action: Option<String>,
}

impl<'a> Call<'a> {
    pub(super) fn parse(
        door: &'a Arc<Door>,
        peer: Peer,
        parts: &'a Parts,
        user: Option<Arc<Principal>>,
    ) -> Outcome<Self> {
        let bad = |what: &str| errors::bad_request(what);
        let rest = parts.uri.path().strip_prefix(ADMIN_PATH).unwrap_or("");
        let mut path = Vec::new();
        for segment in rest.split('/').filter(|s| !s.is_empty()) {
            let segment = percent_decode(segment).map_err(|_| bad("the path has a bad escape"))?;
            path.push(segment.into_owned());
        }
        let mut call = Self {
            door,
            peer,
            parts,
            user,
            path,
            status: None,
            action: None,
        };
        for pair in parts
            .uri
            .query()
            .unwrap_or("")
            .split('&')
            .filter(|p| !p.is_empty())
        {
            match pair.split_once('=').unwrap_or((pair, "")) {
                ("status", text) if text.eq_ignore_ascii_case("started") => {
                    call.status = Some(true)
                }
                ("status", text) if text.eq_ignore_ascii_case("stopped") => {
                    call.status = Some(false)
                }
                ("status", text) => {
                    return Err(bad(&format!(
                        "status={text}: started or stopped is expected"
                    )));
                }
                ("action", text) => call.action = Some(text.to_ascii_lowercase()),
                _ => {}
            }
        }
        Ok(call)
    }

    pub(super) fn origin(&self) -> String {
        origin(self.parts, self.peer)
    }

    /// Tells the operator what was done, and who did it.
    pub(super) fn done(&self, kind: &str, name: &str, action: &str) {
        let user = match &self.user {
            Some(principal) => format!("user {}", principal.name),
            None => "an unknown user".to_owned(),
        };
        let address = self.peer.address;
        self.door.operator.tell(messages::gw::administered(
            kind, name, action, &user, address,
        ));
    }

    /// 405 for other methods.
    pub(super) fn only(&self, methods: &[Method]) -> Outcome<()> {
        let method = &self.parts.method;
        let head = *method == Method::HEAD && methods.contains(&Method::GET);
        if head || methods.contains(method) {
            return Ok(());
        }
        let mut allow: Vec<&str> = methods.iter().map(Method::as_str).collect();
        if allow.contains(&"GET") {
            allow.push("HEAD");
        }
        allow.sort_unstable();
        let url = url(self.parts, self.peer);
        Err(errors::method_not_allowed(
            method.as_str(),
            &url,
            allow.join(", "),
        ))
    }

    /// The archive in the body; `None` when there is no body.
    pub(super) async fn archive(&self, body: Incoming) -> Outcome<Option<Bytes>> {
        let listener = self
            .door
            .listener(self.peer.secure)
            .ok_or_else(|| errors::internal("the listener is closed"))?;
        let body = request_body::read(body, listener).await?;
        if body.as_slice().is_empty() {
            return Ok(None);
        }
        let kind = self.parts.headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|k| k.to_str().ok()).unwrap_or("none");
        let bare = kind.split(';').next().unwrap_or("").trim();
        if !bare.eq_ignore_ascii_case("application/zip")
            && !bare.eq_ignore_ascii_case("application/octet-stream")
        {
            return Err(errors::not_zip(kind));
        }
        Ok(Some(body.into_bytes()))
    }

    /// Does slow work off the serving thread.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Door>) -> Result<T, Refusal> + Send + 'static,
    ) -> Outcome<T> {
        let door = self.door.clone();
        let done = tokio::task::spawn_blocking(move || work(&door)).await;
        done.map_err(|e| errors::internal(&e.to_string()))?
            .map_err(refused)
    }
}

pub(super) fn refused(refusal: Refusal) -> errors::Failure {
    match refusal {
        Refusal::Invalid(text) => errors::bad_archive(&text),
        Refusal::Conflict(text) => errors::conflict(&text),
        Refusal::Storage(text) => errors::internal(&text),
        Refusal::Unknown => errors::bad_request("nothing of that name is installed"),
    }
}

pub(super) fn json(value: &Value) -> Response<ReplyBody> {
    let mut response = Response::new(ReplyBody::from(value.to_string()));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

pub(super) fn created(value: &Value, location: &str) -> Response<ReplyBody> {
    let mut response = located(value, location);
    *response.status_mut() = StatusCode::CREATED;
    response
}

pub(super) fn located(value: &Value, location: &str) -> Response<ReplyBody> {
    let mut response = json(value);
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// A name as one path segment.
pub(super) fn segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for b in name.bytes() {
        if b.is_ascii_alphanumeric() || b"-._~".contains(&b) {
            out.push(b as char);
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}
