//! A service as its archive describes it.
//!
//! What: plain data. Why: service archives and bind files both give one. Not here: reading either.

use super::data::ServiceData;
use super::manifest::Property;
use super::provider::{Provider, TransidUsage};
use serde_json::Value;
use transom_copybook::shape::Properties;
use transom_messages::Problem;
use transom_types::{ProgramName, TransId};

/// What a service of the REST client provider calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestCall {
    /// Method.
    pub verb: String,
    /// Path at the host of its connection.
    pub uri: String,
}

/// A service read from its archive.
#[derive(Debug, Clone)]
pub struct ServiceArchive {
    /// Service name, as APIs refer to it.
    pub name: String,
    /// Version of the service, such as `1.0.0`.
    pub version: String,
    /// One line of text.
    pub description: String,
    /// Who runs the service.
    pub provider: Provider,
    /// Program to link to; set for services this gateway supports.
    pub program: Option<ProgramName>,
    /// What is called in place of a program.
    pub rest: Option<RestCall>,
    /// Transaction the program runs under.
    pub transid: Option<TransId>,
    /// `transidUsage`: whether the mirror task runs under `transid` too or only EIBTRNID shows it.
    pub transid_usage: Option<TransidUsage>,
    /// Identifier of the connection element in server.xml.
    pub connection_ref: Option<String>,
    /// Code page the archive was made for (`ccsid` of the service file, 37 when it names none).
    pub ccsid: u16,
    /// HTTP headers to hand on in a context container, when the service uses context containers.
    pub context_containers: Option<Vec<String>>,
    /// Conversion options.
    pub conversion: Properties,
    /// Every property of the manifest, known or not, in file order.
    pub properties: Vec<Property>,
    /// Data of requests.
    pub request: ServiceData,
    /// Data of responses.
    pub response: ServiceData,
    /// JSON schema of requests as the archive has it.
    pub request_schema: Option<Value>,
    /// JSON schema of responses as the archive has it.
    pub response_schema: Option<Value>,
    /// Why this gateway cannot run the service although the archive is sound (TXMAD0011E); `None`
    /// when it can.
    pub not_supported: Option<Problem>,
    /// What was accepted and has no effect.
    pub notices: Vec<Problem>,
}
