//! `transom api build`: a YAML file into an `.aar`.
//!
//! The services must be there, because a mapping that names a field nobody has should fail when the
//! archive is built and not when it is installed.

use crate::aar::{ApiArchive, Condition, METHODS, check_template, normal_path};
use crate::archive::Archive;
use crate::openapi;
use crate::plan::{AnyPlan, ApiPlan};
use crate::problem::Result;
use crate::toolkit::maps::{request_map, response_map};
use crate::toolkit::places::placed;
use crate::xml::escape;
use crate::yaml::{self, Keys};
use serde_json::Value;
use std::fmt::Write;
use transom_copybook::shape::{Kind, Presence, Shape};
use transom_messages as messages;
use transom_messages::Problem;

const TOP_KEYS: &[&str] = &["name", "version", "description", "basePath", "operations"];
const OPERATION_KEYS: &[&str] = &[
    "method",
    "path",
    "service",
    "operationId",
    "request",
    "responses",
];
const REQUEST_KEYS: &[&str] = &[
    "path", "query", "header", "assign", "remove", "rename", "move", "order",
];
const RESPONSE_KEYS: &[&str] = &[
    "code",
    "description",
    "when",
    "headers",
    "assign",
    "remove",
    "rename",
    "move",
    "order",
];

/// Builds an API archive. `services` gives the plan of a service by name.
///
/// # Errors
/// TXMAD0006E, 0050E and 0051E for the YAML, TXMAD0022E to 0024E for mappings and services that do
/// not fit.
pub fn build_api<P: Into<AnyPlan>>(
    file: &str,
    text: &str,
    services: impl Fn(&str) -> Option<P>,
) -> Result<Vec<u8>> {
    build(file, text, services).map_err(|problem| placed(problem, file, text))
}

fn build<P: Into<AnyPlan>>(
    file: &str,
    text: &str,
    services: impl Fn(&str) -> Option<P>,
) -> Result<Vec<u8>> {
    let services = |name: &str| services(name).map(Into::into);
    let value = yaml::parse(file, text)?;
    let keys = Keys::new(file, "", &value, TOP_KEYS)?;
    let name = keys.need("name")?;
    let base_path = normal_path(&keys.text("basePath")?.unwrap_or_else(|| name.clone()));
    let mut archive = Archive::new(&format!("{name}.aar"));
    let mut paths: Vec<(String, String)> = Vec::new();
    for (i, value) in keys.list("operations")?.iter().enumerate() {
        let operation = Operation::read(file, &format!("operations[{i}]"), value, &services)?;
        let xml = operation.write(&mut archive, &base_path)?;
        match paths.iter_mut().find(|(path, _)| *path == operation.path) {
            Some((_, methods)) => methods.push_str(&xml),
            None => paths.push((operation.path, xml)),
        }
    }
    if paths.is_empty() {
        return Err(keys.bad("operations", "is empty"));
    }
    let package = |doc: &str| -> Result<String> {
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
             <zosConnectApi xmlns=\"http://www.ibm.com/zosConnect/2.0/zosConnectApi\" id=\"{0}\">\n    \
             <apiSpec title=\"{0}\" basePath=\"{1}\" description=\"{2}\" version=\"{3}\">\n",
            escape(&name),
            escape(&base_path),
            escape(&keys.text("description")?.unwrap_or_default()),
            escape(&keys.text("version")?.unwrap_or_else(|| "1.0.0".to_owned()))
        );
        for (path, methods) in &paths {
            let _ = write!(
                out,
                "        <path relativePath=\"{}\">\n{methods}        </path>\n",
                escape(path)
            );
        }
        let _ = writeln!(out, "{doc}    </apiSpec>\n</zosConnectApi>");
        Ok(out)
    };
    archive.put("package.xml", package("")?);
    let api = ApiArchive::from_archive(&archive)?;
    let (plan, calls) = ApiPlan::with_calls(&api, services)?;
    archive.put(
        "api-docs/swagger.json",
        format!(
            "{:#}",
            openapi::with_calls(openapi::generate(&plan), &calls)
        ),
    );
    archive.put(
        "package.xml",
        package("        <apiDoc docType=\"SWAGGER\">api-docs/swagger.json</apiDoc>\n")?,
    );
    archive.write()
}

struct Operation<'a> {
    method: String,
    path: String,
    service: String,
    operation_id: String,
    /// Outermost member of the service's request and of its response.
    roots: (String, String),
    request: Option<Keys<'a>>,
    responses: Vec<Response<'a>>,
}

struct Response<'a> {
    code: u16,
    description: String,
    when: Option<Condition>,
    keys: Keys<'a>,
}

impl<'a> Operation<'a> {
    fn read(
        file: &'a str,
        at: &str,
        value: &'a Value,
        services: &impl Fn(&str) -> Option<AnyPlan>,
    ) -> Result<Operation<'a>> {
        let keys = Keys::new(file, at, value, OPERATION_KEYS)?;
        let method = keys.need("method")?.to_ascii_uppercase();
        if !METHODS.contains(&method.as_str()) {
            return Err(keys.bad(
                "method",
                &format!("is \"{method}\"; it must be one of {}", METHODS.join(", ")),
            ));
        }
        let path = normal_path(&keys.need("path")?);
        check_template(&path).map_err(|why| keys.bad("path", &format!("is {path}: {why}")))?;
        let service = keys.need("service")?;
        let plan = services(&service)
            .ok_or_else(|| Problem::new(messages::ad::service_not_there(at, &service), file))?;
        let request = match keys.get("request") {
            Some(value) => Some(Keys::new(
                file,
                &format!("{at}.request"),
                value,
                REQUEST_KEYS,
            )?),
            None => None,
        };
        let mut responses = Vec::new();
        for (i, value) in keys.list("responses")?.iter().enumerate() {
            responses.push(Response::read(
                file,
                &format!("{at}.responses[{i}]"),
                value,
            )?);
        }
        Ok(Operation {
            operation_id: keys
                .text("operationId")?
                .unwrap_or_else(|| format!("{}{service}", method.to_ascii_lowercase())),
            roots: roots(&plan),
            method,
            path,
            service,
            request,
            responses,
        })
    }

    fn default_code(&self) -> u16 {
        self.responses
            .iter()
            .find(|r| r.when.is_none())
            .map_or(200, |r| r.code)
    }

    /// Puts the operation's members into the archive and answers its element of the package.
    fn write(&self, archive: &mut Archive, base_path: &str) -> Result<String> {
        let name = format!("{}{}", self.method, self.path.replace('/', "."));
        let folder = format!("api{}/{}", self.path.trim_end_matches('/'), self.method);
        let default = self.default_code();
        let mut mapping = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
             <ns2:ZosConnectServiceMapping xmlns:ns2=\"http://www.ibm.com/zosConnect/2.0/zosConnectServiceMapping\" mappingSpecVersion=\"1.0\">\n    \
             <mappingContext basePath=\"{}\" relativePath=\"{}\" method=\"{}\" serviceName=\"{}\" defaultResponseCode=\"{default}\"/>\n",
            escape(base_path),
            escape(&self.path),
            self.method,
            escape(&self.service)
        );
        if let Some(keys) = &self.request {
            let member = format!("{folder}/request.map");
            archive.put(
                &member,
                request_map(&name, &self.method, &self.roots.0, keys)?,
            );
            let _ = write!(
                mapping,
                "    <requestMessage>\n{}    </requestMessage>\n",
                model(&member)
            );
        }
        for (i, response) in self.responses.iter().enumerate() {
            let member = if i == 0 {
                format!("{folder}/response.map")
            } else {
                format!("{folder}/response_{}_{i}.map", response.code)
            };
            archive.put(
                &member,
                response_map(&name, &self.method, &self.roots.1, &response.keys)?,
            );
            let _ = write!(
                mapping,
                "    <responseMessages code=\"{}\" description=\"{}\">\n{}{}    </responseMessages>\n",
                response.code,
                escape(&response.description),
                rules(response.when.as_ref()),
                model(&member)
            );
        }
        if self.responses.is_empty() {
            mapping.push_str("    <responseMessages code=\"200\" description=\"OK\"/>\n");
        }
        mapping.push_str("</ns2:ZosConnectServiceMapping>\n");
        archive.put(&format!("{folder}/mapping.xml"), mapping);
        Ok(format!(
            "            <method type=\"{}\" zosConnectServiceRef=\"{}\" httpXformFile=\"{}\" operationId=\"{}\"></method>\n",
            self.method,
            escape(&self.service),
            escape(&format!("{folder}/mapping.xml")),
            escape(&self.operation_id)
        ))
    }
}

impl<'a> Response<'a> {
    fn read(file: &'a str, at: &str, value: &'a Value) -> Result<Response<'a>> {
        let keys = Keys::new(file, at, value, RESPONSE_KEYS)?;
        let code: u16 = keys
            .number("code")?
            .ok_or_else(|| keys.bad("code", "is missing"))?;
        if !(100..=599).contains(&code) {
            return Err(keys.bad(
                "code",
                &format!("is {code}; it must be between 100 and 599"),
            ));
        }
        let when = keys
            .text("when")?
            .map(|t| Condition::parse(&t).map_err(|why| keys.bad("when", &format!(": {why}"))))
            .transpose()?;
        Ok(Response {
            code,
            description: keys.text("description")?.unwrap_or_default(),
            when,
            keys,
        })
    }
}

/// Outermost members of requests and responses; documents of other servers have none.
fn roots(plan: &AnyPlan) -> (String, String) {
    let AnyPlan::Program(plan) = plan else {
        return (String::new(), String::new());
    };
    let response = plan.response.cases.first();
    let response = response.map(|case| root_member(&case.shape));
    (
        root_member(&plan.request.shape),
        response.unwrap_or_default(),
    )
}

/// The one member of the service's document, or nothing when it has several.
fn root_member(shape: &Shape) -> String {
    let Kind::Object(members) = &shape.root.kind else {
        return String::new();
    };
    let mut shown = members.iter().filter(|m| m.presence == Presence::Shown);
    match (shown.next(), shown.next()) {
        (Some(one), None) => one.name.clone(),
        _ => String::new(),
    }
}

fn model(member: &str) -> String {
    format!(
        "        <mappingRootModel type=\"MSL\" location=\"{}\"/>\n",
        escape(member)
    )
}

/// Rules in one line each; the operator joins a rule to the next. AND binds closer, as in a
/// condition's text.
fn rules(condition: Option<&Condition>) -> String {
    let Some(condition) = condition else {
        return String::new();
    };
    let any = match condition {
        Condition::Or(any) => any.as_slice(),
        one => std::slice::from_ref(one),
    };
    let groups: Vec<_> = any.iter().map(Condition::tests).collect();
    let mut out = String::from("        <rules>\n");
    let mut number = 0;
    for (i, tests) in groups.iter().enumerate() {
        for (j, test) in tests.iter().enumerate() {
            number += 1;
            let join = match (j + 1 < tests.len(), i + 1 < groups.len()) {
                (true, _) => " logicalOperator=\"AND\"",
                (false, true) => " logicalOperator=\"OR\"",
                (false, false) => "",
            };
            let _ = writeln!(
                out,
                "            <rule name=\"Rule {number}\" field=\"{}\" operator=\"{}\" value=\"{}\"{join}/>",
                escape(&test.field),
                escape(test.op.sign()),
                escape(&test.value)
            );
        }
    }
    out.push_str("        </rules>\n");
    out
}
