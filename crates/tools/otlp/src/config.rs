//! Where to, how much, and what in it is about whom.

use crate::headers;
use hyper::header::{HeaderName, HeaderValue};
use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;
use transom_messages::{Message, ot};
use transom_settings::TelemetrySettings;
use transom_tcpip::ClientTls;

/// What a sender is started with.
#[derive(Debug, Clone)]
pub(crate) struct OtlpConfig {
    /// The collector.
    pub(crate) endpoint: Endpoint,
    /// Whom to believe; `None`: without TLS.
    pub(crate) tls: Option<ClientTls>,
    /// What it is told with each document.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// Of 1,000,000 traces that begin here, so many are sent.
    pub(crate) sampled_ppm: u32,
    /// Requests and tasks that wait; further ones are dropped and counted.
    pub(crate) queue_max: usize,
    /// How often figures are sent.
    pub(crate) metrics_every: Duration,
    /// APPLID of the region, or of the gateway.
    pub(crate) applid: String,
    /// Of the executable.
    pub(crate) version: String,
}

impl OtlpConfig {
    /// What the table wants; `None`: nothing. `who`: APPLID and version.
    ///
    /// # Errors
    /// It is wrong, or one of its files is.
    pub(crate) fn of(
        table: &TelemetrySettings,
        root: &Path,
        who: (&str, &str),
    ) -> Result<Option<Self>, Message> {
        let Some(text) = &table.endpoint else {
            return Ok(None);
        };
        let endpoint = Endpoint::read(text).map_err(|NoEndpoint| ot::bad_endpoint(text))?;
        let headers = match &table.headers_file {
            Some(_) if !endpoint.secure && !endpoint.is_here() => {
                return Err(ot::headers_in_clear(&endpoint));
            }
            Some(file) => headers::read(&root.join(file))?,
            None => Vec::new(),
        };
        let tls = match (endpoint.secure, &table.trust) {
            (true, None) => return Err(ot::no_trust(&endpoint)),
            (true, Some(file)) => {
                let tls = ClientTls::trusting(&root.join(file));
                Some(tls.map_err(|why| ot::bad_trust(&endpoint, why))?)
            }
            (false, _) => None,
        };
        Ok(Some(Self {
            endpoint,
            tls,
            headers,
            sampled_ppm: table.sampled_ppm,
            queue_max: table.queue_max,
            metrics_every: table.metrics_seconds,
            applid: who.0.to_owned(),
            version: who.1.to_owned(),
        }))
    }
}

/// `http://host:port/path` of a collector, or with `https`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// HTTPS.
    pub(crate) secure: bool,
    /// `host:port`.
    pub(crate) authority: String,
    /// In front of `/v1/traces`, without an end of its own.
    pub(crate) path: String,
}

/// It is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoEndpoint;

impl Endpoint {
    /// Reads it.
    ///
    /// # Errors
    /// It is not of this form.
    pub(crate) fn read(text: &str) -> Result<Self, NoEndpoint> {
        let secure = text.strip_prefix("https://");
        let rest = secure.or_else(|| text.strip_prefix("http://"));
        let rest = rest.ok_or(NoEndpoint)?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let name = match authority.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => name,
            _ => return Err(NoEndpoint),
        };
        let is_plain = |c: char| c.is_ascii_graphic() && !"@?#\"<>\\".contains(c);
        if name.is_empty() || !authority.chars().chain(path.chars()).all(is_plain) {
            return Err(NoEndpoint);
        }
        let path = path.trim_end_matches('/');
        let path = match path {
            "" => String::new(),
            path => format!("/{path}"),
        };
        Ok(Self {
            secure: secure.is_some(),
            authority: authority.to_owned(),
            path,
        })
    }
}

impl Endpoint {
    /// Name or address of the machine.
    pub(crate) fn host(&self) -> &str {
        let name = self.authority.rsplit_once(':').map_or("", |(name, _)| name);
        name.trim_start_matches('[').trim_end_matches(']')
    }

    /// It is on this machine.
    pub(crate) fn is_here(&self) -> bool {
        let name = self.host();
        let address = name.parse::<IpAddr>();
        name == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        write!(f, "{scheme}://{}{}", self.authority, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_has_a_port_and_may_have_a_path() {
        let read = |text| Endpoint::read(text).map(|at| (at.authority, at.path));
        assert_eq!(
            read("http://127.0.0.1:4318"),
            Ok(("127.0.0.1:4318".to_owned(), String::new()))
        );
        assert_eq!(
            read("http://[::1]:4318/a/b/"),
            Ok(("[::1]:4318".to_owned(), "/a/b".to_owned()))
        );
        let secure = Endpoint::read("https://[::1]:4318/a").unwrap();
        assert_eq!((secure.secure, secure.host()), (true, "::1"));
        assert_eq!(secure.to_string(), "https://[::1]:4318/a");
        for none in [
            "",
            "127.0.0.1:4318",
            "https://collector",
            "ftp://collector:4318",
            "http://collector",
            "http://:1",
            "http://collector:x",
            "http://user:secret@collector:4318",
            "http://collector:4318/a?b",
        ] {
            assert_eq!(read(none), Err(NoEndpoint), "{none}");
        }
    }
}
