//! Plans of the API definitions crate as definitions of this one.

use crate::change::Refusal;
use crate::conversion::Conversion;
use crate::definition::{ApiDefinition, OperationDefinition, ServiceDefinition};
use crate::deploy::conversion::{ByOperation, ByService};
use crate::door::Door;
use hyper::Method;
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::openapi;
use transom_apidef::plan::{ApiPlan, OperationPlan, ServicePlan};
use transom_apidef::sar::{ServiceArchive, TransidUsage};
use transom_copybook::shape::RecordFormat;
use transom_messages::{Line, Severity};

/// Compiles a service for programs of a region, and says what is noteworthy about it.
pub(super) fn service_plan(
    door: &Door,
    mut archive: ServiceArchive,
) -> Result<(ServicePlan, Vec<Line>), Refusal> {
    archive.conversion.strict_types = door.config.strict;
    let notices = archive.notices.iter();
    let said = notices
        .map(|notice| Line::text(Severity::Information, notice.id_first().to_string()))
        .collect();
    let plan = ServicePlan::new(&archive, &RecordFormat::region()).map_err(invalid)?;
    Ok((plan, said))
}

/// The service as the catalog takes it.
pub(super) fn service(plan: &Arc<ServicePlan>, invoke_uris: Vec<String>) -> ServiceDefinition {
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
        transid,
        connection: plan.connection_ref.clone().unwrap_or_default(),
        reply_bytes_max: plan.commarea_len,
        conversion: Arc::new(ByService::new(plan.clone())),
        request_schema: plan.request_schema.to_string().into(),
        response_schema: plan.response_schema.to_string().into(),
        invoke_uris,
    }
}

/// The API as the catalog takes it. Operations whose service is missing are kept without a
/// conversion.
pub(super) fn api(
    archive: &ApiArchive,
    services: impl Fn(&str) -> Option<Arc<ServicePlan>>,
) -> Result<ApiDefinition, Refusal> {
    let mut plans = Vec::new();
    // Method, path, service and the index of the plan.
    let mut routes = Vec::with_capacity(archive.operations.len());
    for operation in &archive.operations {
        let method = Method::from_bytes(operation.method.as_bytes())
            .map_err(|_| Refusal::Invalid(format!("method {:?} is none", operation.method)))?;
        let index = match services(&operation.service) {
            Some(service) => {
                let plan = OperationPlan::new(&archive.name, operation, service);
                plans.push(plan.map_err(invalid)?);
                Some(plans.len() - 1)
            }
            None => None,
        };
        routes.push((method, operation, index));
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
        .map(|(method, operation, index)| OperationDefinition {
            method,
            path: operation.path.clone(),
            service: operation.service.clone(),
            conversion: index.map(|index| {
                Arc::new(ByOperation::new(plan.clone(), index)) as Arc<dyn Conversion>
            }),
        });
    Ok(ApiDefinition {
        operations: operations.collect(),
        // Without a host, clients take the one they asked.
        swagger: openapi::swagger(&plan, None, &[]).to_string().into(),
        openapi: openapi::openapi(&plan, &[]).to_string().into(),
        name: archive.name.clone(),
        version: archive.version.clone(),
        description: archive.description.clone(),
        base_path: archive.base_path.clone(),
    })
}

/// An archive whose own content is wrong.
pub(super) fn invalid(problem: transom_messages::Problem) -> Refusal {
    Refusal::Invalid(problem.id_first().to_string())
}
