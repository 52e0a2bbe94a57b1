//! The way of one request to what it is for.
//!
//! What: paths, and who may see what lies behind them. Where clients need not log on they are on
//! this machine, and name it as this machine: a page in a browser must not read figures by a name
//! of its own. Health is for everybody who reaches the port: it says up or down. Not here: whether
//! clients log on (`listener`), passwords (`transom_http`).

use crate::reply::{self, CSS, HTML, Reply};
use crate::shared::Shared;
use crate::{health, metrics, page};
use hyper::body::{Body as _, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use std::net::IpAddr;
use transom_http::{is_cross_site, is_this_machine};
use transom_region_api::Denial;

/// What somebody must be allowed who looks at figures, and at tasks and messages: as for COLLECT
/// STATISTICS and INQUIRE SYSTEM.
const FIGURES: (&str, &str) = ("COMMAND", "STATISTICS");
const SYSTEM: (&str, &str) = ("COMMAND", "SYSTEM");

/// Answers one request. Never fails: every failure is a reply.
pub(crate) async fn answer(shared: &Shared, from: IpAddr, request: Request<Incoming>) -> Reply {
    let unread = !request.body().is_end_stream();
    let (parts, _) = request.into_parts();
    let mut reply = match Box::pin(serve(shared, from, &parts)).await {
        Ok(reply) | Err(reply) => reply,
    };
    if unread {
        let close = HeaderValue::from_static("close");
        reply.headers_mut().insert(header::CONNECTION, close);
    }
    reply
}

async fn serve(shared: &Shared, from: IpAddr, parts: &Parts) -> Result<Reply, Reply> {
    let host = host(parts);
    if is_cross_site(host, &parts.headers) {
        let text = "Pages of other sites get nothing here.";
        return Err(reply::refusal(StatusCode::FORBIDDEN, text));
    }
    if !shared.logon && !is_this_machine(host) {
        let text = "Without a logon this port is for localhost, by that name.";
        return Err(reply::refusal(StatusCode::FORBIDDEN, text));
    }
    if parts.method != Method::GET && parts.method != Method::HEAD {
        let text = "Nothing can be changed here: GET and HEAD are the methods.";
        let mut refusal = reply::refusal(StatusCode::METHOD_NOT_ALLOWED, text);
        let allow = HeaderValue::from_static("GET, HEAD");
        refusal.headers_mut().insert(header::ALLOW, allow);
        return Err(refusal);
    }
    let desk = &shared.desk;
    match parts.uri.path() {
        "/health" | "/health/" => Ok(health::all(desk)),
        "/health/live" => Ok(health::live()),
        "/health/ready" => Ok(health::ready(desk)),
        "/health/started" => Ok(health::started(desk)),
        "/metrics" => {
            allowed(shared, from, parts, FIGURES).await?;
            Ok(metrics::answer(shared))
        }
        "/" => {
            allowed(shared, from, parts, SYSTEM).await?;
            let refresh = parts.uri.query() == Some("refresh");
            let page = page::page(desk, shared.rows_max, refresh);
            Ok(reply::document(StatusCode::OK, HTML, page))
        }
        "/style.css" => Ok(reply::document(StatusCode::OK, CSS, page::STYLE)),
        _ => {
            let text = "There is nothing here; see / and /metrics.";
            Err(reply::refusal(StatusCode::NOT_FOUND, text))
        }
    }
}

/// The client is a user who may read this, where clients log on.
async fn allowed(
    shared: &Shared,
    from: IpAddr,
    parts: &Parts,
    what: (&str, &str),
) -> Result<(), Reply> {
    let users = &shared.desk.users;
    if !shared.logon || !users.checks() {
        return Ok(());
    }
    let user = shared.logons.user(from, &parts.headers).await;
    let user = user.map_err(|denial| match denial {
        Denial::TooMany => reply::refusal(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many passwords were refused to this address.",
        ),
        Denial::Unavailable => reply::refusal(
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many logons at the same time.",
        ),
        Denial::Wrong | Denial::MustChange | Denial::Revoked => {
            let text = "A user and a password of the region are needed.";
            let mut refusal = reply::refusal(StatusCode::UNAUTHORIZED, text);
            let basic = HeaderValue::from_static("Basic realm=\"Transom operations\"");
            refusal
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, basic);
            refusal
        }
    })?;
    match users.may(user, what, true) {
        true => Ok(()),
        false => {
            let text = "The user may not look at this: it takes READ of COMMAND STATISTICS \
                        (metrics) or COMMAND SYSTEM (status).";
            Err(reply::refusal(StatusCode::FORBIDDEN, text))
        }
    }
}

/// The host as the client named it.
fn host(parts: &Parts) -> &str {
    let header = || parts.headers.get(header::HOST)?.to_str().ok();
    let authority = parts.uri.authority().map(|a| a.as_str());
    authority.or_else(header).unwrap_or("localhost")
}
