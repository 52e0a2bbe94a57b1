//! Plans of the API definitions crate as definitions of this one.

use crate::change::Refusal;
use crate::conversion::Conversion;
use crate::definition::{ApiDefinition, OperationDefinition, ServiceDefinition};
use crate::deploy::conversion::{ByOperation, ByService};
use crate::deploy::rest::{RestByOperation, RestByService};
use crate::door::Door;
use crate::rest::RestBackend;
use bytes::Bytes;
use hyper::Method;
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::openapi;
use transom_apidef::plan::{AnyPlan, ApiPlan, OperationPlan, RestOperation, RestPlan};
use transom_apidef::sar::{ServiceArchive, TransidUsage};
use transom_copybook::shape::RecordFormat;
use transom_messages::{self as messages, Line, Severity};
use transom_types::ProgramName;

/// Compiles a service for programs of a region, and says what is noteworthy about it.
pub(super) fn service_plan(
    door: &Door,
    mut archive: ServiceArchive,
) -> Result<(AnyPlan, Vec<Line>), Refusal> {
    archive.conversion.strict_types = door.config.strict;
    let notices = archive.notices.iter();
    let said = notices
        .map(|notice| Line::text(Severity::Information, notice.id_first().to_string()))
        .collect();
    let plan = AnyPlan::new(&archive, &RecordFormat::region()).map_err(invalid)?;
    Ok((plan, said))
}

/// The service as the catalog takes it.
pub(super) fn service(plan: &AnyPlan, invoke_uris: Vec<String>) -> ServiceDefinition {
    let plan = match plan {
        AnyPlan::Program(plan) => plan,
        AnyPlan::Rest(plan) => return rest_service(plan, invoke_uris),
    };
    // EIB_ONLY leaves the mirror task its own transaction.
    let transid = plan
        .transid
        .filter(|_| plan.transid_usage != Some(TransidUsage::EibOnly));
    ServiceDefinition {
        name: plan.name.clone(),
        description: plan.description.clone(),
        version: plan.version.clone(),
        provider: plan.provider.clone(),
        data_xform: String::new(),
        program: plan.program,
        rest: None,
        transid,
        connection: plan.connection_ref.clone().unwrap_or_default(),
        reply_bytes_max: plan.commarea_len,
        conversion: Arc::new(ByService::new(plan.clone())),
        request_schema: plan.request_schema.to_string().into(),
        response_schema: plan.response_schema.to_string().into(),
        invoke_uris,
    }
}

fn rest_service(plan: &RestPlan, invoke_uris: Vec<String>) -> ServiceDefinition {
    ServiceDefinition {
        name: plan.name.clone(),
        description: plan.description.clone(),
        version: plan.version.clone(),
        provider: plan.provider.clone(),
        data_xform: String::new(),
        program: ProgramName::from_field(b""),
        rest: None,
        transid: None,
        connection: plan.connection_ref.clone(),
        reply_bytes_max: 0,
        conversion: Arc::new(RestByService),
        request_schema: plan.request_schema.to_string().into(),
        response_schema: plan.response_schema.to_string().into(),
        invoke_uris,
    }
}

/// What a service calls, over a connection of server.xml.
pub(super) fn backend(
    door: &Door,
    plan: &RestPlan,
    connection: &str,
) -> Result<Arc<RestBackend>, Refusal> {
    let known = door.config.rest_connections.get(connection);
    let backend = known.and_then(|to| {
        let nearby = to.nearby(&door.config.nearby);
        RestBackend::new((to.clone(), nearby), &plan.verb, &plan.uri)
    });
    let missing = || {
        let text = messages::gw::rest_connection_unknown(&plan.name, connection);
        Refusal::Invalid(text.to_string())
    };
    Ok(Arc::new(backend.ok_or_else(missing)?))
}

/// The API as the catalog takes it. Operations whose service is missing are kept without a
/// conversion.
pub(super) fn api(
    archive: &ApiArchive,
    services: impl Fn(&str) -> Option<AnyPlan>,
) -> Result<ApiDefinition, Refusal> {
    let mut plans = Vec::new();
    let mut calls = Vec::new();
    // Method, operation, and its plan or the index of it.
    let mut routes = Vec::with_capacity(archive.operations.len());
    for operation in &archive.operations {
        let method = Method::from_bytes(operation.method.as_bytes())
            .map_err(|_| Refusal::Invalid(format!("method {:?} is none", operation.method)))?;
        let compiled = match services(&operation.service) {
            Some(AnyPlan::Program(service)) => {
                let plan = OperationPlan::new(&archive.name, operation, service);
                plans.push(plan.map_err(invalid)?);
                Compiled::Program(plans.len() - 1)
            }
            Some(AnyPlan::Rest(service)) => {
                let plan = RestOperation::new(&archive.name, operation, service);
                let plan = Arc::new(plan.map_err(invalid)?);
                calls.push(plan.clone());
                Compiled::Rest(plan)
            }
            None => Compiled::Missing,
        };
        routes.push((method, operation, compiled));
    }
    let plan = Arc::new(ApiPlan {
        name: archive.name.clone(),
        version: archive.version.clone(),
        description: archive.description.clone(),
        base_path: archive.base_path.clone(),
        operations: plans,
        swagger: archive.swagger.clone(),
    });
    let operations = routes
        .into_iter()
        .map(|(method, operation, compiled)| OperationDefinition {
            method,
            path: operation.path.clone(),
            service: operation.service.clone(),
            conversion: match compiled {
                Compiled::Program(index) => Some(Arc::new(ByOperation::new(plan.clone(), index))),
                Compiled::Rest(call) => {
                    Some(Arc::new(RestByOperation::new(call)) as Arc<dyn Conversion>)
                }
                Compiled::Missing => None,
            },
        });
    let (swagger, openapi) = documents(&plan, &calls);
    Ok(ApiDefinition {
        operations: operations.collect(),
        swagger,
        openapi,
        name: archive.name.clone(),
        version: archive.version.clone(),
        description: archive.description.clone(),
        base_path: archive.base_path.clone(),
    })
}

/// Both descriptions of an API. Without a host, clients take the one they asked.
fn documents(plan: &ApiPlan, calls: &[Arc<RestOperation>]) -> (Bytes, Bytes) {
    let swagger = openapi::with_calls(openapi::swagger(plan, None, &[]), calls);
    let openapi = openapi::with_calls(openapi::openapi(plan, &[]), calls);
    (swagger.to_string().into(), openapi.to_string().into())
}

/// What an operation became.
enum Compiled {
    /// Index among the plans of programs.
    Program(usize),
    Rest(Arc<RestOperation>),
    /// Its service is not installed.
    Missing,
}

/// An archive whose own content is wrong.
pub(super) fn invalid(problem: transom_messages::Problem) -> Refusal {
    Refusal::Invalid(problem.id_first().to_string())
}
