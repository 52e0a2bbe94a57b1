//! What a gateway is started with.

use crate::cors::CorsRule;
use crate::interceptors::{AuditOptions, WhenFull};
use crate::rest::RestConnection;
use crate::security::{Groups, RegistryConfig};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use transom_apidef::sar::ServiceArchive;
use transom_http::{AccessLog, Nearby};
use transom_messages::Operator;
use transom_tcpip::{Limits, Tls};

/// Everything about a gateway that is not an archive.
#[derive(Clone)]
pub struct GatewayConfig {
    /// Address of the HTTP listener; port 0 takes a free port, `None` = no HTTP.
    pub http: Option<SocketAddr>,
    /// Address and certificate of the HTTPS listener.
    pub https: Option<(SocketAddr, Tls)>,
    /// Bounds of both listeners.
    pub limits: Limits,
    /// Serving threads; each runs its own event loop. 0 takes one per two cores.
    pub threads: usize,
    /// Folder of `.sar` files; `None` keeps deployed services in memory only.
    pub services_dir: Option<PathBuf>,
    /// Folder of `.aar` files.
    pub apis_dir: Option<PathBuf>,
    /// `pollingRate` of `zosconnect_services` when `updateTrigger="polled"`.
    pub services_poll: Option<Duration>,
    /// `pollingRate` of `zosconnect_zosConnectAPIs` when `updateTrigger="polled"`.
    pub apis_poll: Option<Duration>,
    /// Attributes of `zosconnect_zosConnectManager`.
    pub manager: Manager,
    /// Overrides by API name.
    pub apis: BTreeMap<String, Scope>,
    /// Overrides by service name.
    pub services: BTreeMap<String, Scope>,
    /// Users and roles.
    pub registry: RegistryConfig,
    /// Services that server.xml defines without an archive (data transformation with bind files).
    pub configured_services: Vec<ServiceArchive>,
    /// `zosconnect_zosConnectServiceRestClientConnection` elements by their `id`.
    pub rest_connections: BTreeMap<String, Arc<RestConnection>>,
    /// Servers of this process that connections may lead to.
    pub nearby: Vec<Arc<dyn Nearby>>,
    /// JSON values of requests must have the types of the schema.
    pub strict: bool,
    /// `cors` elements.
    pub cors: Vec<CorsRule>,
    /// Interceptors by their `id`.
    pub interceptors: BTreeMap<String, Interceptor>,
    /// What becomes of lines of the audit interceptor there is no room for.
    pub audit_when_full: WhenFull,
    /// Where failures of requests and changes of archives are told.
    pub operator: Operator,
    /// Requests are timed, for whoever reads [`Gateway::figures`](crate::Gateway::figures).
    pub timed: bool,
    /// Is told of each request that is over.
    pub access: Option<AccessLog>,
}

/// Attributes of `zosconnect_zosConnectManager`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manager {
    /// Credentials are needed unless a scope says otherwise. z/OS Connect's default is true.
    pub require_auth: bool,
    /// TLS is needed unless a scope says otherwise. z/OS Connect's default is true.
    pub require_secure: bool,
    /// `asyncRequestTimeout`; `None` waits for ever.
    pub request_timeout: Option<Duration>,
    /// `setUTF8ResponseEncoding`: replies say `charset=UTF-8`.
    pub utf8_response: bool,
    /// `globalAdminGroup` and its siblings.
    pub groups: Groups,
    /// `globalInterceptorsRef`: ids of interceptors that run for everything.
    pub interceptors: Vec<String>,
}

impl Default for Manager {
    fn default() -> Self {
        Self {
            require_auth: true,
            require_secure: true,
            request_timeout: Some(Duration::from_secs(30)),
            utf8_response: false,
            groups: Groups::default(),
            interceptors: Vec::new(),
        }
    }
}

/// Overrides for one API or service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// `requireAuth`.
    pub require_auth: Option<bool>,
    /// `requireSecure`.
    pub require_secure: Option<bool>,
    /// `adminGroup` and its siblings.
    pub groups: Groups,
    /// `interceptorsRef`.
    pub interceptors: Vec<String>,
    /// `runGlobalInterceptors`.
    pub run_global_interceptors: bool,
    /// `invokeURI`, services only.
    pub invoke_uris: Vec<String>,
    /// `connectionRef` in place of the archive's, services only.
    pub connection: Option<String>,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            require_auth: None,
            require_secure: None,
            groups: Groups::default(),
            interceptors: Vec::new(),
            run_global_interceptors: true,
            invoke_uris: Vec::new(),
            connection: None,
        }
    }
}

/// One configured interceptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interceptor {
    /// `zosconnect_authorizationInterceptor`.
    Authorization,
    /// `zosconnect_auditInterceptor`, writing JSON lines to the file.
    Audit(PathBuf, AuditOptions),
    /// `fileSystemLoggerInterceptor`, writing text lines to the file.
    FileLogger(PathBuf),
}

impl GatewayConfig {
    /// A gateway on loopback without security, archives kept in memory. For tests and samples.
    pub fn local(http: SocketAddr) -> Self {
        Self {
            http: Some(http),
            https: None,
            limits: Limits::default(),
            threads: 0,
            services_dir: None,
            apis_dir: None,
            services_poll: None,
            apis_poll: None,
            manager: Manager {
                require_auth: false,
                require_secure: false,
                ..Manager::default()
            },
            apis: BTreeMap::new(),
            services: BTreeMap::new(),
            registry: RegistryConfig::default(),
            configured_services: Vec::new(),
            rest_connections: BTreeMap::new(),
            nearby: Vec::new(),
            strict: false,
            cors: Vec::new(),
            interceptors: BTreeMap::new(),
            audit_when_full: WhenFull::Drop,
            operator: Operator::nobody(),
            timed: false,
            access: None,
        }
    }

    pub(crate) fn serving_threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, |n| (n.get() / 2).max(1)),
            n => n.min(256),
        }
    }
}
