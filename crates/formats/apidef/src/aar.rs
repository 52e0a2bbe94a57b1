//! API archives (`.aar`): paths and methods, each with a service, a request mapping and response
//! rules.
//!
//! What: `package.xml` (the operations), `api/<path>/<METHOD>/mapping.xml` (which maps and response
//! codes), `request.map` and `response.map` (the transforms) and the Swagger document. Not here:
//! services, and whether the fields a map names exist; that is known only when both are put
//! together ([`crate::plan`]).

mod condition;
mod map;
mod mapping;

pub use condition::{Comparison, Condition, Test};
pub use map::{Mapping, Place, Step, Transform};
pub(crate) use mapping::default_response;
pub use mapping::{ResponseRule, ServiceMapping};
use std::fmt::Display;
use transom_messages as messages;

use crate::archive::Archive;
use crate::problem::Result;
use crate::xml::{self, Element};
use crate::yaml;
use serde_json::Value;
use transom_messages::Problem;

/// Most operations in one API.
pub const OPERATIONS_MAX: usize = 1000;

/// An API read from its archive.
#[derive(Debug, Clone)]
pub struct ApiArchive {
    /// Identifier of the API: its name in the administration interface.
    pub name: String,
    /// `title`.
    pub title: String,
    /// Version of the API, such as `1.0.0`.
    pub version: String,
    /// Text.
    pub description: String,
    /// First part of all its paths, with a leading and no trailing `/`.
    pub base_path: String,
    /// The operations in the order of the archive.
    pub operations: Vec<Operation>,
    /// The Swagger 2.0 document of the archive.
    pub swagger: Option<Value>,
    /// What was accepted and has no effect.
    pub notices: Vec<Problem>,
}

/// One path and method.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// HTTP method in upper case.
    pub method: String,
    /// Path below the base path, with `{name}` for path parameters.
    pub path: String,
    /// `operationId`.
    pub operation_id: String,
    /// Name of the service that runs it.
    pub service: String,
    /// Transforms of the request.
    pub request: Mapping,
    /// Responses in the order they are tried; the default (without condition) is last.
    pub responses: Vec<ResponseRule>,
}

impl Operation {
    /// Names between braces in the path, in order.
    pub fn path_parameters(&self) -> Vec<&str> {
        path_parameters(&self.path)
    }
}

/// Names between braces in a path template, in order.
pub fn path_parameters(path: &str) -> Vec<&str> {
    path.split('/')
        .filter_map(|s| s.strip_prefix('{')?.strip_suffix('}'))
        .collect()
}

/// HTTP methods an API may have.
pub const METHODS: &[&str] = &["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"];

impl ApiArchive {
    /// Reads an archive. `name` is the file name, only for messages.
    ///
    /// # Errors
    /// What [`Archive::read`] answers; TXMAD0004E for a missing member; TXMAD0005E and 0007E for
    /// malformed XML or JSON; TXMAD0020E for a package without what it needs; TXMAD0021E for a
    /// transform nobody knows; TXMAD0023E for a response rule that makes no sense.
    pub fn read(name: &str, bytes: &[u8]) -> Result<ApiArchive> {
        Self::from_archive(&Archive::read(name, bytes)?)
    }

    /// The same for an archive already unpacked.
    ///
    /// # Errors
    /// As [`ApiArchive::read`].
    pub fn from_archive(archive: &Archive) -> Result<ApiArchive> {
        let file = archive.place("package.xml");
        let root = xml::parse(&file, archive.text("package.xml")?)?;
        let bad = |element: &Element, reason: &dyn Display| {
            element.problem(messages::ad::api_incomplete(reason), &file)
        };
        let spec = root
            .find("apiSpec")
            .ok_or_else(|| bad(&root, &"there is no apiSpec element"))?;
        let title = spec.attr("title").unwrap_or_default().to_owned();
        let name = root
            .attr("id")
            .filter(|n| !n.is_empty())
            .map_or_else(|| title.clone(), str::to_owned);
        if name.is_empty() {
            return Err(bad(&root, &"the API has neither id nor title"));
        }
        let base_path = base_path(spec).map_err(|why| bad(spec, &why))?;
        let mut api = ApiArchive {
            name,
            title,
            version: spec.attr("version").unwrap_or_default().to_owned(),
            description: spec.attr("description").unwrap_or_default().to_owned(),
            base_path,
            operations: Vec::new(),
            swagger: swagger(archive, spec)?,
            notices: Vec::new(),
        };
        for path in spec.all("path") {
            let relative = normal_path(path.attr("relativePath").unwrap_or_default());
            for method in path.all("method") {
                let operation =
                    read_operation(archive, &file, &relative, method, &mut api.notices)?;
                if api
                    .operations
                    .iter()
                    .any(|o| o.method == operation.method && o.path == operation.path)
                {
                    let why = format_args!("{} {relative} comes twice", operation.method);
                    return Err(bad(method, &why));
                }
                api.operations.push(operation);
                if api.operations.len() > OPERATIONS_MAX {
                    let limit = format_args!("more than {OPERATIONS_MAX} operations");
                    return Err(Problem::new(messages::ad::limit_passed(limit), &file));
                }
            }
        }
        if api.operations.is_empty() {
            return Err(bad(spec, &"the API has no method"));
        }
        Ok(api)
    }
}

/// The basePath, or why it is none.
fn base_path(spec: &Element) -> std::result::Result<String, String> {
    let base_path = normal_path(spec.attr("basePath").unwrap_or_default());
    if base_path == "/" {
        return Err("the API has no basePath".to_owned());
    }
    // Clients resolve such segments before they send a request.
    let mut segments = base_path.split('/');
    if segments.any(|segment| matches!(segment, "." | "..")) {
        return Err(format!("the basePath {base_path} has a segment . or .."));
    }
    Ok(base_path)
}

/// With a leading and no trailing `/`, and no doubled ones.
pub(crate) fn normal_path(path: &str) -> String {
    let parts: Vec<&str> = path.trim().split('/').filter(|p| !p.is_empty()).collect();
    format!("/{}", parts.join("/"))
}

fn swagger(archive: &Archive, spec: &Element) -> Result<Option<Value>> {
    let named = spec
        .all("apiDoc")
        .find(|d| {
            d.attr("docType")
                .is_none_or(|t| t.eq_ignore_ascii_case("SWAGGER"))
        })
        .map(|d| d.text.trim())
        .filter(|m| !m.is_empty());
    let member = named.unwrap_or("api-docs/swagger.json");
    if named.is_none() && archive.get(member).is_none() {
        return Ok(None);
    }
    yaml::parse_json(&archive.place(member), archive.text(member)?).map(Some)
}

fn read_operation(
    archive: &Archive,
    file: &str,
    path: &str,
    element: &Element,
    notices: &mut Vec<Problem>,
) -> Result<Operation> {
    let bad = |text: String| element.problem(messages::ad::api_incomplete(text), file);
    let method = element
        .attr("type")
        .unwrap_or_default()
        .to_ascii_uppercase();
    if !METHODS.contains(&method.as_str()) {
        return Err(bad(format!(
            "\"{method}\" on path {path} is no HTTP method"
        )));
    }
    check_template(path).map_err(|why| bad(format!("path {path}: {why}")))?;
    let mapping = match element.attr("httpXformFile").filter(|m| !m.is_empty()) {
        Some(member) => ServiceMapping::read(archive, member, notices)?,
        None => ServiceMapping::passthrough(),
    };
    let service = element
        .attr("zosConnectServiceRef")
        .filter(|s| !s.is_empty())
        .map(str::to_owned)
        .or(mapping.service)
        .ok_or_else(|| bad(format!("{method} {path} names no service")))?;
    Ok(Operation {
        operation_id: element.attr("operationId").map_or_else(
            || format!("{}{service}", method.to_ascii_lowercase()),
            str::to_owned,
        ),
        method,
        path: path.to_owned(),
        service,
        request: mapping.request,
        responses: mapping.responses,
    })
}

/// A parameter must fill its segment, have a name and come once.
pub(crate) fn check_template(path: &str) -> std::result::Result<(), &'static str> {
    let parameters = path_parameters(path);
    if path.matches(['{', '}']).count() != parameters.len() * 2 {
        return Err("a parameter must be a whole part of the path, as in /a/{name}");
    }
    if parameters.iter().any(|p| p.is_empty()) {
        return Err("a parameter without a name");
    }
    if (1..parameters.len()).any(|i| parameters[..i].contains(&parameters[i])) {
        return Err("a parameter comes twice");
    }
    if path
        .chars()
        .any(|c| c.is_control() || c == '?' || c == '#' || c == ' ')
    {
        return Err("a character that cannot be in a path");
    }
    Ok(())
}
