//! The way of one request to what it is for.

use crate::asked::Asked;
use crate::body::RequestBody;
use crate::peer::Peer;
use crate::reply::{Failure, ReplyBody};
use crate::shared::Shared;
use crate::target::Target;
use crate::{body, discover, logon, manager, run};
use hyper::header;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use transom_http::Served;

/// Answers one request. Never fails: every failure is a reply.
pub(crate) async fn answer<B: RequestBody>(
    shared: &Shared,
    peer: Peer,
    request: Request<B>,
) -> Response<ReplyBody> {
    let (parts, body) = request.into_parts();
    let mut served = Served::default();
    let mut response = match Box::pin(serve(shared, peer, &parts, body, &mut served)).await {
        Ok(response) => response,
        Err(failure) => failure.response(),
    };
    if shared.access.is_some() {
        response.extensions_mut().insert(served);
    }
    response
}

async fn serve<B: RequestBody>(
    shared: &Shared,
    peer: Peer,
    parts: &Parts,
    body: B,
    served: &mut Served,
) -> Result<Response<ReplyBody>, Failure> {
    let by = logon::user(shared, peer, &parts.headers).await?;
    if shared.access.is_some() {
        served.user = by.to_string();
    }
    let subsystem = format!("{}.REST", shared.desk.subsystem).to_uppercase();
    if !shared.desk.users.may(by, ("DSNR", &subsystem), true) {
        let text = format!("User {by} is not authorized for REST services.");
        return Err(Failure::new(StatusCode::FORBIDDEN, text));
    }
    let path = parts.uri.path();
    let target = Target::of(path).ok_or_else(|| {
        let text = format!("There is nothing under {path}.");
        Failure::new(StatusCode::NOT_FOUND, text)
    })?;
    if shared.access.is_some()
        && let Target::Service(name) = &target
    {
        served.api = name.to_string().into();
    }
    let asked = Asked {
        shared,
        by,
        parts,
        peer,
    };
    match (&parts.method, target) {
        (&Method::GET, Target::Services) | (&Method::POST, Target::Discover) => {
            discover::all(&asked).await
        }
        (&Method::GET, Target::Service(name)) => discover::one(&asked, name).await,
        (&Method::POST, Target::Manager) => {
            let body = body::object(&parts.headers, body, &shared.listener).await?;
            manager::answer(&asked, &body).await
        }
        (&Method::POST, Target::Service(name)) => {
            let body = body::object(&parts.headers, body, &shared.listener).await?;
            run::answer(&asked, name, body).await
        }
        (method, target) => {
            let allow = match target {
                Target::Services => "GET",
                Target::Service(_) => "GET, POST",
                Target::Discover | Target::Manager => "POST",
            };
            let text = format!("Method {method} is not supported under {path}.");
            Err(Failure::new(StatusCode::METHOD_NOT_ALLOWED, text).header(header::ALLOW, allow))
        }
    }
}
