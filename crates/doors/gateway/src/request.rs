//! The way of one request: route, rules, conversion, LINK, conversion, reply.

use crate::admin;
use crate::body::{self, ReplyBody, RequestBody, give_buffer, take_buffer};
use crate::document;
use crate::door::{Door, Outcome};
use crate::errors::{self, Failure, Subject};
use crate::live::{Found, Target};
use crate::observe::Observation;
use crate::operation::{ConversionFailure, Operation, RequestView};
use crate::router::{NoRoute, PathValues};
use crate::security::{Action, Policy, Principal};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use std::net::IpAddr;
use std::sync::Arc;
use transom_region_api::{LinkRequest, Payload, StartedBy};

/// What a request's connection knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    pub(crate) secure: bool,
}

/// Answers one request. Never fails: every failure is a reply.
pub(crate) async fn answer(
    door: &Arc<Door>,
    peer: Peer,
    request: Request<Incoming>,
) -> Response<ReplyBody> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    if !door.cors.is_empty()
        && let Some(response) = door.cors.preflight(&parts.method, path, &parts.headers)
    {
        return response;
    }
    let mut response = if admin::owns(path) {
        Box::pin(admin::answer(door, peer, &parts, body)).await
    } else {
        serve(door, peer, &parts, body).await
    };
    if !door.cors.is_empty() {
        door.cors
            .apply(path, &parts.headers, response.headers_mut());
    }
    response
}

async fn serve(door: &Arc<Door>, peer: Peer, parts: &Parts, body: Incoming) -> Response<ReplyBody> {
    let path = parts.uri.path();
    let (operation, values) = {
        let live = door.catalog.live();
        match live.find(&parts.method, path) {
            Ok(Found::Target(Target::Operation(operation), values)) => (operation.clone(), values),
            Ok(Found::Service(operation)) => (operation.clone(), PathValues::default()),
            Ok(Found::Target(Target::NoService(name), _)) => {
                return errors::no_service(name).response();
            }
            Ok(Found::Target(Target::Document(api, bytes), _)) => {
                return document::answer(door, peer, parts, &api.policy, bytes.clone());
            }
            Err(none) => return no_route(parts, peer, none).response_or_options(&parts.method),
        }
    };
    invoke(door, peer, parts, body, &operation, &values).await
}

/// Runs an operation with everything around it: rules, statistics, interceptors.
pub(crate) async fn invoke(
    door: &Door,
    peer: Peer,
    parts: &Parts,
    body: Incoming,
    operation: &Operation,
    values: &PathValues<'_>,
) -> Response<ReplyBody> {
    let mut seen = Observation::begin(operation.policy());
    let done = run(door, peer, parts, body, operation, values, &mut seen).await;
    let response = match done {
        Ok(response) => {
            operation
                .counters
                .done(seen.bytes_in, response.body().len());
            response
        }
        Err(failure) => {
            operation.counters.failed(seen.bytes_in);
            failure.response()
        }
    };
    if seen.wanted() {
        seen.record(door, peer, parts, Some(operation), &response);
    }
    response
}

async fn run(
    door: &Door,
    peer: Peer,
    parts: &Parts,
    body: Incoming,
    operation: &Operation,
    values: &PathValues<'_>,
    seen: &mut Observation,
) -> Outcome<Response<ReplyBody>> {
    let principal = admit(door, peer, parts, operation.policy(), Action::Invoke).await?;
    if seen.wanted() {
        seen.user.clone_from(&principal);
    }
    check_started(operation)?;
    let body = receive(door, peer, parts, body).await?;
    seen.bytes_in = body.as_slice().len();
    let view = RequestView {
        path: values,
        query: parts.uri.query(),
        headers: &parts.headers,
        body: body.as_slice(),
    };
    let payload = operation
        .conversion
        .encode(&view, take_buffer())
        .map_err(|why| bad_request(operation, parts, peer, why))?;
    drop(body);
    let output = link(operation, parts, peer, payload, principal.as_deref(), seen).await?;
    reply(door, operation, parts, peer, output)
}

async fn link(
    operation: &Operation,
    parts: &Parts,
    peer: Peer,
    payload: Payload,
    principal: Option<&Principal>,
    seen: &mut Observation,
) -> Outcome<Payload> {
    let backend = &operation.backend;
    let request = LinkRequest {
        program: backend.program,
        transid: backend.transid,
        userid: principal.and_then(|p| p.userid),
        payload,
        reply_bytes_max: backend.reply_bytes_max,
        timeout: backend.timeout,
        started_by: StartedBy::Gateway,
    };
    seen.sent();
    let answer = backend.region.link(request).await;
    seen.received();
    match answer {
        Ok(output) => {
            seen.task = output.task_number;
            Ok(output.payload)
        }
        Err(failure) => {
            seen.failed(&failure);
            let url = url(parts, peer);
            let program = backend.program;
            tracing::warn!(%program, %url, "{}", failure.text);
            Err(errors::link(
                subject(operation),
                &url,
                program.as_str(),
                &failure,
            ))
        }
    }
}

fn reply(
    door: &Door,
    operation: &Operation,
    parts: &Parts,
    peer: Peer,
    output: Payload,
) -> Outcome<Response<ReplyBody>> {
    let mut buffer = take_buffer();
    let decoded = operation
        .conversion
        .decode(&output, &mut buffer)
        .map_err(|why| {
            let (ConversionFailure::NotJson(text) | ConversionFailure::BadValue(text)) = why;
            let url = url(parts, peer);
            tracing::warn!(program = %operation.backend.program, %url, "{text}");
            errors::bad_output(subject(operation), &url, &text)
        })?;
    if let Payload::Commarea(bytes) = output {
        give_buffer(bytes);
    }
    let body = if decoded.no_body {
        give_buffer(buffer);
        ReplyBody::default()
    } else {
        ReplyBody::pooled(buffer)
    };
    let mut response = Response::new(body);
    if decoded.status != 0 {
        *response.status_mut() = StatusCode::from_u16(decoded.status).unwrap_or(StatusCode::OK);
    }
    let headers = response.headers_mut();
    if !decoded.no_body {
        headers.insert(header::CONTENT_TYPE, door.json.clone());
    }
    for (name, value) in decoded.headers {
        headers.append(name, value);
    }
    Ok(response)
}

/// Checks transport, logon and authority. Gives the user when one is needed.
pub(crate) async fn admit(
    door: &Door,
    peer: Peer,
    parts: &Parts,
    policy: &Policy,
    action: Action,
) -> Outcome<Option<Arc<Principal>>> {
    if policy.require_secure && !peer.secure {
        let target = parts.uri.path_and_query().map_or("/", |p| p.as_str());
        return Err(errors::needs_secure(
            door.secure_location(host(parts), target),
        ));
    }
    if policy.open() {
        return Ok(None);
    }
    let principal = match door.logons.known(&parts.headers) {
        Some(principal) => principal,
        None => Box::pin(door.logons.log_on(&parts.headers)).await?,
    };
    policy.authorize(&principal, action, &url(parts, peer))?;
    Ok(Some(principal))
}

fn check_started(operation: &Operation) -> Outcome<()> {
    if let Some(api) = operation.api.as_ref().filter(|a| !a.started()) {
        return Err(errors::stopped(Subject::Api(&api.name)));
    }
    if !operation.service.started() {
        return Err(errors::stopped(Subject::Service(&operation.service.name)));
    }
    Ok(())
}

async fn receive(door: &Door, peer: Peer, parts: &Parts, body: Incoming) -> Outcome<RequestBody> {
    let Some(listener) = door.listener(peer.secure) else {
        return Err(errors::internal("the listener is closed"));
    };
    let body = body::read(body, listener).await?;
    if !body.as_slice().is_empty() {
        check_json(&parts.headers)?;
    }
    Ok(body)
}

/// JSON or nothing said; UTF-8 or nothing said; not compressed.
fn check_json(headers: &HeaderMap) -> Outcome<()> {
    if let Some(coding) = headers.get(header::CONTENT_ENCODING)
        && !coding.as_bytes().eq_ignore_ascii_case(b"identity")
    {
        return Err(errors::content_coding(coding.to_str().unwrap_or("?")));
    }
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Ok(());
    };
    if value.as_bytes() == b"application/json" {
        return Ok(());
    }
    let text = value.to_str().unwrap_or("?");
    let mut pieces = text.split(';').map(str::trim);
    let kind = pieces.next().unwrap_or("").to_ascii_lowercase();
    let json =
        kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"));
    let utf8 = pieces.all(|parameter| match parameter.split_once('=') {
        Some((name, set)) if name.eq_ignore_ascii_case("charset") => {
            let set = set.trim_matches('"');
            set.eq_ignore_ascii_case("utf-8") || set.eq_ignore_ascii_case("us-ascii")
        }
        _ => true,
    });
    if json && utf8 {
        Ok(())
    } else {
        Err(errors::media_type(text))
    }
}

enum None404 {
    Failure(Failure),
    Methods(Failure, String),
}

fn no_route(parts: &Parts, peer: Peer, why: NoRoute) -> None404 {
    let url = url(parts, peer);
    match why {
        NoRoute::Path => None404::Failure(errors::no_route(&url)),
        NoRoute::Method(allow) => {
            let failure = errors::method_not_allowed(parts.method.as_str(), &url, allow.clone());
            None404::Methods(failure, allow)
        }
    }
}

impl None404 {
    fn response_or_options(self, method: &Method) -> Response<ReplyBody> {
        match self {
            None404::Methods(_, allow) if *method == Method::OPTIONS => {
                let mut response = Response::new(ReplyBody::default());
                if let Ok(allow) = HeaderValue::from_str(&allow) {
                    response.headers_mut().insert(header::ALLOW, allow);
                }
                response
            }
            None404::Failure(failure) | None404::Methods(failure, _) => failure.response(),
        }
    }
}

fn bad_request(
    operation: &Operation,
    parts: &Parts,
    peer: Peer,
    why: ConversionFailure,
) -> Failure {
    match why {
        ConversionFailure::NotJson(detail) => errors::not_json(&detail),
        ConversionFailure::BadValue(detail) => {
            errors::bad_value(subject(operation), &url(parts, peer), &detail)
        }
    }
}

fn subject(operation: &Operation) -> Subject<'_> {
    match &operation.api {
        Some(api) => Subject::Api(&api.name),
        None => Subject::Service(&operation.service.name),
    }
}

/// The host as the client named it.
pub(crate) fn host(parts: &Parts) -> &str {
    let from_header = || {
        parts
            .headers
            .get(header::HOST)
            .and_then(|h| h.to_str().ok())
    };
    parts
        .uri
        .authority()
        .map(|a| a.as_str())
        .or_else(from_header)
        .unwrap_or("localhost")
}

/// `scheme://host:port` as the client named it.
pub(crate) fn origin(parts: &Parts, peer: Peer) -> String {
    let scheme = if peer.secure { "https" } else { "http" };
    format!("{scheme}://{}", host(parts))
}

/// The URL of a request without its query, for messages.
pub(crate) fn url(parts: &Parts, peer: Peer) -> String {
    format!("{}{}", origin(parts, peer), parts.uri.path())
}
