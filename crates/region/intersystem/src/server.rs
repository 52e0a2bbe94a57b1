//! The link server: a region's side of local adapters.

use crate::ask;
use crate::config::LinkServerConfig;
use crate::frame;
use crate::frames::{Answered, Asked, Limits, MAGIC, Question, Welcome};
use crate::link;
use crate::refusal::Refusal;
use crate::rendezvous::{SOCKET_PATH_MAX, is_trusted};
use crate::{IntersystemError, PROTOCOL_VERSION, REGISTRATION_NAME_MAX};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, SemaphorePermit};
use transom_language::append;
use transom_language::little::Number;
use transom_messages as messages;
use transom_region_api::{Control, Fault, LinkFailure, LinkOutput, Programs};
use transom_types::Resp;

/// Time a client has for its first frame.
const HELLO_TIME: Duration = Duration::from_secs(5);

/// Connections beyond MXC that may wait for their turn.
const WAITING_MAX: usize = 1_000;
/// Longest time a connection may wait for its turn, whatever the client asks.
const WAIT_MAX: Duration = Duration::from_secs(600);

/// A listening link server.
pub struct LinkServer {
    listener: UnixListener,
    shared: Arc<Shared>,
}

struct Shared {
    config: LinkServerConfig,
    programs: Arc<dyn Programs>,
    control: Arc<dyn Control>,
    /// MXC conversations.
    slots: Semaphore,
    /// Sockets, those that wait included.
    sockets: Arc<Semaphore>,
    open: AtomicUsize,
    peak: AtomicUsize,
    waits: AtomicU64,
    refused: AtomicU64,
    requests: AtomicU64,
}

/// Counts a conversation as open while it lives.
struct Counted<'a>(&'a Shared);

impl<'a> Counted<'a> {
    fn new(shared: &'a Shared) -> Self {
        let open = shared.open.fetch_add(1, Relaxed) + 1;
        shared.peak.fetch_max(open, Relaxed);
        Self(shared)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Relaxed);
    }
}

/// Counters of a link server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkServerReading {
    /// Connections open now.
    pub connections: usize,
    /// Most connections open at the same time.
    pub connections_peak: usize,
    /// Connections that had to wait because MXC were open.
    pub connection_waits: u64,
    /// Connections refused because MXC were open for the whole wait.
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
        region: Arc<impl Programs + Control + 'static>,
    ) -> Result<Self, IntersystemError> {
        let name = &config.registration;
        let plain = |c: char| c.is_ascii_alphanumeric() || "@#$".contains(c);
        if name.is_empty() || name.len() > REGISTRATION_NAME_MAX || !name.chars().all(plain) {
            return Err(IntersystemError::new(messages::is::registration_not_valid(
                format_args!("{name:?}"),
                REGISTRATION_NAME_MAX,
            )));
        }
        if config.socket.as_os_str().len() > SOCKET_PATH_MAX {
            return Err(IntersystemError::new(messages::is::cannot_listen(
                config.socket.display(),
                format_args!("the path is longer than {SOCKET_PATH_MAX} bytes"),
            )));
        }
        let listener = bind(&config.socket).map_err(|e| {
            let socket = config.socket.display();
            IntersystemError::new(messages::is::cannot_listen(&socket, &e))
        })?;
        let max = config.max_connections.min(Semaphore::MAX_PERMITS / 2);
        let shared = Shared {
            config,
            programs: region.clone(),
            control: region,
            slots: Semaphore::new(max),
            sockets: Arc::new(Semaphore::new(max + WAITING_MAX)),
            open: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            waits: AtomicU64::new(0),
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
            connection_waits: self.shared.waits.load(Relaxed),
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
            let trusted = stream.peer_cred().is_ok_and(|peer| is_trusted(peer.uid()));
            let Some(socket) = self.shared.sockets.clone().try_acquire_owned().ok() else {
                self.shared.refused.fetch_add(1, Relaxed);
                continue;
            };
            let shared = self.shared.clone();
            tokio::spawn(async move {
                if trusted {
                    // Ends with the client; what went wrong concerns only this connection.
                    let _ = converse(&shared, stream).await;
                } else {
                    refuse(stream, &Refusal::OtherUser).await;
                }
                drop(socket);
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

async fn refuse(mut stream: UnixStream, why: &Refusal) {
    let mut frame = Vec::new();
    frame::begin(&mut frame);
    append(&mut frame, &Answered::Refused(why.to_string()[..].into()));
    if frame::end(&mut frame).is_ok() {
        let _ = frame::write(&mut stream, &frame).await;
    }
}

async fn converse(shared: &Shared, mut stream: UnixStream) -> io::Result<()> {
    let mut input = Vec::new();
    let hello = tokio::time::timeout(HELLO_TIME, frame::read(&mut stream, &mut input));
    hello.await.map_err(|_| io::ErrorKind::TimedOut)??;
    let wait = match check_hello(shared, frame::body(&input)) {
        Ok(Wish::Link { wait }) => wait,
        Ok(Wish::Know(question)) => return tell(shared, stream, question).await,
        Err(why) => {
            refuse(stream, &why).await;
            return Ok(());
        }
    };
    let Some(_slot) = slot(shared, wait).await else {
        shared.refused.fetch_add(1, Relaxed);
        refuse(stream, &Refusal::NoConnection).await;
        return Ok(());
    };
    let _counted = Counted::new(shared);
    let mut output = Vec::new();
    frame::begin(&mut output);
    let welcome = Welcome {
        magic: MAGIC,
        version: Number(PROTOCOL_VERSION),
        reuse: shared.config.reuse,
    };
    append(&mut output, &Answered::Hello(welcome));
    let limits = Limits {
        min_connections: limit(shared.config.min_connections),
        max_connections: limit(shared.config.max_connections),
    };
    append(&mut output, &limits);
    frame::end(&mut output)?;
    frame::write(&mut stream, &output).await?;
    loop {
        frame::read(&mut stream, &mut input).await?;
        let answer = answer(shared, frame::body(&input)).await;
        shared.requests.fetch_add(1, Relaxed);
        frame::begin(&mut output);
        append(&mut output, &link::answered(&answer));
        if let Err(e) = frame::end(&mut output) {
            frame::begin(&mut output);
            let answer = Err(failed(Fault::Unavailable, e.to_string()));
            append(&mut output, &link::answered(&answer));
            frame::end(&mut output)?;
        }
        frame::write(&mut stream, &output).await?;
        if !shared.config.reuse {
            return Ok(());
        }
    }
}

/// One of MXC conversations; `None` when there was none for the whole wait.
async fn slot(shared: &Shared, wait: Duration) -> Option<SemaphorePermit<'_>> {
    if let Ok(slot) = shared.slots.try_acquire() {
        return Some(slot);
    }
    shared.waits.fetch_add(1, Relaxed);
    let waiting = tokio::time::timeout(wait.min(WAIT_MAX), shared.slots.acquire());
    waiting.await.ok()?.ok()
}

fn limit(connections: usize) -> Number<u32> {
    Number(u32::try_from(connections).unwrap_or(u32::MAX))
}

/// Answers one question, outside MXC.
async fn tell(shared: &Shared, mut stream: UnixStream, question: Question) -> io::Result<()> {
    let mut output = Vec::new();
    frame::begin(&mut output);
    if let Err(unreachable) = ask::put_answer(&mut output, &*shared.control, question) {
        refuse(stream, &Refusal::Region(unreachable)).await;
        return Ok(());
    }
    frame::end(&mut output)?;
    frame::write(&mut stream, &output).await
}

/// What a client wants.
enum Wish {
    /// To LINK, and to wait so long for a connection.
    Link { wait: Duration },
    /// To know something.
    Know(Question),
}

fn check_hello(shared: &Shared, body: &[u8]) -> Result<Wish, Refusal> {
    let (greeting, question) = match Asked::decode(body) {
        Some(Asked::Hello(greeting)) => (greeting, None),
        Some(Asked::Ask(greeting, question)) => (greeting, Some(question)),
        Some(Asked::Link(_) | Asked::LinkFor(..)) | None => return Err(Refusal::NotThisProtocol),
    };
    let Number(version) = greeting.version;
    if greeting.magic != MAGIC || version != PROTOCOL_VERSION {
        return Err(Refusal::Version {
            client: version,
            server: PROTOCOL_VERSION,
        });
    }
    let own = &shared.config.registration;
    if greeting.registration.0 != own.as_str() {
        return Err(Refusal::Registration {
            own: own.clone(),
            wanted: greeting.registration.0.into_owned(),
        });
    }
    let wait = Duration::from_millis(greeting.wait.0.into());
    Ok(question.map_or(Wish::Link { wait }, Wish::Know))
}

async fn answer(shared: &Shared, body: &[u8]) -> Result<LinkOutput, LinkFailure> {
    let Some(mut request) = Asked::decode(body).and_then(link::request) else {
        return Err(failed(
            Fault::Unavailable,
            messages::is::request_malformed(),
        ));
    };
    if !shared.config.serves(request.program.as_str()) {
        let own = &shared.config.registration;
        let text = messages::is::program_not_served(own, request.program).to_string();
        let resp = Resp::PGMIDERR;
        return Err(failed(Fault::Refused { resp, resp2: 0 }, &text));
    }
    if !shared.config.propagate_user {
        request.userid = None;
    }
    request.transid = request.transid.or(shared.config.transid);
    shared.programs.link(request).await
}

fn failed(fault: Fault, text: impl Into<String>) -> LinkFailure {
    LinkFailure {
        fault,
        text: text.into(),
        task_number: None,
    }
}
