//! Plans of the API definitions crate as definitions of this one.

use crate::catalog::Refusal;
use crate::definition::{ApiDefinition, OperationDefinition, ServiceDefinition};
use crate::deploy::invalid;
use crate::operation::{Conversion, ConversionFailure, Decoded, RequestView};
use bytes::Bytes;
use hyper::Method;
use std::sync::Arc;
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::{OperationPlan, ServicePlan};
use transom_apidef::sar::{ServiceArchive, TransidUsage};
use transom_copybook::shape::RecordFormat;
use transom_region_api::Payload;

/// Compiles a service for programs of a region.
pub(super) fn service_plan(archive: &ServiceArchive) -> Result<ServicePlan, Refusal> {
    for notice in &archive.notices {
        tracing::info!("{notice}");
    }
    ServicePlan::new(archive, &RecordFormat::region()).map_err(invalid)
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
        conversion: Arc::new(ByService(plan.clone())),
        request_schema: plan.request_schema.to_string().into(),
        response_schema: plan.response_schema.to_string().into(),
        invoke_uris,
    }
}

/// The API as the catalog takes it. Operations whose service is missing are kept without a conversion.
pub(super) fn api(
    archive: &ApiArchive,
    services: impl Fn(&str) -> Option<Arc<ServicePlan>>,
) -> Result<ApiDefinition, Refusal> {
    let mut operations = Vec::with_capacity(archive.operations.len());
    for operation in &archive.operations {
        let method = Method::from_bytes(operation.method.as_bytes())
            .map_err(|_| Refusal::Invalid(format!("method {:?} is none", operation.method)))?;
        let conversion = match services(&operation.service) {
            Some(service) => {
                let plan =
                    OperationPlan::new(&archive.name, operation, service).map_err(invalid)?;
                Some(Arc::new(ByOperation(plan)) as Arc<dyn Conversion>)
            }
            None => None,
        };
        operations.push(OperationDefinition {
            method,
            path: operation.path.clone(),
            service: operation.service.clone(),
            conversion,
        });
    }
    let swagger = archive
        .swagger
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    Ok(ApiDefinition {
        name: archive.name.clone(),
        version: archive.version.clone(),
        description: archive.description.clone(),
        base_path: archive.base_path.clone(),
        operations,
        swagger: Bytes::from(swagger),
        openapi: Bytes::new(),
    })
}

struct ByService(Arc<ServicePlan>);
struct ByOperation(OperationPlan);

impl Conversion for ByService {
    fn encode(&self, _: &RequestView<'_>, _: Vec<u8>) -> Result<Payload, ConversionFailure> {
        Err(ConversionFailure::BadValue(self.0.name.clone()))
    }
    fn decode(&self, _: &Payload, _: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        Err(ConversionFailure::BadValue(self.0.name.clone()))
    }
}

impl Conversion for ByOperation {
    fn encode(&self, _: &RequestView<'_>, _: Vec<u8>) -> Result<Payload, ConversionFailure> {
        Err(ConversionFailure::BadValue(self.0.path.clone()))
    }
    fn decode(&self, _: &Payload, _: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        Err(ConversionFailure::BadValue(self.0.path.clone()))
    }
}
