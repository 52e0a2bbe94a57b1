//! API and service put together: what a request becomes and what an answer becomes.
//!
//! What: [`ServicePlan`] for a service by itself, [`OperationPlan`] for one method on one path of
//! an API. Both hold compiled conversion programs with the mapping already applied, may be used by
//! any number of threads and never change; a new deployment makes new ones. Not here: HTTP, routes,
//! calling programs.

mod apply;
mod convert;
mod mapped;
mod rest;

pub use convert::{Reply, RequestPlan, ResponseCase, ResponsePlan};
pub use mapped::{HeaderRule, HeaderSource, Override, Source};
pub use rest::{JsonMove, RestCase, RestError, RestOperation, RestPlan, RestReply};
pub use transom_copybook::convert::{ConvertError, Given};
use transom_messages as messages;

use crate::aar::{ApiArchive, Operation};
use crate::problem::Result;
use crate::sar::{ServiceArchive, ServiceData, TransidUsage};
use convert::Compiler;
use serde_json::Value;
use std::sync::Arc;
use transom_copybook::shape::{Properties, RecordFormat};
use transom_messages::Problem;
use transom_types::{ProgramName, TransId};

/// A service ready to run.
#[derive(Debug)]
pub struct ServicePlan {
    /// Service name.
    pub name: String,
    /// Version of the service.
    pub version: String,
    /// One line of text.
    pub description: String,
    /// Provider as the administration interface shows it.
    pub provider: String,
    /// Program to link to.
    pub program: ProgramName,
    /// Transaction the program runs under.
    pub transid: Option<TransId>,
    /// What `transid` means.
    pub transid_usage: Option<TransidUsage>,
    /// `connectionRef`: identifier of a connection in server.xml.
    pub connection_ref: Option<String>,
    /// Headers to hand on in the BAQHTTPHEADERS container; `None` without context containers.
    pub context_containers: Option<Vec<String>>,
    /// Bytes of the COMMAREA: the longer of request and response. A request is padded to it.
    pub commarea_len: usize,
    /// Requests of direct invocation.
    pub request: RequestPlan,
    /// Responses of direct invocation.
    pub response: ResponsePlan,
    /// JSON schema of requests.
    pub request_schema: Value,
    /// JSON schema of responses.
    pub response_schema: Value,
    /// Data of the service before any mapping; API plans start from it.
    data: (ServiceData, ServiceData),
    conversion: Properties,
    format: RecordFormat,
}

/// An API ready to run.
#[derive(Debug)]
pub struct ApiPlan {
    /// Name of the API.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its description.
    pub description: String,
    /// First part of all paths, with a leading and no trailing `/`.
    pub base_path: String,
    /// The operations.
    pub operations: Vec<OperationPlan>,
    /// Swagger 2.0 document of the archive, if it had one.
    pub swagger: Option<Value>,
}

/// One method on one path.
#[derive(Debug)]
pub struct OperationPlan {
    /// HTTP method in upper case.
    pub method: String,
    /// Path below the base path, with `{name}` for path parameters.
    pub path: String,
    /// `operationId`.
    pub operation_id: String,
    /// Whether the operation has a request map, even one without transforms.
    pub request_mapped: bool,
    /// The service behind it.
    pub service: Arc<ServicePlan>,
    /// What requests become.
    pub request: RequestPlan,
    /// What answers become.
    pub response: ResponsePlan,
}

impl ServicePlan {
    /// Conversion options of the service.
    pub fn conversion(&self) -> &Properties {
        &self.conversion
    }

    /// What the bytes of its records look like.
    pub fn format(&self) -> &RecordFormat {
        &self.format
    }

    /// Compiles a service. `format` says what the bytes of the region's programs look like; the
    /// code page in the archive is the one it was made for and does not matter to a region that
    /// works in another.
    ///
    /// # Errors
    /// TXMAD0011E for a service this gateway does not run, TXMAD0025E when its data cannot be
    /// compiled.
    pub fn new(service: &ServiceArchive, format: &RecordFormat) -> Result<ServicePlan> {
        if let Some(problem) = &service.not_supported {
            return Err(problem.clone());
        }
        // One that is called by HTTP has a plan of its own.
        let program = service.program.ok_or_else(|| {
            Problem::new(
                messages::ad::property("program", "is missing"),
                &service.name,
            )
        })?;
        let data = (service.request.clone(), service.response.clone());
        let commarea_len = data.0.shape.max_len.max(data.1.shape.max_len);
        let compiler = Compiler {
            name: &service.name,
            conversion: &service.conversion,
            format,
            commarea_len,
        };
        let case = compiler.case(
            &data.1,
            crate::aar::default_response(),
            data.1.shape.clone(),
            Vec::new(),
        )?;
        Ok(ServicePlan {
            name: service.name.clone(),
            version: service.version.clone(),
            description: service.description.clone(),
            provider: service.provider.name().to_owned(),
            program,
            transid: service.transid,
            transid_usage: service.transid_usage,
            connection_ref: service.connection_ref.clone(),
            context_containers: service.context_containers.clone(),
            commarea_len,
            request: compiler.request(&data.0, data.0.shape.clone(), Vec::new())?,
            response: ResponsePlan {
                carrier: data.1.carrier.clone(),
                record_len: data.1.shape.max_len,
                cases: vec![case],
            },
            request_schema: service
                .request_schema
                .clone()
                .unwrap_or_else(|| data.0.schema()),
            response_schema: service
                .response_schema
                .clone()
                .unwrap_or_else(|| data.1.schema()),
            data,
            conversion: service.conversion.clone(),
            format: format.clone(),
        })
    }
}

/// A service, whoever runs it.
#[derive(Debug, Clone)]
pub enum AnyPlan {
    /// A program of a region.
    Program(Arc<ServicePlan>),
    /// Another server, called by HTTP.
    Rest(Arc<RestPlan>),
}

impl From<Arc<ServicePlan>> for AnyPlan {
    fn from(plan: Arc<ServicePlan>) -> Self {
        Self::Program(plan)
    }
}

impl AnyPlan {
    /// Compiles a service, as [`ServicePlan::new`] or [`RestPlan::new`].
    ///
    /// # Errors
    /// Those of either.
    pub fn new(service: &ServiceArchive, format: &RecordFormat) -> Result<AnyPlan> {
        match service.rest {
            Some(_) => RestPlan::new(service).map(|plan| AnyPlan::Rest(Arc::new(plan))),
            None => ServicePlan::new(service, format).map(|plan| AnyPlan::Program(Arc::new(plan))),
        }
    }

    /// Name of the service.
    pub fn name(&self) -> &str {
        match self {
            AnyPlan::Program(plan) => &plan.name,
            AnyPlan::Rest(plan) => &plan.name,
        }
    }
}

impl ApiPlan {
    /// Compiles an API over services of both kinds: what calls other servers comes beside.
    ///
    /// # Errors
    /// As [`ApiPlan::new`].
    pub fn with_calls(
        api: &ApiArchive,
        services: impl Fn(&str) -> Option<AnyPlan>,
    ) -> Result<(ApiPlan, Vec<Arc<RestOperation>>)> {
        let mut calls = Vec::new();
        let mut own = api.clone();
        own.operations.clear();
        for operation in &api.operations {
            match services(&operation.service) {
                Some(AnyPlan::Rest(service)) => {
                    let call = RestOperation::new(&api.name, operation, service)?;
                    calls.push(Arc::new(call));
                }
                _ => own.operations.push(operation.clone()),
            }
        }
        let program = |name: &str| match services(name) {
            Some(AnyPlan::Program(plan)) => Some(plan),
            _ => None,
        };
        Ok((ApiPlan::new(&own, program)?, calls))
    }

    /// Compiles an API. `services` gives the plan of a service by name.
    ///
    /// # Errors
    /// TXMAD0024E for a service that is not there, TXMAD0022E for a mapping that names a field or
    /// parameter that is not there, TXMAD0025E when the result cannot be compiled.
    pub fn new(
        api: &ApiArchive,
        services: impl Fn(&str) -> Option<Arc<ServicePlan>>,
    ) -> Result<ApiPlan> {
        let mut operations = Vec::with_capacity(api.operations.len());
        for operation in &api.operations {
            let service = services(&operation.service).ok_or_else(|| {
                Problem::new(
                    messages::ad::service_not_installed(
                        &operation.method,
                        format_args!("{}{}", api.base_path, operation.path),
                        &operation.service,
                    ),
                    &api.name,
                )
            })?;
            operations.push(OperationPlan::new(&api.name, operation, service)?);
        }
        Ok(ApiPlan {
            name: api.name.clone(),
            version: api.version.clone(),
            description: api.description.clone(),
            base_path: api.base_path.clone(),
            operations,
            swagger: api.swagger.clone(),
        })
    }
}

impl OperationPlan {
    /// Compiles one operation; `api` is only for messages.
    ///
    /// # Errors
    /// TXMAD0022E and 0025E as [`ApiPlan::new`].
    pub fn new(
        api: &str,
        operation: &Operation,
        service: Arc<ServicePlan>,
    ) -> Result<OperationPlan> {
        let place = format!("{api} {} {}", operation.method, operation.path);
        let compiler = Compiler {
            name: &place,
            conversion: &service.conversion,
            format: &service.format,
            commarea_len: service.commarea_len,
        };
        let (request_data, response_data) = &service.data;
        let (shape, overrides) = apply::request(&place, &request_data.shape, operation)?;
        let request = compiler.request(request_data, shape, overrides)?;
        let mut cases = Vec::with_capacity(operation.responses.len());
        for rule in &operation.responses {
            let (shape, headers) = apply::response(&place, &response_data.shape, &rule.mapping)?;
            cases.push(compiler.case(response_data, rule.clone(), shape, headers)?);
        }
        Ok(OperationPlan {
            method: operation.method.clone(),
            path: operation.path.clone(),
            operation_id: operation.operation_id.clone(),
            request_mapped: !operation.request.file.is_empty(),
            request,
            response: ResponsePlan {
                carrier: response_data.carrier.clone(),
                record_len: response_data.shape.max_len,
                cases,
            },
            service,
        })
    }
}
