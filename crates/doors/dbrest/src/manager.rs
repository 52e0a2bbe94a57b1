//! `DB2ServiceManager`: createService and dropService.
//!
//! What: members of the request in any case, as Db2 takes them; options of BIND among them. What
//! would work otherwise than it says is refused. Not here: making services (the region).

use crate::asked::Asked;
use crate::reply::{self, Failure, ReplyBody};
use crate::target::path_of;
use hyper::{Response, StatusCode};
use serde_json::{Map, Value};
use transom_messages as messages;
use transom_region_api::{NewRestService, RestFailure, RestServiceName};

/// Does what a request asks for.
pub(crate) async fn answer(
    asked: &Asked<'_>,
    body: &Map<String, Value>,
) -> Result<Response<ReplyBody>, Failure> {
    let mut members = Members::of(body)?;
    let kind = members.need("requestType")?;
    match kind.as_str() {
        "createService" => create(asked, members).await,
        "dropService" => drop_service(asked, members).await,
        other => Err(Failure::bad(format!(
            "requestType {other} is none of createService and dropService."
        ))),
    }
}

async fn create(asked: &Asked<'_>, mut members: Members) -> Result<Response<ReplyBody>, Failure> {
    let statement = members.need("sqlStmt")?;
    let name = members.name()?;
    let new = NewRestService {
        name: name.clone(),
        statement,
        description: members.take("description"),
        owner: members.take("owner"),
        qualifier: members.take("qualifier"),
    };
    // What Db2 does without them, and what is done here.
    members.only("validate", &["BIND"])?;
    members.only("isolation", &["CS"])?;
    members.only("sqlEncoding", &["1208", "UNICODE"])?;
    members.none_left()?;
    let services = &asked.shared.desk.services;
    let made = services.create(asked.by, new).await;
    let made = made.map_err(|why| Failure::of(why, &name, "creation"))?;
    let told = messages::rs::service_created(&made, asked.by);
    asked.shared.operator.tell(told);
    let url = asked.origin() + &path_of(&made);
    let text = format!("DB2 Rest Service {} was created successfully.", made.name);
    Ok(reply::status(StatusCode::CREATED, &text, &[("URL", &url)]))
}

async fn drop_service(
    asked: &Asked<'_>,
    mut members: Members,
) -> Result<Response<ReplyBody>, Failure> {
    let name = members.name()?;
    members.none_left()?;
    let services = &asked.shared.desk.services;
    match services.remove(asked.by, name.clone()).await {
        Ok(()) => {}
        Err(RestFailure::Unknown) => {
            return Err(Failure::bad(format!("Service {name} was not found.")));
        }
        Err(why) => return Err(Failure::of(why, &name, "drop")),
    }
    let told = messages::rs::service_dropped(&name, asked.by);
    asked.shared.operator.tell(told);
    let text = format!("DB2 Rest Service {} was dropped successfully.", name.name);
    Ok(reply::status(StatusCode::OK, &text, &[]))
}

/// Members of a request, by name in lower case; those that were used are gone.
struct Members(Vec<(String, String)>);

impl Members {
    fn of(body: &Map<String, Value>) -> Result<Self, Failure> {
        let mut members: Vec<(String, String)> = Vec::with_capacity(body.len());
        for (name, value) in body {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Null => continue,
                _ => return Err(Failure::bad(format!("{name} must be a string."))),
            };
            let name = name.to_ascii_lowercase();
            if members.iter().any(|(known, _)| *known == name) {
                return Err(Failure::bad(format!("{name} is there twice.")));
            }
            members.push((name, text));
        }
        Ok(Self(members))
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let at = self
            .0
            .iter()
            .position(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(self.0.remove(at).1)
    }

    fn need(&mut self, name: &str) -> Result<String, Failure> {
        self.take(name)
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| Failure::bad(format!("The required input {name} is missing.")))
    }

    fn name(&mut self) -> Result<RestServiceName, Failure> {
        let collection = self.take("collectionID").unwrap_or_default();
        Ok(RestServiceName {
            collection: match collection.trim() {
                "" => "SYSIBMSERVICE".to_owned(),
                named => named.to_owned(),
            },
            name: self.need("serviceName")?,
            version: self.take("version").filter(|text| !text.is_empty()),
        })
    }

    /// An option that may have these values only.
    fn only(&mut self, name: &str, values: &[&str]) -> Result<(), Failure> {
        match self.take(name) {
            Some(value) if !values.iter().any(|v| v.eq_ignore_ascii_case(&value)) => {
                let values = values.join(" or ");
                let text = format!("Option {name} is {value}; only {values} is done here.");
                Err(Failure::bad(text))
            }
            _ => Ok(()),
        }
    }

    fn none_left(&self) -> Result<(), Failure> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(Failure::bad(format!("Option {name} is not done here."))),
        }
    }
}
