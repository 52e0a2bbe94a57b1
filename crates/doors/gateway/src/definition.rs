//! What can be installed: services and APIs, already compiled.
//!
//! Archives and server.xml end here, whatever they looked like; the catalog and everything behind
//! it see only these.

use crate::conversion::Conversion;
use crate::rest::RestBackend;
use bytes::Bytes;
use hyper::Method;
use std::sync::Arc;
use transom_types::{ProgramName, TransId};

/// A service: one program and the conversion of its data.
#[derive(Clone)]
pub struct ServiceDefinition {
    /// Name, unique among services.
    pub name: String,
    /// Free text.
    pub description: String,
    /// Version text, may be empty.
    pub version: String,
    /// Name of the service provider, for example `CICS-1.0`.
    pub provider: String,
    /// Name of the data transformer, shown by the administration interface.
    pub data_xform: String,
    /// Program to LINK; blank where there is `rest`.
    pub program: ProgramName,
    /// What is called in place of a program.
    pub rest: Option<Arc<RestBackend>>,
    /// Transaction of the mirror task.
    pub transid: Option<TransId>,
    /// `connectionRef` or `registerName`; empty = the local region.
    pub connection: String,
    /// Most bytes of the reply; 0 = as many as sent.
    pub reply_bytes_max: usize,
    /// Conversion of the service by itself.
    pub conversion: Arc<dyn Conversion>,
    /// JSON schema of the request.
    pub request_schema: Bytes,
    /// JSON schema of the response.
    pub response_schema: Bytes,
    /// `invokeURI` paths, a trailing `*` matches any rest.
    pub invoke_uris: Vec<String>,
}

/// An API: operations under one base path.
#[derive(Clone)]
pub struct ApiDefinition {
    /// Name, unique among APIs.
    pub name: String,
    /// Version text.
    pub version: String,
    /// Free text.
    pub description: String,
    /// Path all operations begin with, such as `/comm1k`.
    pub base_path: String,
    /// Operations.
    pub operations: Vec<OperationDefinition>,
    /// Swagger 2.0 document.
    pub swagger: Bytes,
    /// OpenAPI 3 document.
    pub openapi: Bytes,
}

/// One method on one path of an API.
#[derive(Clone)]
pub struct OperationDefinition {
    /// Method.
    pub method: Method,
    /// Template below the base path, such as `/mapping/CABASIC-RS2/{countIn}`.
    pub path: String,
    /// Service it calls.
    pub service: String,
    /// Conversion; `None` while the service is not installed.
    pub conversion: Option<Arc<dyn Conversion>>,
}
