//! Who runs a service, and under which transaction.
//!
//! What: the words of a manifest for both. Not here: which of them this gateway supports (`read`).

/// Who runs a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provider {
    /// A CICS program by COMMAREA or channel (`CICS-1.0` and later).
    Cics,
    /// A program behind local adapters (`wola`).
    Wola,
    /// REST, which is also how Db2 services are called.
    RestClient,
    /// IBM MQ.
    Mq,
    /// IMS transactions.
    Ims,
    /// Another one, by the name in the manifest.
    Other(String),
}

impl Provider {
    /// Name as the administration interface shows it.
    pub fn name(&self) -> &str {
        match self {
            Provider::Cics => "CICS-1.0",
            Provider::Wola => "WOLA-1.0",
            Provider::RestClient => "restclient-1.0",
            Provider::Mq => "IBM_MQ-1.0",
            Provider::Ims => "IMS-1.0",
            Provider::Other(name) => name,
        }
    }

    pub(super) fn from_manifest(name: &str) -> Provider {
        let lower = name.to_ascii_lowercase();
        let is = |prefix: &str| lower.starts_with(prefix);
        if is("cics") {
            Provider::Cics
        } else if is("wola") || is("localadapters") {
            Provider::Wola
        } else if is("rest") || is("db2") {
            Provider::RestClient
        } else if is("mq") || is("ibmmq") {
            Provider::Mq
        } else if is("ims") {
            Provider::Ims
        } else {
            Provider::Other(name.to_owned())
        }
    }
}

/// Meaning of a service's `transid`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransidUsage {
    /// Only EIBTRNID shows it; the mirror task keeps its own transaction.
    EibOnly,
    /// The mirror task runs under it.
    EibAndMirror,
}
