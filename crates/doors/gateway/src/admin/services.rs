//! `/zosConnect/services`.

use super::call::{Call, created, json, located, refused, segment};
use crate::deploy::{self, Mode};
use crate::door::{Door, Outcome};
use crate::errors;
use crate::installed::Service;
use crate::invoke::invoke as run;
use crate::peer::{Peer, url};
use crate::reply_body::ReplyBody;
use crate::router::{PathValues, percent_decode};
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Method, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use transom_messages::{Line, Severity};

const PATH: &str = "/zosConnect/services/";

/// The service a `?action=invoke` request is for.
pub(super) fn invoked(parts: &Parts) -> Option<String> {
    let name = parts.uri.path().strip_prefix(PATH)?;
    let invoke = |pair: &str| pair.eq_ignore_ascii_case("action=invoke");
    let asked = parts.uri.query()?.split('&').any(invoke);
    let name = name.trim_end_matches('/');
    (asked && !name.contains('/'))
        .then(|| percent_decode(name).ok())?
        .map(Into::into)
}

/// Calls a service by itself.
pub(super) async fn invoke(
    door: &Arc<Door>,
    peer: Peer,
    parts: &Parts,
    body: Incoming,
    name: &str,
) -> Response<ReplyBody> {
    if !matches!(parts.method, Method::POST | Method::PUT) {
        // A link or a crawler must not run a program.
        let url = url(parts, peer);
        let allow = "POST, PUT".to_owned();
        return errors::method_not_allowed(parts.method.as_str(), &url, allow).response();
    }
    let operation = door.catalog.live().invocations.get(name).cloned();
    match operation {
        Some(operation) => {
            let none = PathValues::default();
            run(door, peer, parts, body, &operation, &none).await
        }
        None => errors::no_service(name).response(),
    }
}

pub(super) async fn answer(
    call: &Call<'_>,
    rest: &[&str],
    body: Incoming,
) -> Outcome<Response<ReplyBody>> {
    match rest {
        [] => {
            call.only(&[Method::GET, Method::POST])?;
            if call.parts.method == Method::POST {
                deploy(call, body).await
            } else {
                Ok(list(call))
            }
        }
        [name] => {
            let methods: &[Method] = match call.action.as_deref() {
                None => &[Method::GET, Method::PUT, Method::DELETE],
                Some("status") => &[Method::GET],
                Some("start" | "stop") => &[Method::PUT, Method::POST],
                Some(action) => {
                    return Err(errors::bad_request(&format!(
                        "action={action}: status, start, stop or invoke is expected"
                    )));
                }
            };
            call.only(methods)?;
            let service = find(call, name)?;
            match (&call.parts.method, call.action.as_deref()) {
                (&Method::DELETE, _) => remove(call, &service).await,
                (&Method::PUT, None) => change(call, &service, body).await,
                (_, Some(action @ ("start" | "stop"))) => set(call, &service, action == "start"),
                _ => Ok(json(&details(call, &service))),
            }
        }
        [name, "schema", direction @ ("request" | "response")] => {
            call.only(&[Method::GET])?;
            let service = find(call, name)?;
            let definition = &service.definition;
            let schema = if *direction == "request" {
                &definition.request_schema
            } else {
                &definition.response_schema
            };
            let mut response = json(&Value::Null);
            *response.body_mut() = ReplyBody::from(schema.clone());
            Ok(response)
        }
        _ => Err(errors::no_route(&url(call.parts, call.peer))),
    }
}

fn find(call: &Call<'_>, name: &str) -> Outcome<Arc<Service>> {
    call.door
        .catalog
        .live()
        .services
        .get(name)
        .cloned()
        .ok_or_else(|| {
            let url = url(call.parts, call.peer);
            let text =
                format!("BAQR0403W: Service {name} specified under URL {url} is not available.");
            call.door
                .operator
                .tell(Line::text(Severity::Information, text));
            errors::no_service(name)
        })
}

fn list(call: &Call<'_>) -> Response<ReplyBody> {
    let origin = call.origin();
    let live = call.door.catalog.live();
    let services: Vec<Value> = live
        .services
        .values()
        .map(|service| {
            let d = &service.definition;
            json!({
                "ServiceName": d.name,
                "ServiceDescription": d.description,
                "ServiceProvider": d.provider,
                "ServiceURL": format!("{origin}{PATH}{}", segment(&d.name)),
            })
        })
        .collect();
    json(&json!({ "zosConnectServices": services }))
}

fn details(call: &Call<'_>, service: &Service) -> Value {
    let d = &service.definition;
    let url = format!("{}{PATH}{}", call.origin(), segment(&d.name));
    let mut reply = json!({
        "zosConnect": {
            "serviceName": d.name,
            "serviceDescription": d.description,
            "serviceProvider": d.provider,
            "version": d.version,
            "serviceURL": url,
            "serviceInvokeURL": format!("{url}?action=invoke"),
            "dataXformProvider": if d.data_xform.is_empty() { "DATA_UNAVAILABLE" } else { &d.data_xform },
            "serviceStatus": if service.installed.started() { "Started" } else { "Stopped" },
        }
    });
    let mut own = match &d.rest {
        Some(rest) => json!({ "url": rest.place() }),
        None => json!({ "program": d.program.as_str() }),
    };
    if let Some(transid) = &d.transid {
        own["transid"] = transid.as_str().into();
    }
    if !d.connection.is_empty() {
        own["connectionRef"] = d.connection.as_str().into();
    }
    reply[&d.name] = own;
    reply
}

fn set(call: &Call<'_>, service: &Service, started: bool) -> Outcome<Response<ReplyBody>> {
    let name = &service.definition.name;
    call.door
        .catalog
        .set_service(name, started)
        .map_err(refused)?;
    call.done("service", name, if started { "started" } else { "stopped" });
    Ok(json(&details(call, &*find(call, name)?)))
}

async fn deploy(call: &Call<'_>, body: Incoming) -> Outcome<Response<ReplyBody>> {
    let archive = call
        .archive(body)
        .await?
        .ok_or_else(|| errors::bad_archive("the body is empty"))?;
    let started = call.status.unwrap_or(true);
    let name = call
        .blocking(move |door| deploy::service(door, &archive, Mode::New, started))
        .await?;
    call.done("service", &name, "deployed");
    let details = details(call, &*find(call, &name)?);
    let location = details["zosConnect"]["serviceURL"]
        .as_str()
        .unwrap_or("/")
        .to_owned();
    Ok(created(&details, &location))
}

async fn change(
    call: &Call<'_>,
    service: &Arc<Service>,
    body: Incoming,
) -> Outcome<Response<ReplyBody>> {
    let name = service.definition.name.clone();
    match call.archive(body).await? {
        Some(archive) => {
            let started = call.status.unwrap_or(true);
            let update = Mode::Update(name.clone());
            call.blocking(move |door| deploy::service(door, &archive, update, started))
                .await?;
            call.done("service", &name, "updated");
        }
        None => {
            let started = call.status.ok_or_else(|| {
                errors::bad_request("an archive or status=started|stopped is expected")
            })?;
            return set(call, service, started);
        }
    }
    let details = details(call, &*find(call, &name)?);
    let location = details["zosConnect"]["serviceURL"]
        .as_str()
        .unwrap_or("/")
        .to_owned();
    Ok(located(&details, &location))
}

async fn remove(call: &Call<'_>, service: &Arc<Service>) -> Outcome<Response<ReplyBody>> {
    if service.installed.started() {
        return Err(errors::conflict(
            "the service must be stopped before it can be deleted",
        ));
    }
    let reply = details(call, service);
    let name = service.definition.name.clone();
    call.blocking(move |door| deploy::remove_service(door, &name))
        .await?;
    call.done("service", &service.definition.name, "undeployed");
    Ok(json(&reply))
}
