//! Endpoints, and the ways to where programs run: IPIC connections, local adapters, REST clients.

use crate::problem::Result;
use crate::server::attributes::Attributes;
use crate::server::security::Secret;
use crate::xml::Element;
use std::time::Duration;

/// `httpEndpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpEndpoint {
    /// `id`.
    pub id: String,
    /// `host`; `*` is every address, the default is `localhost`.
    pub host: String,
    /// `httpPort`; `None` when switched off with -1.
    pub http_port: Option<u16>,
    /// `httpsPort`; `None` when switched off with -1.
    pub https_port: Option<u16>,
}

impl HttpEndpoint {
    pub(super) fn read(a: &Attributes<'_>) -> Result<HttpEndpoint> {
        let port = |name: &str, default: u16| -> Result<Option<u16>> {
            match a.number::<i32>(name)? {
                None => Ok(Some(default)),
                Some(-1) => Ok(None),
                Some(n) => u16::try_from(n)
                    .map(Some)
                    .map_err(|_| a.bad(format!("{name}=\"{n}\" is no port"))),
            }
        };
        Ok(HttpEndpoint {
            id: a.id(),
            host: a.text_or("host", "localhost"),
            http_port: port("httpPort", 9080)?,
            https_port: port("httpsPort", 9443)?,
        })
    }
}

/// `zosconnect_cicsIpicConnection`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CicsConnection {
    /// `id`, which a service's `connectionRef` names.
    pub id: String,
    /// `host`.
    pub host: String,
    /// `port`.
    pub port: Option<u16>,
    /// `transid`.
    pub transid: Option<String>,
    /// `transidUsage`.
    pub transid_usage: Option<String>,
    /// `cicsApplid`.
    pub cics_applid: Option<String>,
    /// `cicsNetworkid`.
    pub cics_network_id: Option<String>,
    /// `sendSessions`: requests at the same time.
    pub send_sessions: Option<u32>,
    /// `heartbeatInterval`.
    pub heartbeat: Option<Duration>,
    /// `connectionTimeout`.
    pub connect_timeout: Option<Duration>,
    /// `sslCertsRef`.
    pub ssl_ref: Option<String>,
    /// `authDataRef`.
    pub auth_data_ref: Option<String>,
}

impl CicsConnection {
    pub(super) fn read(a: &Attributes<'_>) -> Result<CicsConnection> {
        Ok(CicsConnection {
            id: a.need("id")?,
            host: a.text_or("host", "localhost"),
            port: a.number("port")?,
            transid: a.text("transid"),
            transid_usage: a.text("transidUsage"),
            cics_applid: a.text("cicsApplid"),
            cics_network_id: a.text("cicsNetworkid"),
            send_sessions: a.number("sendSessions")?,
            heartbeat: a.duration("heartbeatInterval")?,
            connect_timeout: a.duration("connectionTimeout")?,
            ssl_ref: a.text("sslCertsRef"),
            auth_data_ref: a.text("authDataRef"),
        })
    }
}

/// `zosLocalAdapters`: the three parts of the group name under which a region registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalAdapters {
    /// `wolaGroup`.
    pub group: String,
    /// `wolaName2`.
    pub name2: String,
    /// `wolaName3`.
    pub name3: String,
}

impl LocalAdapters {
    pub(super) fn read(a: &Attributes<'_>) -> Result<LocalAdapters> {
        Ok(LocalAdapters {
            group: a.need("wolaGroup")?,
            name2: a.text_or("wolaName2", ""),
            name3: a.text_or("wolaName3", ""),
        })
    }
}

/// `connectionFactory`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionFactory {
    /// `id`.
    pub id: String,
    /// `jndiName`.
    pub jndi_name: String,
    /// `properties.ola`, when it is a factory of local adapters.
    pub ola: Option<OlaProperties>,
}

/// `properties.ola`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OlaProperties {
    /// `RegisterName`.
    pub register_name: Option<String>,
    /// `LinkTaskTranID`.
    pub link_task_tran_id: Option<String>,
    /// `ConnectionWaitTimeout`.
    pub connection_wait_timeout: Option<Duration>,
}

impl ConnectionFactory {
    pub(super) fn read(a: &Attributes<'_>, element: &Element) -> Result<ConnectionFactory> {
        let mut ola = None;
        for child in &element.children {
            let inner = a.of(child);
            if child.name.starts_with("properties.ola") {
                ola = Some(OlaProperties {
                    register_name: inner.text("RegisterName").or(inner.text("registerName")),
                    link_task_tran_id: inner
                        .text("LinkTaskTranID")
                        .or(inner.text("linkTaskTranID")),
                    connection_wait_timeout: wait_seconds(&inner, "ConnectionWaitTimeout")?,
                });
            }
            a.absorb(inner);
        }
        Ok(ConnectionFactory {
            id: a.id(),
            jndi_name: a.text_or("jndiName", ""),
            ola,
        })
    }
}

/// Times of local adapters count seconds.
fn wait_seconds(a: &Attributes<'_>, name: &str) -> Result<Option<Duration>> {
    Ok(a.number::<u32>(name)?
        .map(|s| Duration::from_secs(s.into())))
}

/// `zosconnect_localAdaptersConnectService`: a program reached through local adapters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalAdaptersService {
    /// `id`, which a `zosConnectService`'s `serviceRef` names.
    pub id: String,
    /// `registerName`: name the region registered under (RGN of BBOC START_SRVR).
    pub register_name: String,
    /// `serviceName`: the program.
    pub service_name: String,
    /// `connectionFactoryRef`.
    pub connection_factory_ref: Option<String>,
    /// `linkTaskTranID`: transaction of the link task.
    pub link_task_tran_id: Option<String>,
    /// `linkTaskReqContID`: container of the request, for programs that work with a channel.
    pub request_container: Option<String>,
    /// `linkTaskRspContID`: container of the response.
    pub response_container: Option<String>,
    /// `linkTaskReqContType`: 0 CHAR, 1 BIT.
    pub request_container_bit: bool,
    /// `linkTaskChanID`: name of the channel.
    pub channel: Option<String>,
    /// `connectionWaitTimeout`: how long to wait for a free connection.
    pub connection_wait_timeout: Option<Duration>,
}

impl LocalAdaptersService {
    pub(super) fn read(a: &Attributes<'_>) -> Result<LocalAdaptersService> {
        a.known(&["linkTaskRspContType", "linkTaskChanType"]);
        Ok(LocalAdaptersService {
            id: a.need("id")?,
            register_name: a.need("registerName")?,
            service_name: a.need("serviceName")?,
            connection_factory_ref: a.text("connectionFactoryRef"),
            link_task_tran_id: a.text("linkTaskTranID"),
            request_container: a.text("linkTaskReqContID"),
            response_container: a.text("linkTaskRspContID"),
            request_container_bit: a.number::<u8>("linkTaskReqContType")? != Some(0),
            channel: a.text("linkTaskChanID"),
            connection_wait_timeout: wait_seconds(a, "connectionWaitTimeout")?,
        })
    }
}

/// `zosconnect_zosConnectServiceRestClientConnection`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestConnection {
    /// `id`.
    pub id: String,
    /// `host`, with or without `http://` or `https://`.
    pub host: String,
    /// `port`.
    pub port: Option<u16>,
    /// `userName`.
    pub user: Option<String>,
    /// `password`.
    pub password: Option<Secret>,
    /// `basicAuthRef`.
    pub basic_auth_ref: Option<String>,
    /// `sslCertsRef`.
    pub ssl_ref: Option<String>,
    /// `connectionTimeout`.
    pub connect_timeout: Option<Duration>,
    /// `receiveTimeout`.
    pub receive_timeout: Option<Duration>,
}

impl RestConnection {
    pub(super) fn read(a: &Attributes<'_>, element: &Element) -> Result<RestConnection> {
        let mut inside = None;
        for child in element.all("basicAuth") {
            let inner = a.of(child);
            inside = Some(BasicAuth::read(&inner)?);
            a.absorb(inner);
        }
        let inside = inside.unwrap_or_default();
        Ok(RestConnection {
            id: a.need("id")?,
            host: a.need("host")?,
            port: a.number("port")?,
            user: a.text("userName").or(inside.user),
            password: match a.text("password") {
                Some(password) => Some(Secret::parse(a, &password)?),
                None => inside.password,
            },
            basic_auth_ref: a.text("basicAuthRef"),
            ssl_ref: a.text("sslCertsRef"),
            connect_timeout: a.duration("connectionTimeout")?,
            receive_timeout: a.duration("receiveTimeout")?,
        })
    }
}

/// `zosconnect_zosConnectServiceRestClientBasicAuth`, `zosconnect_authData`, or `basicAuth` inside
/// a connection: who a request is sent as.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BasicAuth {
    /// `id`.
    pub id: String,
    /// `userName` or `user`.
    pub user: Option<String>,
    /// `password`.
    pub password: Option<Secret>,
}

impl BasicAuth {
    pub(super) fn read(a: &Attributes<'_>) -> Result<BasicAuth> {
        let named = a.text("userName");
        let password = a.text("password");
        Ok(BasicAuth {
            id: a.id(),
            user: named.or_else(|| a.text("user")),
            password: password.map(|p| Secret::parse(a, &p)).transpose()?,
        })
    }
}
