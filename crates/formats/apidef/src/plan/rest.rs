//! Services that are called by HTTP, and APIs over them: documents into documents.
//!
//! What: [`RestPlan`] for a service of the REST client provider (Db2's services among them),
//! [`RestOperation`] for a method on a path of an API over one. Why apart from `plan`: there is no
//! record, so a document is changed and not converted, and one without a mapping passes as it came.
//! Not here: HTTP, connections.

use crate::aar::{Operation, Place, ResponseRule, Step, Transform};
use crate::plan::mapped::{HeaderSource, Source};
use crate::problem::Result;
use crate::sar::ServiceArchive;
pub use case::RestCase;
use json::{holds, member, number_or_text, put, take, text_of};
use serde_json::{Map, Value};
use std::sync::Arc;
use transom_messages as messages;
use transom_messages::Problem;

mod case;
mod json;

/// Methods a service may be called with.
const VERBS: [&str; 5] = ["GET", "PUT", "POST", "DELETE", "PATCH"];

/// A service ready to be called.
#[derive(Debug)]
pub struct RestPlan {
    /// Service name.
    pub name: String,
    /// Version of the service.
    pub version: String,
    /// One line of text.
    pub description: String,
    /// Provider as the administration interface shows it.
    pub provider: String,
    /// `connectionRef`: identifier of a connection in server.xml.
    pub connection_ref: String,
    /// Method of the call.
    pub verb: String,
    /// Path of the call, with a leading `/`.
    pub uri: String,
    /// JSON schema of requests.
    pub request_schema: Value,
    /// JSON schema of responses.
    pub response_schema: Value,
}

/// One method on one path of an API over such a service.
#[derive(Debug)]
pub struct RestOperation {
    /// HTTP method in upper case.
    pub method: String,
    /// Path below the base path, with `{name}` for path parameters.
    pub path: String,
    /// `operationId`.
    pub operation_id: String,
    /// The service behind it.
    pub service: Arc<RestPlan>,
    /// Values of the request that become members of the document.
    pub moves: Vec<JsonMove>,
    assigns: Vec<(Vec<String>, Value)>,
    removes: Vec<Vec<String>>,
    renames: Vec<(Vec<String>, String)>,
    /// Tried in order; the last has no condition.
    pub cases: Vec<RestCase>,
}

/// A value of a request and the member it becomes.
#[derive(Debug)]
pub struct JsonMove {
    /// Where it comes from.
    pub source: Source,
    /// Name of the parameter or header.
    pub name: String,
    /// Schema of the member.
    pub schema: Value,
    to: Vec<String>,
}

/// Status and headers of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestReply {
    /// HTTP status.
    pub code: u16,
    /// Headers in the order of the mapping.
    pub headers: Vec<(String, String)>,
}

/// Why a document cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestError {
    /// It is no JSON object: why.
    NotJson(String),
    /// A value does not fit its member: which and why.
    BadValue(String),
}

impl RestPlan {
    /// Reads what is needed to call a service.
    ///
    /// # Errors
    /// TXMAD0010E for a method or path that makes no sense.
    pub fn new(service: &ServiceArchive) -> Result<RestPlan> {
        let bad = |property: &str, why: String| {
            Problem::new(messages::ad::property(property, why), &service.name)
        };
        let rest = service.rest.as_ref();
        let rest = rest.ok_or_else(|| bad("uri", "is missing".to_owned()))?;
        let verb = rest.verb.to_ascii_uppercase();
        if !VERBS.contains(&verb.as_str()) {
            return Err(bad("verb", format!("is \"{verb}\", which is no method")));
        }
        let good = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '#');
        if rest.uri.is_empty() || !rest.uri.chars().all(good) {
            return Err(bad("uri", format!("is \"{}\", which is no path", rest.uri)));
        }
        let schema = |schema: &Option<Value>| schema.clone().unwrap_or_else(|| Map::new().into());
        Ok(RestPlan {
            name: service.name.clone(),
            version: service.version.clone(),
            description: service.description.clone(),
            provider: service.provider.name().to_owned(),
            connection_ref: service.connection_ref.clone().unwrap_or_default(),
            verb,
            uri: match rest.uri.starts_with('/') {
                true => rest.uri.clone(),
                false => format!("/{}", rest.uri),
            },
            request_schema: schema(&service.request_schema),
            response_schema: schema(&service.response_schema),
        })
    }
}

impl RestOperation {
    /// Compiles one operation; `api` is only for messages.
    ///
    /// # Errors
    /// TXMAD0022E for a mapping that names a member or parameter that is not there.
    pub fn new(api: &str, operation: &Operation, service: Arc<RestPlan>) -> Result<RestOperation> {
        let place = format!("{api} {} {}", operation.method, operation.path);
        let mut out = RestOperation {
            method: operation.method.clone(),
            path: operation.path.clone(),
            operation_id: operation.operation_id.clone(),
            moves: Vec::new(),
            assigns: Vec::new(),
            removes: Vec::new(),
            renames: Vec::new(),
            cases: Vec::new(),
            service,
        };
        for step in &operation.request.steps {
            out.request_step(operation, step)
                .map_err(|why| bad(&operation.request, step, &place, &why))?;
        }
        for rule in &operation.responses {
            let case = out.case(rule, &place)?;
            out.cases.push(case);
        }
        Ok(out)
    }

    /// Appends the document of the service to `out`: the client's own, and the values of
    /// [`RestOperation::moves`] in their order.
    ///
    /// # Errors
    /// The client's document is none, or a value does not fit.
    pub fn encode(
        &self,
        body: &[u8],
        values: &[Option<&str>],
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), RestError> {
        let mut document = object(body)?;
        for (path, name) in &self.renames {
            let parent = &path[..path.len() - 1];
            let mut client = parent.to_vec();
            client.push(name.clone());
            if let Some(value) = take(&mut document, &client) {
                put(&mut document, path, value);
            }
        }
        for path in &self.removes {
            take(&mut document, path);
        }
        for (path, value) in &self.assigns {
            put(&mut document, path, value.clone());
        }
        for (one, value) in self.moves.iter().zip(values) {
            let Some(text) = value else { continue };
            let value = number_or_text(&one.schema, text).ok_or_else(|| {
                RestError::BadValue(format!("{} is no value of its type", one.name))
            })?;
            put(&mut document, &one.to, value);
        }
        // Writing to memory cannot fail.
        let _written = serde_json::to_writer(out, &document);
        Ok(())
    }

    /// Appends the client's document of a good answer to `out`.
    ///
    /// # Errors
    /// The answer is no JSON object although the mapping looks into it.
    pub fn decode(
        &self,
        answer: &[u8],
        out: &mut Vec<u8>,
    ) -> std::result::Result<RestReply, RestError> {
        let plain = |code: u16| RestReply {
            code,
            headers: Vec::new(),
        };
        let [only] = self.cases.as_slice() else {
            return self.decode_document(object(answer)?, out);
        };
        if only.passes() {
            out.extend_from_slice(answer);
            return Ok(plain(only.code));
        }
        self.decode_document(object(answer)?, out)
    }

    fn decode_document(
        &self,
        mut document: Value,
        out: &mut Vec<u8>,
    ) -> std::result::Result<RestReply, RestError> {
        let applies = |case: &&RestCase| {
            let condition = case.condition.as_ref();
            condition.is_none_or(|condition| holds(condition, &document))
        };
        let mut reply = RestReply {
            code: 200,
            headers: Vec::new(),
        };
        if let Some(case) = self.cases.iter().find(applies) {
            reply.code = case.code;
            for rule in &case.headers {
                let value = match &rule.value {
                    HeaderSource::Constant(text) => Some(text.clone()),
                    HeaderSource::Field(path) => text_of(&document, path).map(|(text, _)| text),
                };
                reply
                    .headers
                    .extend(value.map(|value| (rule.name.clone(), value)));
            }
            case.steps.iter().for_each(|step| step.apply(&mut document));
        }
        let _written = serde_json::to_writer(out, &document);
        Ok(reply)
    }

    fn request_step(
        &mut self,
        operation: &Operation,
        step: &Step,
    ) -> std::result::Result<(), String> {
        let member = |path: &str| member(&self.service.request_schema, path);
        match &step.transform {
            Transform::Move {
                from: Place::Body(_),
                ..
            } => return Err("members cannot be moved within a request here".to_owned()),
            Transform::Move {
                from,
                to: Place::Body(to),
            } => {
                let (source, name) = match from {
                    Place::Path(name) => (Source::Path, name),
                    Place::Query(name) => (Source::Query, name),
                    Place::Header(name) | Place::Body(name) => (Source::Header, name),
                };
                let known = operation.path_parameters();
                if source == Source::Path && !known.contains(&name.as_str()) {
                    let path = &operation.path;
                    return Err(format!("the path {path} has no parameter {name}"));
                }
                let (to, schema) = member(to)?;
                self.moves.push(JsonMove {
                    source,
                    name: name.clone(),
                    schema,
                    to,
                });
            }
            Transform::Assign {
                to: Place::Body(to),
                value,
            } => {
                let (to, schema) = member(to)?;
                let value = number_or_text(&schema, value)
                    .ok_or_else(|| format!("\"{value}\" is no value of its type"))?;
                self.assigns.push((to, value));
            }
            Transform::Remove {
                at: Place::Body(at),
            } => self.removes.push(member(at)?.0),
            Transform::Rename {
                at: Place::Body(at),
                name,
            } => self.renames.push((member(at)?.0, name.clone())),
            // A parameter that is removed simply is not used; the order of members means nothing.
            Transform::Remove { .. } | Transform::Rename { .. } | Transform::Reorder { .. } => {}
            _ => return Err("this is not done in a request".to_owned()),
        }
        Ok(())
    }

    fn case(&self, rule: &ResponseRule, place: &str) -> Result<RestCase> {
        let mut case = RestCase {
            code: rule.code,
            description: rule.description.clone(),
            condition: rule.condition.clone(),
            headers: Vec::new(),
            steps: Vec::new(),
        };
        for step in &rule.mapping.steps {
            case.step(&self.service.response_schema, step)
                .map_err(|why| bad(&rule.mapping, step, place, &why))?;
        }
        Ok(case)
    }
}

/// A document; white space only counts as `{}`.
fn object(body: &[u8]) -> std::result::Result<Value, RestError> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new().into());
    }
    match serde_json::from_slice(body) {
        Ok(document @ Value::Object(_)) => Ok(document),
        Ok(_) => Err(RestError::NotJson("it is no object".to_owned())),
        Err(error) => Err(RestError::NotJson(error.to_string())),
    }
}

fn bad(mapping: &crate::aar::Mapping, step: &Step, place: &str, why: &str) -> Problem {
    let message = messages::ad::mapping_does_not_fit(why);
    match mapping.file.is_empty() {
        true => Problem::new(message, place),
        false => mapping.problem(message, step),
    }
}
