//! The link server: a region's side of local adapters.

use crate::frame;
use crate::wire::{self, Reader, kind};
use crate::{IntersystemError, PROTOCOL_VERSION, REGISTRATION_NAME_MAX};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use transom_region_api::{Fault, LinkFailure, Region};

/// Time a client has for its first frame.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// Operands of BBOC START_SRVR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkServerConfig {
    /// RGN: registration name, 1 to 12 characters.
    pub registration: String,
    /// Socket to listen on; its folder must exist.
    pub socket: PathBuf,
    /// MXC: connections at most.
    pub max_connections: usize,
    /// SEC: take the user of a request. Otherwise every task runs for the region's default user.
    pub propagate_user: bool,
    /// LTSQ-like TRANID: transaction of the link tasks, when requests name none. `None` = the region's.
    pub transid: Option<transom_types::TransId>,
    /// REU: a connection serves many requests; otherwise it is closed after one.
    pub reuse: bool,
}

/// A listening link server.
pub struct LinkServer {
    listener: UnixListener,
    shared: Arc<Shared>,
}

struct Shared {
    config: LinkServerConfig,
    region: Arc<dyn Region>,
    slots: Arc<Semaphore>,
    open: AtomicUsize,
    peak: AtomicUsize,
    refused: AtomicU64,
    requests: AtomicU64,
}

/// Counters of a link server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkServerReading {
    /// Connections open now.
    pub connections: usize,
    /// Most connections open at the same time.
    pub connections_peak: usize,
    /// Connections refused because MXC were open.
    pub connections_refused: u64,
    /// Requests answered.
    pub requests: u64,
}

impl LinkServer {
    /// Binds the socket, readable and writable by this user only. Needs a tokio runtime.
    ///
    /// # Errors
    /// TXMIS0001E: bad registration name. TXMIS0002E: another link server has the socket, or the
    /// operating system refuses it.
    pub fn bind(
        config: LinkServerConfig,
        region: Arc<dyn Region>,
    ) -> Result<Self, IntersystemError> {
        let name = &config.registration;
        let plain = |c: char| c.is_ascii_alphanumeric() || "@#$".contains(c);
        if name.is_empty() || name.len() > REGISTRATION_NAME_MAX || !name.chars().all(plain) {
            return Err(IntersystemError::new(
                "TXMIS0001E",
                format!(
                    "Registration name {name:?} must have 1 to {REGISTRATION_NAME_MAX} letters, \
                     digits, @, # or $"
                ),
            ));
        }
        let listener = bind(&config.socket).map_err(|e| {
            let socket = config.socket.display();
            IntersystemError::new(
                "TXMIS0002E",
                format!("Link server cannot listen on {socket}: {e}"),
            )
        })?;
        let slots = Arc::new(Semaphore::new(
            config.max_connections.min(Semaphore::MAX_PERMITS),
        ));
        let shared = Shared {
            config,
            region,
            slots,
            open: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            refused: AtomicU64::new(0),
            requests: AtomicU64::new(0),
        };
        Ok(Self {
            listener,
            shared: Arc::new(shared),
        })
    }

    /// The counters now.
    pub fn read(&self) -> LinkServerReading {
        LinkServerReading {
            connections: self.shared.open.load(Relaxed),
            connections_peak: self.shared.peak.load(Relaxed),
            connections_refused: self.shared.refused.load(Relaxed),
            requests: self.shared.requests.load(Relaxed),
        }
    }

    /// Serves for ever; end it by dropping the future. Connections live in tasks of the runtime.
    pub async fn serve(&self) {
        loop {
            let stream = match self.listener.accept().await {
                Ok((stream, _)) => stream,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let shared = self.shared.clone();
            tokio::spawn(async move {
                let slot = shared.slots.clone().try_acquire_owned();
                if slot.is_err() {
                    shared.refused.fetch_add(1, Relaxed);
                    refuse(
                        stream,
                        "TXMIS0004E The link server has no connection left (MXC)",
                    )
                    .await;
                    return;
                }
                let open = shared.open.fetch_add(1, Relaxed) + 1;
                shared.peak.fetch_max(open, Relaxed);
                // Ends with the client; what went wrong concerns only this connection.
                let _ = converse(&shared, stream).await;
                shared.open.fetch_sub(1, Relaxed);
            });
        }
    }
}

impl Drop for LinkServer {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.shared.config.socket);
    }
}

fn bind(socket: &Path) -> io::Result<UnixListener> {
    if socket.exists() {
        // A server that died leaves its socket behind; one that lives answers.
        if std::os::unix::net::UnixStream::connect(socket).is_ok() {
            return Err(io::Error::new(
                io::ErrorKind::AddrInUse,
                "another link server is running",
            ));
        }
        std::fs::remove_file(socket)?;
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn refuse(mut stream: UnixStream, text: &str) {
    let mut frame = Vec::new();
    frame::begin(&mut frame);
    frame.push(kind::REFUSED);
    wire::put_data(&mut frame, text.as_bytes());
    if frame::end(&mut frame).is_ok() {
        let _ = frame::write(&mut stream, &frame).await;
    }
}

async fn converse(shared: &Shared, mut stream: UnixStream) -> io::Result<()> {
    let mut input = Vec::new();
    let hello = tokio::time::timeout(HELLO_TIME, frame::read(&mut stream, &mut input));
    hello.await.map_err(|_| io::ErrorKind::TimedOut)??;
    if let Err(text) = check_hello(shared, frame::body(&input)) {
        refuse(stream, &text).await;
        return Ok(());
    }
    let mut output = Vec::new();
    frame::begin(&mut output);
    output.push(kind::HELLO);
    output.extend_from_slice(&wire::MAGIC);
    output.extend_from_slice(&PROTOCOL_VERSION.to_le_bytes());
    output.push(u8::from(shared.config.reuse));
    frame::end(&mut output)?;
    frame::write(&mut stream, &output).await?;
    loop {
        frame::read(&mut stream, &mut input).await?;
        let answer = answer(shared, frame::body(&input)).await;
        shared.requests.fetch_add(1, Relaxed);
        frame::begin(&mut output);
        wire::put_answer(&mut output, &answer);
        if let Err(e) = frame::end(&mut output) {
            frame::begin(&mut output);
            wire::put_answer(
                &mut output,
                &Err(failed(Fault::Unavailable, &e.to_string())),
            );
            frame::end(&mut output)?;
        }
        frame::write(&mut stream, &output).await?;
        if !shared.config.reuse {
            return Ok(());
        }
    }
}

fn check_hello(shared: &Shared, body: &[u8]) -> Result<(), String> {
    let mut reader = Reader(body);
    let head = (|| {
        let kind = reader.u8()?;
        let magic = reader.take(wire::MAGIC.len())?;
        Ok::<_, wire::Malformed>((kind, magic, reader.u16()?, reader.text()?))
    })();
    let Ok((kind::HELLO, magic, version, registration)) = head else {
        return Err("TXMIS0005E The client does not speak this protocol".into());
    };
    if magic != wire::MAGIC || version != PROTOCOL_VERSION {
        return Err(format!(
            "TXMIS0005E The client speaks version {version}, the link server {PROTOCOL_VERSION}"
        ));
    }
    let own = &shared.config.registration;
    if registration != own {
        return Err(format!(
            "TXMIS0006E This link server is registered as {own}, not {registration}"
        ));
    }
    Ok(())
}

async fn answer(
    shared: &Shared,
    body: &[u8],
) -> Result<transom_region_api::LinkOutput, LinkFailure> {
    let mut reader = Reader(body);
    let malformed = || failed(Fault::Unavailable, "TXMIS0007E The request is malformed");
    if reader.u8() != Ok(kind::LINK) {
        return Err(malformed());
    }
    let mut request = wire::request(&mut reader).map_err(|_| malformed())?;
    if !shared.config.propagate_user {
        request.userid = None;
    }
    request.transid = request.transid.or(shared.config.transid);
    shared.region.link(request).await
}

fn failed(fault: Fault, text: &str) -> LinkFailure {
    LinkFailure {
        fault,
        text: text.to_owned(),
        task_number: None,
    }
}
