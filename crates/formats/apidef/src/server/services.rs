//! What is served: the manager's defaults, services and APIs with their overrides, bind files,
//! interceptors.

use crate::problem::Result;
use crate::server::attributes::Attributes;
use crate::xml::Element;
use std::time::Duration;

/// How changed files are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpdateTrigger {
    /// Only at start.
    #[default]
    Disabled,
    /// On request of the operator.
    Mbean,
    /// By looking every so often.
    Polled,
}

impl UpdateTrigger {
    fn read(a: &Attributes<'_>, default: UpdateTrigger) -> Result<UpdateTrigger> {
        match a
            .text("updateTrigger")
            .map(|t| t.to_ascii_lowercase())
            .as_deref()
        {
            None => Ok(default),
            Some("disabled") => Ok(UpdateTrigger::Disabled),
            Some("mbean") => Ok(UpdateTrigger::Mbean),
            Some("polled") => Ok(UpdateTrigger::Polled),
            Some(other) => Err(a.bad(format!(
                "updateTrigger=\"{other}\" must be disabled, mbean or polled"
            ))),
        }
    }
}

/// `config`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigUpdate {
    /// `updateTrigger`.
    pub trigger: UpdateTrigger,
    /// `monitorInterval`.
    pub interval: Option<Duration>,
}

impl ConfigUpdate {
    pub(super) fn read(a: &Attributes<'_>) -> Result<ConfigUpdate> {
        a.known(&["onError"]);
        Ok(ConfigUpdate {
            trigger: UpdateTrigger::read(a, UpdateTrigger::Polled)?,
            interval: a.duration("monitorInterval")?,
        })
    }
}

/// The four groups of the authorization interceptor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuthorizationGroups {
    /// May do everything.
    pub admin: Vec<String>,
    /// May start, stop and look.
    pub operations: Vec<String>,
    /// May call.
    pub invoke: Vec<String>,
    /// May read documentation.
    pub reader: Vec<String>,
}

/// `zosconnect_zosConnectManager`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manager {
    /// `requireAuth`.
    pub require_auth: bool,
    /// `requireSecure`.
    pub require_secure: bool,
    /// `operationMode="ASYNC"`.
    pub asynchronous: bool,
    /// `asyncRequestTimeout`.
    pub request_timeout: Option<Duration>,
    /// `setUTF8ResponseEncoding`.
    pub utf8_response: bool,
    /// `useJsonErrorResponses`.
    pub json_errors: bool,
    /// `preserveJsonPayloadOrder`.
    pub preserve_order: bool,
    /// `globalInterceptorsRef`.
    pub interceptors_ref: Option<String>,
    /// `globalDataXformRef`.
    pub data_xform_ref: Option<String>,
    /// `globalAdminGroup`, `globalOperationsGroup`, `globalInvokeGroup`, `globalReaderGroup`.
    pub groups: AuthorizationGroups,
}

impl Default for Manager {
    /// The product's defaults: users and TLS are needed.
    fn default() -> Manager {
        Manager {
            require_auth: true,
            require_secure: true,
            asynchronous: true,
            request_timeout: None,
            utf8_response: false,
            json_errors: true,
            preserve_order: false,
            interceptors_ref: None,
            data_xform_ref: None,
            groups: AuthorizationGroups::default(),
        }
    }
}

impl Manager {
    pub(super) fn read(a: &Attributes<'_>) -> Result<Manager> {
        let default = Manager::default();
        let mode = a.text_or("operationMode", "ASYNC").to_ascii_uppercase();
        if !matches!(mode.as_str(), "ASYNC" | "SYNC") {
            return Err(a.bad(format!("operationMode=\"{mode}\" must be ASYNC or SYNC")));
        }
        Ok(Manager {
            require_auth: a.flag("requireAuth")?.unwrap_or(default.require_auth),
            require_secure: a.flag("requireSecure")?.unwrap_or(default.require_secure),
            asynchronous: mode == "ASYNC",
            request_timeout: a.duration("asyncRequestTimeout")?,
            utf8_response: a
                .flag("setUTF8ResponseEncoding")?
                .unwrap_or(default.utf8_response),
            json_errors: a
                .flag("useJsonErrorResponses")?
                .unwrap_or(default.json_errors),
            preserve_order: a
                .flag("preserveJsonPayloadOrder")?
                .unwrap_or(default.preserve_order),
            interceptors_ref: a.text("globalInterceptorsRef"),
            data_xform_ref: a.text("globalDataXformRef"),
            groups: AuthorizationGroups {
                admin: a.list("globalAdminGroup"),
                operations: a.list("globalOperationsGroup"),
                invoke: a.list("globalInvokeGroup"),
                reader: a.list("globalReaderGroup"),
            },
        })
    }
}

/// What one API or service has different from the manager.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    /// `name` of the API or service.
    pub name: String,
    /// `requireAuth`.
    pub require_auth: Option<bool>,
    /// `requireSecure`.
    pub require_secure: Option<bool>,
    /// `runGlobalInterceptors`.
    pub run_global_interceptors: bool,
    /// `interceptorsRef`.
    pub interceptors_ref: Option<String>,
    /// Groups.
    pub groups: AuthorizationGroups,
    /// `connectionRef`, in place of the one in the archive.
    pub connection_ref: Option<String>,
}

impl Overrides {
    fn read(a: &Attributes<'_>, name: String) -> Result<Overrides> {
        Ok(Overrides {
            name,
            require_auth: a.flag("requireAuth")?,
            require_secure: a.flag("requireSecure")?,
            run_global_interceptors: a.flag("runGlobalInterceptors")?.unwrap_or(true),
            interceptors_ref: a.text("interceptorsRef"),
            groups: AuthorizationGroups {
                admin: a.list("adminGroup"),
                operations: a.list("operationsGroup"),
                invoke: a.list("invokeGroup"),
                reader: a.list("readerGroup"),
            },
            connection_ref: a.text("connectionRef"),
        })
    }
}

/// `zosconnect_services` or `zosconnect_zosConnectAPIs`: a folder of archives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArchiveFolder {
    /// `location`; absent for the usual folder.
    pub location: Option<String>,
    /// `updateTrigger`.
    pub trigger: UpdateTrigger,
    /// `pollingRate`.
    pub polling_rate: Option<Duration>,
    /// Inner elements.
    pub overrides: Vec<Overrides>,
}

impl ArchiveFolder {
    pub(super) fn read(
        a: &Attributes<'_>,
        element: &Element,
        inner_name: &str,
    ) -> Result<ArchiveFolder> {
        let mut overrides = Vec::new();
        for child in &element.children {
            let inner = a.of(child);
            if child.name == inner_name || child.name == "api" {
                overrides.push(Overrides::read(&inner, inner.need("name")?)?);
            }
            a.absorb(inner);
        }
        Ok(ArchiveFolder {
            location: a.text("location"),
            trigger: UpdateTrigger::read(a, UpdateTrigger::Disabled)?,
            polling_rate: a.duration("pollingRate")?,
            overrides,
        })
    }
}

/// `zosconnect_zosConnectService`: a service defined here and not by an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectService {
    /// `id`.
    pub id: String,
    /// `serviceName`.
    pub service_name: String,
    /// `serviceRef`: identifier of the element that knows the program.
    pub service_ref: String,
    /// `dataXformRef`.
    pub data_xform_ref: Option<String>,
    /// `serviceDescription`.
    pub description: String,
    /// `serviceGroupingName`.
    pub grouping: Option<String>,
    /// `invokeURI`: paths that call it; a trailing `*` matches any rest.
    pub invoke_uris: Vec<String>,
    /// What it has different from the manager.
    pub overrides: Overrides,
}

impl ConnectService {
    pub(super) fn read(a: &Attributes<'_>) -> Result<ConnectService> {
        let service_name = a.need("serviceName")?;
        Ok(ConnectService {
            id: a.id(),
            service_ref: a.need("serviceRef")?,
            data_xform_ref: a.text("dataXformRef"),
            description: a.text_or("serviceDescription", ""),
            grouping: a.text("serviceGroupingName"),
            invoke_uris: a.list("invokeURI"),
            overrides: Overrides::read(a, service_name.clone())?,
            service_name,
        })
    }
}

/// `zosconnect_zosConnectDataXform`: where bind files and schemas are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataXform {
    /// `id`.
    pub id: String,
    /// `bindFileLoc`.
    pub bind_file_folder: String,
    /// `bindFileSuffix`.
    pub bind_file_suffix: String,
    /// `requestSchemaLoc`.
    pub request_schema_folder: Option<String>,
    /// `requestSchemaSuffix`.
    pub request_schema_suffix: String,
    /// `responseSchemaLoc`.
    pub response_schema_folder: Option<String>,
    /// `responseSchemaSuffix`.
    pub response_schema_suffix: String,
    /// `updateTrigger`.
    pub trigger: UpdateTrigger,
    /// `pollingRate`.
    pub polling_rate: Duration,
}

impl DataXform {
    pub(super) fn read(a: &Attributes<'_>) -> Result<DataXform> {
        Ok(DataXform {
            id: a.need("id")?,
            bind_file_folder: a.need("bindFileLoc")?,
            bind_file_suffix: a.text_or("bindFileSuffix", ".wsbind"),
            request_schema_folder: a.text("requestSchemaLoc"),
            request_schema_suffix: a.text_or("requestSchemaSuffix", ".json"),
            response_schema_folder: a.text("responseSchemaLoc"),
            response_schema_suffix: a.text_or("responseSchemaSuffix", ".json"),
            trigger: UpdateTrigger::read(a, UpdateTrigger::Polled)?,
            polling_rate: a.duration("pollingRate")?.unwrap_or(Duration::from_secs(2)),
        })
    }
}

/// An interceptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interceptor {
    /// `id`.
    pub id: String,
    /// `sequence`: the lowest runs first.
    pub sequence: i32,
    /// What it does.
    pub kind: InterceptorKind,
}

/// What an interceptor does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterceptorKind {
    /// `authorizationInterceptor`: checks groups.
    Authorization,
    /// `auditInterceptor`: writes SMF 123 records.
    Audit {
        /// `apiProviderSmfVersion`, 1 or 2.
        smf_version: u8,
        /// `apiProviderRequestHeaders`.
        request_headers: Vec<String>,
        /// `apiProviderResponseHeaders`.
        response_headers: Vec<String>,
        /// `apiProviderMaxDelay`.
        max_delay: Option<Duration>,
    },
    /// `fileSystemLoggerInterceptor`: writes requests and responses to files.
    FileLogger {
        /// `bufferedLogging`.
        buffered: bool,
        /// `logFolder` or `logDirectory`.
        folder: Option<String>,
        /// `maxPayloadSize` in bytes; 0 = all.
        max_payload: u64,
        /// `payload` content: whether bodies are written.
        bodies: bool,
    },
}

impl Interceptor {
    pub(super) fn read(name: &str, a: &Attributes<'_>) -> Result<Option<Interceptor>> {
        let kind = match name {
            "authorizationInterceptor" => InterceptorKind::Authorization,
            "auditInterceptor" => {
                let smf_version = a.number::<u8>("apiProviderSmfVersion")?.unwrap_or(1);
                if !(1..=2).contains(&smf_version) {
                    return Err(a.bad(format!(
                        "apiProviderSmfVersion=\"{smf_version}\" must be 1 or 2"
                    )));
                }
                InterceptorKind::Audit {
                    smf_version,
                    request_headers: a.list("apiProviderRequestHeaders"),
                    response_headers: a.list("apiProviderResponseHeaders"),
                    max_delay: a.duration("apiProviderMaxDelay")?,
                }
            }
            "fileSystemLoggerInterceptor" => {
                a.known(&["interceptorType"]);
                InterceptorKind::FileLogger {
                    buffered: a.flag("bufferedLogging")?.unwrap_or(true),
                    folder: a
                        .text("logFolder")
                        .or(a.text("logDirectory"))
                        .or(a.text("logPath")),
                    max_payload: a.number("maxPayloadSize")?.unwrap_or(0),
                    bodies: a.flag("logPayload")?.unwrap_or(true),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(Interceptor {
            id: a.need("id")?,
            sequence: a.number("sequence")?.unwrap_or(0),
            kind,
        }))
    }
}
