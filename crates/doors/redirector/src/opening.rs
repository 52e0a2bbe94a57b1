//! What comes before bytes pass: whose connection it is, START_TLS, both handshakes.
//!
//! What: a socket of a client becomes a [`Leg`], and so does one to a target that answers. Not
//! here: the time all of that may take (`session`), what passes then (`relay`).

use crate::answer::NoAnswer;
use crate::counts::{Counts, count};
use crate::leg::{Failed, Leg};
use crate::plan::Plan;
use crate::proxy;
use crate::secure::Secure;
use crate::targets::Target;
use rustls::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use transom_datastream::telnet::{DO, FOLLOWS, IAC, OPTION_START_TLS, SB, SE, WILL};
use transom_datastream::{Server, ServerEvent, ServerOptions, StartTls};

/// Bytes of telnet that are read at once before TLS.
const TELNET_BYTES: usize = 512;

/// Why no session came of a connection.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Its handshake, or what came before it.
    Client(Failed),
    /// It does not begin TLS by telnet.
    NoStartTls,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(failed) => failed.fmt(f),
            Self::NoStartTls => f.write_str("it does not take telnet START_TLS"),
        }
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Client(error.into())
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Client(error.into())
    }
}

/// The client's leg, with TLS if the plan wants it.
pub(crate) async fn client(plan: &Plan, mut socket: TcpStream) -> Result<Leg, Refused> {
    let Some(tls) = &plan.accepting else {
        return Ok(Leg::plain(socket));
    };
    let read = match plan.settings.client_tls {
        "NEGOTIATED" => start_tls(&mut socket).await?,
        _ => Vec::new(),
    };
    let end = Secure::accepting(tls.config())?;
    Leg::secure(socket, end, read)
        .await
        .map_err(Refused::Client)
}

/// Both ends agree by telnet; answers what came of the handshake already.
async fn start_tls(socket: &mut TcpStream) -> Result<Vec<u8>, Refused> {
    let mut server = Server::new(ServerOptions {
        start_tls: StartTls::Require,
        tn3270e: false,
        ..ServerOptions::default()
    });
    let mut events = Vec::new();
    let mut bytes = [0; TELNET_BYTES];
    loop {
        socket.write_all(server.output()).await?;
        server.output().clear();
        match events.last() {
            None => {}
            Some(ServerEvent::Closed(_)) => return Err(Refused::NoStartTls),
            Some(_) => events.clear(),
        }
        let count = socket.read(&mut bytes).await?;
        if count == 0 {
            return Err(Refused::Client(Failed::Gone));
        }
        let taken = server.feed(&bytes[..count], &mut events);
        if events.last() == Some(&ServerEvent::StartTls) {
            socket.write_all(server.output()).await?;
            return Ok(bytes[taken..count].to_vec());
        }
    }
}

/// Whose a session is, for the target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) client: SocketAddr,
    pub(crate) local: SocketAddr,
}

/// No target answered: the last one and why.
pub(crate) struct NoTarget(String, NoAnswer);

impl fmt::Display for NoTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0, self.1)
    }
}

/// The first target that answers, and its leg.
pub(crate) async fn target(
    plan: &Plan,
    counts: &Counts,
    ends: Ends,
) -> Result<(Arc<Target>, Leg), Option<NoTarget>> {
    let mut last = None;
    for (tried, target) in plan.targets.order().into_iter().enumerate() {
        match connect(plan, &target, Some(ends)).await {
            Ok(leg) => {
                if tried > 0 {
                    count(&counts.failed_over);
                }
                return Ok((target, leg));
            }
            Err(failed) => {
                count(&target.failed);
                target.looked(Err(&failed));
                last = Some(NoTarget(target.name.clone(), failed));
            }
        }
    }
    Err(last)
}

/// Connects to one target in the time it has; without `ends` nobody's session is meant.
pub(crate) async fn connect(
    plan: &Plan,
    target: &Target,
    ends: Option<Ends>,
) -> Result<Leg, NoAnswer> {
    let time = plan.settings.connect_seconds;
    let connecting = Box::pin(connect_now(plan, target, ends));
    match timeout(time, connecting).await {
        Ok(connected) => connected.map_err(NoAnswer::Failed),
        Err(_) => Err(NoAnswer::Late(time)),
    }
}

async fn connect_now(plan: &Plan, target: &Target, ends: Option<Ends>) -> Result<Leg, Failed> {
    let mut socket = match target.name.parse::<SocketAddr>() {
        Ok(address) => TcpStream::connect(address).await?,
        Err(_) => TcpStream::connect(target.name.as_str()).await?,
    };
    socket.set_nodelay(true)?;
    if plan.settings.proxy_to_host {
        let header = match ends {
            Some(ends) => proxy::header(ends.client, ends.local),
            None => proxy::own_header(),
        };
        socket.write_all(&header).await?;
    }
    let Some(config) = &plan.connecting else {
        return Ok(Leg::plain(socket));
    };
    let Some(name) = plan.server_name(&target.name) else {
        return Err(Error::General("the target has no name for TLS".into()).into());
    };
    if plan.settings.host_tls == "NEGOTIATED" {
        ask_for_tls(&mut socket).await?;
    }
    let end = Secure::connecting(config.clone(), name)?;
    Leg::secure(socket, end, Vec::new()).await
}

/// Takes the TLS that a target offers by telnet. It must offer that before anything else: what
/// comes before TLS nobody has proven, and the client has not seen.
async fn ask_for_tls(socket: &mut TcpStream) -> Result<(), Failed> {
    let follows = [IAC, SB, OPTION_START_TLS, FOLLOWS, IAC, SE];
    await_telnet(socket, &[IAC, DO, OPTION_START_TLS]).await?;
    socket.write_all(&[IAC, WILL, OPTION_START_TLS]).await?;
    socket.write_all(&follows).await?;
    await_telnet(socket, &follows).await
}

async fn await_telnet(socket: &mut TcpStream, wanted: &[u8]) -> Result<(), Failed> {
    let mut read = [0; 6];
    let read = &mut read[..wanted.len()];
    match socket.read_exact(read).await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Failed::Gone),
        Err(error) => Err(error.into()),
        Ok(_) if read == wanted => Ok(()),
        Ok(_) => Err(Failed::NoStartTls),
    }
}
