//! `/zosConnect/apis`.

use super::call::{Call, created, json, located, refused, segment};
use crate::deploy::{self, Mode};
use crate::door::Outcome;
use crate::errors;
use crate::installed::Api;
use crate::peer::url;
use crate::reply_body::ReplyBody;
use hyper::body::Incoming;
use hyper::{Method, Response};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

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
            call.only(&[Method::GET, Method::PUT, Method::DELETE])?;
            let api = find(call, name)?;
            match call.parts.method {
                Method::PUT => change(call, &api, body).await,
                Method::DELETE => remove(call, &api).await,
                _ => Ok(json(&details(call, &api))),
            }
        }
        _ => Err(errors::no_route(&url(call.parts, call.peer))),
    }
}

fn find(call: &Call<'_>, name: &str) -> Outcome<Arc<Api>> {
    call.door
        .catalog
        .live()
        .apis
        .get(name)
        .cloned()
        .ok_or_else(|| errors::no_api(name))
}

fn list(call: &Call<'_>) -> Response<ReplyBody> {
    let origin = call.origin();
    let live = call.door.catalog.live();
    let apis: Vec<Value> = live
        .apis
        .values()
        .map(|api| {
            json!({
                "name": api.definition.name,
                "version": api.definition.version,
                "description": api.definition.description,
                "adminUrl": format!("{origin}/zosConnect/apis/{}", segment(&api.definition.name)),
            })
        })
        .collect();
    json(&json!({ "apis": apis }))
}

fn details(call: &Call<'_>, api: &Api) -> Value {
    let (origin, definition) = (call.origin(), &api.definition);
    let url = format!("{origin}{}", definition.base_path.trim_end_matches('/'));
    let names: BTreeSet<&str> = definition
        .operations
        .iter()
        .map(|o| o.service.as_str())
        .collect();
    let services: Vec<Value> = names
        .into_iter()
        .map(|name| {
            json!({ "name": name, "uri": format!("{origin}/zosConnect/services/{}", segment(name)) })
        })
        .collect();
    json!({
        "name": definition.name,
        "version": definition.version,
        "description": definition.description,
        "status": if api.installed.started() { "Started" } else { "Stopped" },
        "apiUrl": url,
        "documentation": {
            "swagger": format!("{url}/api-docs"),
            "openapi": format!("{url}/openapi"),
        },
        "services": services,
    })
}

async fn deploy(call: &Call<'_>, body: Incoming) -> Outcome<Response<ReplyBody>> {
    let archive = call
        .archive(body)
        .await?
        .ok_or_else(|| errors::bad_archive("the body is empty"))?;
    let started = call.status.unwrap_or(true);
    let name = call
        .blocking(move |door| deploy::api(door, &archive, Mode::New, started))
        .await?;
    call.done("API", &name, "deployed");
    let api = find(call, &name)?;
    let details = details(call, &api);
    Ok(created(&details, details["apiUrl"].as_str().unwrap_or("/")))
}

async fn change(call: &Call<'_>, api: &Arc<Api>, body: Incoming) -> Outcome<Response<ReplyBody>> {
    let name = api.definition.name.clone();
    match call.archive(body).await? {
        Some(archive) => {
            let started = call.status.unwrap_or(true);
            let update = Mode::Update(name.clone());
            call.blocking(move |door| deploy::api(door, &archive, update, started))
                .await?;
            call.done("API", &name, "updated");
        }
        None => {
            let started = call.status.ok_or_else(|| {
                errors::bad_request("an archive or status=started|stopped is expected")
            })?;
            call.door.catalog.set_api(&name, started).map_err(refused)?;
            call.done("API", &name, if started { "started" } else { "stopped" });
        }
    }
    let api = find(call, &name)?;
    let details = details(call, &api);
    Ok(located(&details, details["apiUrl"].as_str().unwrap_or("/")))
}

async fn remove(call: &Call<'_>, api: &Arc<Api>) -> Outcome<Response<ReplyBody>> {
    if api.installed.started() {
        return Err(errors::conflict(
            "the API must be stopped before it can be deleted",
        ));
    }
    let name = api.definition.name.clone();
    let gone = name.clone();
    call.blocking(move |door| deploy::remove_api(door, &gone))
        .await?;
    call.done("API", &name, "undeployed");
    Ok(json(&json!({ "name": name })))
}
