//! The administration interface under `/zosConnect`, in the shapes of z/OS Connect.
//!
//! Source: the public pages "Using the RESTful administration interface", "Administering services
//! with the administration interface" and those below them. One extension: an update (`PUT` with an
//! archive) is also taken while the API or service is started; requests under way finish on the old
//! version.

mod apis;
mod description;
mod services;

use crate::body::{self, ReplyBody};
use crate::catalog::Refusal;
use crate::door::{Door, Outcome};
use crate::errors;
use crate::live::ADMIN_PATH;
use crate::observe::Observation;
use crate::request::{Peer, admit, host, origin, url};
use crate::router::percent_decode;
use crate::security::Action;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use serde_json::Value;
use std::sync::Arc;

/// True for paths of this interface.
pub(crate) fn owns(path: &str) -> bool {
    path.strip_prefix(ADMIN_PATH)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers an administration request.
pub(crate) async fn answer(
    door: &Arc<Door>,
    peer: Peer,
    parts: &Parts,
    body: Incoming,
) -> Response<ReplyBody> {
    if let Some(name) = services::invoked(parts) {
        // Invoking a service is no administration: it has its own rules, counters and records.
        return services::invoke(door, peer, parts, body, &name).await;
    }
    let mut seen = Observation::begin(&door.policies.admin);
    let response = match act(door, peer, parts, body, &mut seen).await {
        Ok(response) => response,
        Err(failure) => {
            if failure.is_ours() {
                tracing::warn!("{}", failure.text());
            }
            failure.response()
        }
    };
    if seen.wanted() {
        seen.record(door, peer, parts, None, &response);
    }
    response
}

/// A request for this interface, taken apart.
struct Call<'a> {
    door: &'a Arc<Door>,
    peer: Peer,
    parts: &'a Parts,
    /// Decoded segments below `/zosConnect`.
    path: Vec<String>,
    status: Option<bool>,
    action: Option<String>,
}

async fn act(
    door: &Arc<Door>,
    peer: Peer,
    parts: &Parts,
    body: Incoming,
    seen: &mut Observation,
) -> Outcome<Response<ReplyBody>> {
    let action = match parts.method {
        Method::GET | Method::HEAD | Method::OPTIONS => Action::Read,
        _ => Action::Operate,
    };
    seen.user = admit(door, peer, parts, &door.policies.admin, action).await?;
    let call = Call::parse(door, peer, parts)?;
    let segments: Vec<&str> = call.path.iter().map(String::as_str).collect();
    match segments.split_first() {
        Some((&"apis", rest)) => apis::answer(&call, rest, body).await,
        Some((&"services", rest)) => services::answer(&call, rest, body).await,
        Some((&"apiRequesters", [])) => {
            call.only(&[Method::GET])?;
            Ok(json(&serde_json::json!({ "apiRequesters": [] })))
        }
        Some((&"api-docs", [])) => {
            call.only(&[Method::GET])?;
            Ok(json(&description::swagger(host(parts))))
        }
        _ => Err(errors::no_route(&url(parts, peer))),
    }
}

impl<'a> Call<'a> {
    fn parse(door: &'a Arc<Door>, peer: Peer, parts: &'a Parts) -> Outcome<Self> {
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

    fn origin(&self) -> String {
        origin(self.parts, self.peer)
    }

    /// 405 for other methods.
    fn only(&self, methods: &[Method]) -> Outcome<()> {
        let method = &self.parts.method;
        let head = *method == Method::HEAD && methods.contains(&Method::GET);
        if head || methods.contains(method) {
            return Ok(());
        }
        let allow: Vec<&str> = methods.iter().map(Method::as_str).collect();
        let url = url(self.parts, self.peer);
        Err(errors::method_not_allowed(
            method.as_str(),
            &url,
            allow.join(", "),
        ))
    }

    /// The archive in the body; `None` when there is no body.
    async fn archive(&self, body: Incoming) -> Outcome<Option<Bytes>> {
        let listener = self
            .door
            .listener(self.peer.secure)
            .ok_or_else(|| errors::internal("the listener is closed"))?;
        let body = body::read(body, listener).await?;
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
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Door>) -> Result<T, Refusal> + Send + 'static,
    ) -> Outcome<T> {
        let door = self.door.clone();
        let done = tokio::task::spawn_blocking(move || work(&door)).await;
        done.map_err(|e| errors::internal(&e.to_string()))?
            .map_err(refused)
    }
}

fn refused(refusal: Refusal) -> errors::Failure {
    match refusal {
        Refusal::Invalid(text) => errors::bad_archive(&text),
        Refusal::Conflict(text) => errors::conflict(&text),
        Refusal::Storage(text) => errors::internal(&text),
        Refusal::Unknown => errors::bad_request("nothing of that name is installed"),
    }
}

fn json(value: &Value) -> Response<ReplyBody> {
    let mut response = Response::new(ReplyBody::from(value.to_string()));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn created(value: &Value, location: &str) -> Response<ReplyBody> {
    let mut response = located(value, location);
    *response.status_mut() = StatusCode::CREATED;
    response
}

fn located(value: &Value, location: &str) -> Response<ReplyBody> {
    let mut response = json(value);
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// A name as one path segment.
fn segment(name: &str) -> String {
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
