//! What a host does, ready to do it: settings with certificates read and targets known.
//!
//! What: [`Plan`], which a reload replaces as a whole; a session keeps the one it began with. Not
//! here: the socket (`host`).

use crate::problem::Problem;
use crate::targets::Targets;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_messages::{self as messages, Operator, Source};
use transom_settings::{LuRule, RedirectedHost, RedirectedHostSettings};
use transom_tcpip::{ClientTrust, TerminalTls};

/// A host as it is now.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) settings: RedirectedHostSettings,
    /// Which LUs clients may have; none: any.
    pub(crate) lus: Arc<[LuRule]>,
    pub(crate) targets: Targets,
    /// TLS of clients.
    pub(crate) accepting: Option<TerminalTls>,
    /// TLS of targets.
    pub(crate) connecting: Option<Arc<ClientConfig>>,
}

impl Plan {
    /// Reads certificates; `folder` is that of the file.
    pub(crate) fn new(
        host: &RedirectedHost,
        folder: &Path,
        before: Option<&Self>,
        operator: &Operator,
    ) -> Result<Self, Problem> {
        let settings = &host.settings;
        let at = |path: &PathBuf| folder.join(path);
        let certificate = settings
            .certificate
            .as_ref()
            .filter(|_| settings.client_side());
        let accepting = match certificate {
            Some(file) => {
                let clients = settings.client_ca.as_ref().map(at);
                Some(accepting(
                    settings,
                    &at(file),
                    clients,
                    before.is_some(),
                    operator,
                )?)
            }
            None => None,
        };
        let connecting = match settings.host_ca.as_ref().filter(|_| settings.host_side()) {
            Some(file) => {
                let own = settings.host_certificate.as_ref().map(at);
                let only_13 = only_13(settings);
                Some(TerminalTls::connecting(&at(file), own.as_ref(), only_13)?)
            }
            None => None,
        };
        let before = before.map(|plan| &plan.targets);
        let plan = Self {
            name: host.name.clone(),
            lus: host.lus.as_slice().into(),
            targets: Targets::new(&settings.targets, settings.balance, before),
            settings: settings.clone(),
            accepting,
            connecting,
        };
        if plan.connecting.is_some() {
            let all = plan.targets.all();
            if let Some(bad) = all
                .iter()
                .find(|target| plan.server_name(&target.name).is_none())
            {
                let name = settings.host_name.as_ref().unwrap_or(&bad.name);
                return Err(messages::rd::name_not_valid(&plan.name, name).into());
            }
        }
        Ok(plan)
    }

    /// The name that the certificate of a target must have.
    pub(crate) fn server_name(&self, target: &str) -> Option<ServerName<'static>> {
        let named = self.settings.host_name.as_deref();
        let host =
            named.unwrap_or_else(|| target.rsplit_once(':').map_or(target, |(host, _)| host));
        ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).ok()
    }

    /// Connections from here begin with a PROXY header.
    pub(crate) fn is_balancer(&self, address: IpAddr) -> bool {
        self.settings.proxy_from.iter().any(|n| n.covers(address))
    }

    /// The client may have a session.
    pub(crate) fn allows(&self, client: IpAddr) -> bool {
        let settings = &self.settings;
        let allowed = settings.allow.is_empty() || settings.allow.iter().any(|n| n.covers(client));
        allowed && !settings.deny.iter().any(|n| n.covers(client))
    }
}

fn only_13(settings: &RedirectedHostSettings) -> bool {
    settings.tls_min == "1.3"
}

/// TLS of clients. A certificate that has run out is served by a start, rather than nothing; it
/// does not replace one.
fn accepting(
    settings: &RedirectedHostSettings,
    file: &Path,
    clients: Option<PathBuf>,
    replaces: bool,
    operator: &Operator,
) -> Result<TerminalTls, Problem> {
    let clients = clients.map(|file| ClientTrust {
        file,
        required: settings.client_certificates == "REQUIRED",
        operator: operator.of(Source::Door),
    });
    let tls = TerminalTls::new(file, clients, only_13(settings))?;
    if let Some(until) = tls.expired() {
        let expired = messages::rd::certificate_expired(file.display(), until);
        if replaces {
            return Err(expired.into());
        }
        operator.tell(expired);
    }
    Ok(tls)
}
