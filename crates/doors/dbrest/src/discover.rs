//! What services there are, and what one of them takes and gives.

use crate::asked::Asked;
use crate::reply::{self, Failure, ReplyBody};
use crate::schema;
use crate::target::path_of;
use hyper::{Response, StatusCode};
use serde_json::{Map, Value, json};
use transom_region_api::{RestServiceEntry, RestServiceName};

/// Name of Db2's provider of services.
const PROVIDER: &str = "db2service-1.0";
/// Services every Db2 has.
const OWN: [(&str, &str); 2] = [
    (
        "DB2ServiceDiscover",
        "DB2 service to list all available services.",
    ),
    (
        "DB2ServiceManager",
        "DB2 service to create, drop, or alter a user defined service.",
    ),
];

/// All services the user may run.
pub(crate) async fn all(asked: &Asked<'_>) -> Result<Response<ReplyBody>, Failure> {
    let found = asked.shared.desk.services.all(asked.by).await;
    let nobody = RestServiceName {
        collection: String::new(),
        name: "DB2ServiceDiscover".to_owned(),
        version: None,
    };
    let found = found.map_err(|why| Failure::of(why, &nobody, "execution"))?;
    let origin = asked.origin();
    let own = OWN.iter().map(|(name, description)| {
        json!({
            "serviceName": name,
            "serviceCollectionID": null,
            "version": null,
            "isDefaultVersion": true,
            "serviceStatus": "started",
            "serviceDescription": description,
            "serviceProvider": PROVIDER,
            "serviceURL": format!("{origin}/services/{name}"),
        })
    });
    let others = found.iter().map(|one| Value::Object(entry(one, &origin)));
    let services: Vec<Value> = own.chain(others).collect();
    let text = json!({"DB2Services": services}).to_string();
    Ok(reply::document(StatusCode::OK, text))
}

/// One service with its schemas.
pub(crate) async fn one(
    asked: &Asked<'_>,
    name: RestServiceName,
) -> Result<Response<ReplyBody>, Failure> {
    let found = asked
        .shared
        .desk
        .services
        .describe(asked.by, name.clone())
        .await;
    let found = found.map_err(|why| Failure::of(why, &name, "discovery"))?;
    let short = &found.entry.name.name;
    let mut details = entry(&found.entry, &asked.origin());
    let request = schema::request(short, &found.parameters);
    let response = schema::response(short, found.columns.as_deref());
    details.insert("RequestSchema".to_owned(), request);
    details.insert("ResponseSchema".to_owned(), response);
    let text = Value::Object(Map::from_iter([(short.clone(), details.into())])).to_string();
    Ok(reply::document(StatusCode::OK, text))
}

fn entry(one: &RestServiceEntry, origin: &str) -> Map<String, Value> {
    let without_version = RestServiceName {
        version: None,
        ..one.name.clone()
    };
    let mut members = Map::new();
    let mut put = |name: &str, value: Value| {
        members.insert(name.to_owned(), value);
    };
    put("serviceName", one.name.name.clone().into());
    put("serviceCollectionID", one.name.collection.clone().into());
    put("version", one.name.version.clone().into());
    put("isDefaultVersion", one.is_default.into());
    let status = if one.started { "started" } else { "stopped" };
    put("serviceStatus", status.into());
    put("serviceDescription", one.description.clone().into());
    put("serviceProvider", PROVIDER.into());
    put(
        "serviceURL",
        format!("{origin}{}", path_of(&one.name)).into(),
    );
    if one.is_default {
        let url = format!("{origin}{}", path_of(&without_version));
        put("alternateServiceURL", url.into());
    }
    members
}
