//! One compiled operation: what a method on a path, or a service by itself, does.

use crate::conversion::Conversion;
use crate::installed::Installed;
use crate::rest::RestBackend;
use crate::security::Policy;
use crate::statistics::OperationCounters;
use std::sync::Arc;
use std::time::Duration;
use transom_region_api::Programs;
use transom_types::{ProgramName, TransId};

/// The program behind a service and the way to it.
#[derive(Clone)]
pub(crate) struct Backend {
    /// Region the service's connection leads to.
    pub region: Arc<dyn Programs>,
    /// Program to LINK; blank where there is `rest`.
    pub program: ProgramName,
    /// What is called in place of a program.
    pub rest: Option<Arc<RestBackend>>,
    /// Transaction of the mirror task, if not the region's default.
    pub transid: Option<TransId>,
    /// Most bytes taken back of a COMMAREA; 0 = as many as sent.
    pub reply_bytes_max: usize,
    /// `asyncRequestTimeout`.
    pub timeout: Option<Duration>,
    /// Name of the connection or registration, for audit records.
    pub connection: Arc<str>,
}

/// Everything a request needs once its route is known.
pub(crate) struct Operation {
    /// The API; `None` when the service is invoked by itself.
    pub(crate) api: Option<Arc<Installed>>,
    /// The service.
    pub(crate) service: Arc<Installed>,
    pub(crate) backend: Backend,
    pub(crate) conversion: Arc<dyn Conversion>,
    pub(crate) counters: Arc<OperationCounters>,
}

impl Operation {
    /// Whose rules on security and interceptors hold.
    pub(crate) fn policy(&self) -> &Policy {
        match &self.api {
            Some(api) => &api.policy,
            None => &self.service.policy,
        }
    }
}
