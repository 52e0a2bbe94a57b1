//! The way of one request to what it is for: the administration interface, a description, an
//! operation.

use crate::admin;
use crate::document;
use crate::door::Door;
use crate::errors::{self, Failure};
use crate::invoke::invoke;
use crate::live::{Found, Target};
use crate::peer::{Peer, url};
use crate::reply_body::ReplyBody;
use crate::router::{NoRoute, PathValues};
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response};
use std::sync::Arc;

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
            Ok(Found::Target(Target::NoService(_, name), _)) => {
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
