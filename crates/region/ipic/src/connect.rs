//! Reaching a region over TCP.
//!
//! What: a connection, with TLS where the definition says so; then the other end has shown a
//! certificate for the APPLID that is wanted. A host that is gone without a word is noticed. Not
//! here: what is said (`region/links`).

use crate::name_of;
use rustls::ClientConfig;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use transom_types::Applid;

/// Silence after which the kernel asks whether the other machine is there, and how often.
const SILENCE: Duration = Duration::from_secs(30);
const AGAIN: Duration = Duration::from_secs(10);
/// Time that bytes may stay without a word of the other machine.
const UNHEARD: Duration = Duration::from_secs(60);

/// What carries frames.
pub trait Carrier: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Carrier for T {}

/// A connection.
pub type Reached = Box<dyn Carrier>;

/// Connects to a host; `tls`: who it must be.
///
/// # Errors
/// Nobody answers, or the certificate is none of the region's.
pub async fn connect(
    host: &str,
    port: u16,
    tls: Option<(Arc<ClientConfig>, Applid)>,
) -> io::Result<Reached> {
    let host = match host.trim() {
        "" => "localhost",
        host => host,
    };
    let stream = TcpStream::connect((host, port)).await?;
    prepare(&stream)?;
    let Some((config, applid)) = tls else {
        return Ok(Box::new(stream));
    };
    let unnamed = || io::Error::new(io::ErrorKind::InvalidInput, "the APPLID is no DNS name");
    let name = name_of(applid).ok_or_else(unnamed)?;
    Ok(Box::new(
        TlsConnector::from(config).connect(name, stream).await?,
    ))
}

/// Small frames go at once, and a machine that is gone ends the connection.
pub(crate) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(SILENCE).with_interval(AGAIN);
    socket.set_tcp_keepalive(&keepalive)?;
    socket.set_tcp_user_timeout(Some(UNHEARD))
}
