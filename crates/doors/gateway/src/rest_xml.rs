//! REST client connections of server.xml.
//!
//! What: host, port, credentials, times and whom to believe. A connection without `http://` or
//! `https://` is TLS where it has `sslCertsRef`. Not here: using them (`rest`).

use crate::gateway::GatewayError;
use crate::rest::RestConnection;
use base64::Engine as _;
use hyper::header::HeaderValue;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use transom_apidef::server::{RestConnection as Element, Secret, ServerConfig};
use transom_messages::{self as messages, Line};
use transom_tcpip::ClientTls;

/// Times where none are given.
const CONNECT_TIME: Duration = Duration::from_secs(30);
const RECEIVE_TIME: Duration = Duration::from_secs(60);
/// Ports where none is given.
const PORTS: (u16, u16) = (80, 443);

/// All of them by their `id`.
///
/// # Errors
/// TLS is wanted and there is no certificate to believe.
pub(crate) fn connections(
    server: &ServerConfig,
    folder: &Path,
    notices: &mut Vec<Line>,
) -> Result<BTreeMap<String, Arc<RestConnection>>, GatewayError> {
    let mut all = BTreeMap::new();
    for element in &server.rest_connections {
        let connection = connection(server, folder, element, notices)?;
        all.insert(element.id.clone(), Arc::new(connection));
    }
    Ok(all)
}

fn connection(
    server: &ServerConfig,
    folder: &Path,
    element: &Element,
    notices: &mut Vec<Line>,
) -> Result<RestConnection, GatewayError> {
    let (scheme, host) = match element.host.split_once("://") {
        Some((scheme, host)) => (Some(scheme), host),
        None => (None, element.host.as_str()),
    };
    let secure = match scheme {
        Some(scheme) => scheme.eq_ignore_ascii_case("https"),
        None => element.ssl_ref.is_some(),
    };
    let tls = match secure {
        true => Some(trust(server, folder, element)?),
        false => None,
    };
    Ok(RestConnection {
        host: host.trim_end_matches('/').to_owned(),
        port: element
            .port
            .unwrap_or(if secure { PORTS.1 } else { PORTS.0 }),
        tls,
        authorization: authorization(server, element, notices),
        connect_timeout: element.connect_timeout.unwrap_or(CONNECT_TIME),
        receive_timeout: element.receive_timeout.unwrap_or(RECEIVE_TIME),
    })
}

/// The certificates of `sslCertsRef`, else those of the default `ssl` element: its trust store, or
/// its key store as in Liberty.
fn trust(
    server: &ServerConfig,
    folder: &Path,
    element: &Element,
) -> Result<ClientTls, GatewayError> {
    let wanted = element.ssl_ref.as_ref().or(server.ssl_default.as_ref());
    let wanted = wanted.map_or("defaultSSLConfig", String::as_str);
    let ssl = server.ssl.iter().find(|ssl| ssl.id == wanted);
    let store = ssl.and_then(|ssl| ssl.trust_store_ref.as_ref().or(ssl.key_store_ref.as_ref()));
    let store = store.map_or("defaultKeyStore", String::as_str);
    let known = server.key_stores.iter().find(|k| k.id == store);
    let file: Option<PathBuf> = known.map(|known| match &known.location {
        Some(location) => folder.join(location),
        None => folder.join("resources/security/key.pem"),
    });
    let file = file.ok_or_else(|| {
        GatewayError(messages::gw::trust_store_unknown(wanted, store).to_string())
    })?;
    ClientTls::trusting(&file).map_err(|e| GatewayError(e.to_string()))
}

fn authorization(
    server: &ServerConfig,
    element: &Element,
    notices: &mut Vec<Line>,
) -> Option<HeaderValue> {
    let referred = element.basic_auth_ref.as_ref().map(|id| {
        let found = server.basic_auths.iter().find(|auth| auth.id == *id);
        if found.is_none() {
            notices.push(messages::gw::basic_auth_unknown(&element.id, id).into());
        }
        found
    });
    let (user, password) = match referred {
        Some(found) => (found?.user.as_ref()?, found?.password.as_ref()),
        None => (element.user.as_ref()?, element.password.as_ref()),
    };
    let Some(password) = password.and_then(Secret::clear) else {
        notices.push(messages::gw::password_hashed(user).into());
        return None;
    };
    let text = format!("{user}:{password}");
    let text = base64::engine::general_purpose::STANDARD.encode(text);
    let mut value = HeaderValue::from_str(&format!("Basic {text}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}
