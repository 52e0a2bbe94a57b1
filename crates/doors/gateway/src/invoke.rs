//! One operation, run: rules, conversion, LINK, conversion, reply.
//!
//! What: [`invoke`], whatever led to the operation: a route, an `invokeURI` or the administration
//! interface. Not here: which operation a request is for (`request`).

use crate::buffers::{give_buffer, take_buffer};
use crate::conversion::{ConversionFailure, RequestView};
use crate::door::{Door, Outcome};
use crate::errors::{self, Failure, Subject};
use crate::observe::{Observation, Recorded};
use crate::operation::Operation;
use crate::peer::{Peer, host, url};
use crate::reply_body::ReplyBody;
use crate::request_body::{self, RequestBody};
use crate::rest::{CallError, RestBackend};
use crate::router::PathValues;
use crate::security::{Action, Policy, Principal};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use std::sync::Arc;
use std::time::Instant;
use transom_messages::{self as messages, Line, Severity};
use transom_region_api::{LinkRequest, Payload, StartedBy};
use transom_types::ClientCertificate;

/// Runs an operation with everything around it: rules, statistics, interceptors.
pub(crate) async fn invoke(
    door: &Door,
    peer: Peer,
    parts: &Parts,
    body: Incoming,
    operation: &Operation,
    values: &PathValues<'_>,
) -> Response<ReplyBody> {
    let about = (door, peer, parts);
    let began = door.config.timed.then(Instant::now);
    let mut record = Recorded::begin(operation.policy(), about, Some(operation)).await;
    let seen = &mut record.seen;
    let done = run(door, peer, parts, body, operation, values, seen).await;
    let bytes_in = record.seen.bytes_in;
    let mut response = match done {
        Ok(response) => {
            operation.counters.done(bytes_in, response.body().len());
            response
        }
        Err(failure) => {
            operation.counters.failed(bytes_in);
            failure.response()
        }
    };
    if let Some(began) = began {
        operation.counters.took(began.elapsed());
    }
    record.end(&mut response);
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
    if seen.tells_user() {
        seen.user.clone_from(&principal);
    }
    if let Some(principal) = principal.as_ref().filter(|p| p.userid.is_none()) {
        // It would run for the default user, whose authority is another's.
        return Err(errors::no_region_user(&principal.name, &url(parts, peer)));
    }
    check_started(operation)?;
    let body = receive(door, peer, parts, body).await?;
    seen.bytes_in = body.as_slice().len();
    let view = RequestView {
        path: values,
        query: parts.uri.query(),
        headers: &parts.headers,
        body: body.as_slice(),
        sends_body: !matches!(parts.method, Method::GET | Method::HEAD | Method::DELETE),
    };
    let payload = operation
        .conversion
        .encode(&view, take_buffer())
        .map_err(|why| bad_request(operation, parts, peer, why))?;
    drop(body);
    if let Some(rest) = &operation.backend.rest {
        return call(door, operation, parts, peer, (rest, payload), seen).await;
    }
    let output = link(
        door,
        operation,
        parts,
        peer,
        payload,
        principal.as_deref(),
        seen,
    )
    .await?;
    reply(door, operation, parts, peer, output)
}

/// A service that is a call of another server: a good answer goes through the mapping, any other as
/// it came.
async fn call(
    door: &Door,
    operation: &Operation,
    parts: &Parts,
    peer: Peer,
    (rest, payload): (&RestBackend, Payload),
    seen: &mut Observation,
) -> Outcome<Response<ReplyBody>> {
    let Payload::Commarea(document) = payload else {
        return Err(errors::internal("a document is no channel"));
    };
    seen.sent();
    let timeout = operation.backend.timeout;
    let answer = match timeout {
        None => rest.call(document.into(), &parts.headers).await,
        Some(time) => tokio::time::timeout(time, rest.call(document.into(), &parts.headers))
            .await
            .unwrap_or(Err(CallError::TimedOut("the request"))),
    };
    seen.received();
    match answer {
        Ok((status, bytes)) if status.is_success() => reply(
            door,
            operation,
            parts,
            peer,
            Payload::Commarea(bytes.into()),
        ),
        Ok((status, bytes)) => {
            let mut response = Response::new(ReplyBody::from(bytes));
            *response.status_mut() = status;
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, door.json.clone());
            Ok(response)
        }
        Err(why) => {
            let url = url(parts, peer);
            let service = &operation.service.name;
            let told = messages::gw::server_not_answering(service, rest.place(), &why);
            door.operator.tell(told);
            let failure = errors::encountered(why.status(), subject(operation), &url);
            Err(failure.with(why.for_clients()))
        }
    }
}

async fn link(
    door: &Door,
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
        client: Some(peer.client),
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
            let line = Line::text(Severity::Warning, failure.text.as_str());
            door.operator
                .tell(line.with("program", program).with("url", &url));
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
            let line = Line::text(Severity::Warning, text.as_str());
            let program = operation.backend.program;
            door.operator
                .tell(line.with("program", program).with("url", &url));
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
    let shown = parts.extensions.get::<Arc<ClientCertificate>>();
    let certified = shown.and_then(|shown| door.logons.certified(shown));
    let principal = match certified.or_else(|| door.logons.known(&parts.headers)) {
        Some(principal) => principal,
        None => match Box::pin(door.logons.log_on(peer.address, &parts.headers)).await {
            Ok(principal) => principal,
            Err(refused) => {
                if let Some(shown) = shown.filter(|_| door.logons.may_be_told()) {
                    let (subject, print) = (&shown.subject, shown.fingerprint());
                    let told = messages::gw::certificate_of_nobody(subject, print, peer.address);
                    door.operator.tell(told);
                }
                if let Some(user) = refused.user {
                    let told = messages::gw::logon_refused(&user, peer.address);
                    door.operator.tell(told);
                }
                return Err(refused.failure);
            }
        },
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
    let body = request_body::read(body, listener).await?;
    if !body.as_slice().is_empty() {
        check_json(&parts.headers)?;
    }
    Ok(body)
}

/// Takes JSON in UTF-8, or a body whose type or character set is not stated; nothing compressed.
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
