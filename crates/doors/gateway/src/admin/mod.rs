//! The administration interface under `/zosConnect`, in the shapes of z/OS Connect.
//!
//! Source: the public pages "Using the RESTful administration interface", "Administering services
//! with the administration interface" and those below them. One extension: an update (`PUT` with an
//! archive) is also taken while the API or service is started; requests under way finish on the old
//! version.

mod apis;
mod call;
mod description;
mod origin;
mod services;

use crate::door::{Door, Outcome};
use crate::errors;
use crate::invoke::admit;
use crate::live::ADMIN_PATH;
use crate::observe::{Observation, Recorded};
use crate::peer::{Peer, host, url};
use crate::reply_body::ReplyBody;
use crate::security::Action;
use call::{Call, json};
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Response};
use std::sync::Arc;
use transom_messages::{Line, Severity};

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
    if let Err(failure) = origin::own_site(door, peer, parts) {
        return failure.response();
    }
    if let Some(name) = services::invoked(parts) {
        // Invoking a service is no administration: it has its own rules, counters and records.
        return services::invoke(door, peer, parts, body, &name).await;
    }
    let about = (&**door, peer, parts);
    let mut record = Recorded::begin(&door.policies.admin, about, None).await;
    let mut response = match act(door, peer, parts, body, &mut record.seen).await {
        Ok(response) => response,
        Err(failure) => {
            if failure.is_ours() {
                door.operator
                    .tell(Line::text(Severity::Warning, failure.text()));
            }
            failure.response()
        }
    };
    record.end(&mut response);
    response
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
    origin::own_name(
        peer,
        parts,
        seen.user.as_ref().map(|user| user.name.as_str()),
    )?;
    let call = Call::parse(door, peer, parts, seen.user.clone())?;
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
