//! A bound socket, its connections and their end.

use crate::TcpError;
use crate::clients::{Clients, Counted};
use crate::limits::{Limits, ListenerCounters};
use crate::registry::{CloseReason, Phase, Registry, Watch, sweep_interval};
use crate::stream::Stream;
use crate::tls::Tls;
use std::fs::File;
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use transom_messages as messages;

/// Clients that are told at the same time that there is no room for them; others are closed.
const REFUSALS: usize = 64;

/// What to listen on.
#[derive(Debug, Clone)]
pub struct ListenerConfig {
    /// Address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// Certificate and key; `None` listens without TLS.
    pub tls: Option<Tls>,
    /// Bounds.
    pub limits: Limits,
    /// What a client reads that there is no room for; who begins with TLS reads nothing.
    pub refusal: Vec<u8>,
}

/// A bound socket. Clones share it: each serving thread accepts from its own clone.
#[derive(Clone)]
pub struct Listener {
    shared: Arc<Shared>,
}

struct Shared {
    socket: std::net::TcpListener,
    address: SocketAddr,
    tls: Option<Tls>,
    limits: Limits,
    counters: Arc<ListenerCounters>,
    slots: Arc<Semaphore>,
    clients: Arc<Clients>,
    refusal: Arc<[u8]>,
    refusals: Arc<Semaphore>,
    /// Given up for a moment when there is no descriptor for a client who is to be told so.
    spare: Mutex<Option<File>>,
    open: AtomicUsize,
    registry: Registry,
}

impl Listener {
    /// Binds and listens.
    ///
    /// # Errors
    /// TXMTC0001E with the address and the operating system's reason.
    pub fn bind(config: ListenerConfig) -> Result<Self, TcpError> {
        let socket = bind(&config)
            .map_err(|e| TcpError::new(messages::tc::cannot_listen(config.address, &e)))?;
        let address = socket.local_addr().unwrap_or(config.address);
        let slots = config.limits.connections.min(Semaphore::MAX_PERMITS);
        Ok(Self {
            shared: Arc::new(Shared {
                socket,
                address,
                counters: Arc::new(ListenerCounters::new(&config.limits)),
                slots: Arc::new(Semaphore::new(slots)),
                clients: Arc::default(),
                refusal: config.refusal.into(),
                refusals: Arc::new(Semaphore::new(REFUSALS)),
                spare: Mutex::new(File::open("/dev/null").ok()),
                open: AtomicUsize::new(0),
                registry: Registry::new(),
                tls: config.tls,
                limits: config.limits,
            }),
        })
    }

    /// The address really bound.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// True when connections are TLS.
    pub fn secure(&self) -> bool {
        self.shared.tls.is_some()
    }

    /// The bounds.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// The counters of the bounds.
    pub fn counters(&self) -> &Arc<ListenerCounters> {
        &self.shared.counters
    }

    /// Connections open now.
    pub fn open(&self) -> usize {
        self.shared.open.load(Relaxed)
    }

    /// Registers the socket with the current tokio runtime. One per serving thread.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn acceptor(&self) -> io::Result<Acceptor> {
        let socket = TcpListener::from_std(self.shared.socket.try_clone()?)?;
        Ok(Acceptor {
            socket,
            shared: self.shared.clone(),
        })
    }

    /// Closes connections that wait too long, for ever; sleeps while there is none. Run it as one
    /// task per listener.
    pub async fn reap(&self) {
        let interval = sweep_interval(&self.shared.limits);
        loop {
            self.shared.registry.occupied().await;
            tokio::time::sleep(interval).await;
            self.shared
                .registry
                .sweep(&self.shared.limits, &self.shared.counters);
        }
    }

    /// Listens no more: later clients find nobody. Connections stay. Whoever accepts is to stop.
    pub fn stop(&self) {
        // The kernel closes a listening socket that is shut, whoever has descriptors of it.
        let socket = socket2::SockRef::from(&self.shared.socket);
        let _ = socket.shutdown(std::net::Shutdown::Both);
    }

    /// Asks every connection to finish its present request and close, and waits for that, at most
    /// `time`. Returns how many were still open then.
    pub async fn drain(&self, time: Duration) -> usize {
        self.shared.registry.drain();
        let all = u32::try_from(self.shared.limits.connections).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(time, self.shared.slots.acquire_many(all)).await;
        self.open()
    }
}

/// One thread's view of the listening socket.
pub struct Acceptor {
    socket: TcpListener,
    shared: Arc<Shared>,
}

impl Acceptor {
    /// Waits for the next connection there is room for; others are told and closed. Errors of one
    /// connection and a lack of file descriptors are waited out, never returned.
    pub async fn accept(&self) -> Incoming {
        loop {
            match self.socket.accept().await {
                Ok((stream, peer)) => match self.shared.room(peer.ip()) {
                    Some((slot, counted)) => return self.incoming(stream, peer, slot, counted),
                    None => self.refuse(stream),
                },
                // ECONNABORTED and the like concern one client; EMFILE needs a pause.
                Err(e) if e.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => {
                    self.shared.refuse_without_descriptor();
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }

    fn incoming(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        slot: OwnedSemaphorePermit,
        counted: Counted,
    ) -> Incoming {
        let _ = stream.set_nodelay(true);
        let (number, watch, closed) = self.shared.registry.add();
        let open = self.shared.open.fetch_add(1, Relaxed) + 1;
        self.shared.counters.connections.saw(open as u64);
        let guard = Guard {
            number,
            shared: self.shared.clone(),
            _slot: slot,
            _counted: counted,
        };
        Incoming {
            stream,
            peer,
            watch,
            closed,
            guard,
        }
    }

    /// Tells a client that there is no room, as long as not too many are being told.
    fn refuse(&self, mut stream: TcpStream) {
        let place = self.shared.refusals.clone().try_acquire_owned();
        let (false, Ok(place)) = (self.shared.tls.is_some(), place) else {
            return;
        };
        let (refusal, time) = (self.shared.refusal.clone(), self.shared.limits.linger_time);
        tokio::spawn(async move {
            let _place = place;
            // Reading on lets the client see the answer, not a reset.
            let tell = async {
                let _ = stream.write_all(&refusal).await;
                let _ = stream.shutdown().await;
                while matches!(stream.read(&mut [0; 1_024]).await, Ok(n) if n > 0) {}
            };
            let _in_time = tokio::time::timeout(time, tell).await;
        });
    }
}

impl Shared {
    /// A place for one more connection of a client.
    fn room(&self, client: IpAddr) -> Option<(OwnedSemaphorePermit, Counted)> {
        let Some(counted) = self.clients.enter(client, self.limits.per_client) else {
            self.counters.per_client.hit();
            return None;
        };
        self.counters.per_client.saw(counted.count() as u64);
        match self.slots.clone().try_acquire_owned() {
            Ok(slot) => Some((slot, counted)),
            Err(_) => {
                self.counters.connections.hit();
                None
            }
        }
    }

    /// There was no descriptor for a connection: one that is kept for this lets its client know.
    fn refuse_without_descriptor(&self) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.take().is_none() {
            *spare = File::open("/dev/null").ok();
            return;
        }
        if let Ok((mut stream, _)) = self.socket.accept() {
            self.counters.connections.hit();
            let told = stream.set_nonblocking(true);
            if told.is_ok() && self.tls.is_none() {
                let _ = stream.write(&self.refusal);
            }
        }
        *spare = File::open("/dev/null").ok();
    }
}

/// Takes the connection out of the registry and gives its slot back.
struct Guard {
    number: u64,
    shared: Arc<Shared>,
    _slot: OwnedSemaphorePermit,
    _counted: Counted,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.shared.registry.remove(self.number);
        self.shared.open.fetch_sub(1, Relaxed);
    }
}

/// An accepted connection before its TLS handshake.
pub struct Incoming {
    stream: TcpStream,
    peer: SocketAddr,
    watch: Arc<Watch>,
    closed: oneshot::Receiver<CloseReason>,
    guard: Guard,
}

/// A connection as it was accepted, for a door that has a TLS of its own.
pub struct RawConnection {
    /// The socket.
    pub socket: TcpStream,
    /// The other end.
    pub peer: SocketAddr,
    /// This end.
    pub local: SocketAddr,
    /// Fires when the listener wants the connection to end.
    pub closed: oneshot::Receiver<CloseReason>,
    /// Keep it as long as the connection lives.
    pub open: OpenConnection,
}

impl Incoming {
    /// Without a handshake; the door keeps all times itself.
    ///
    /// # Errors
    /// The connection is gone already.
    pub fn raw(self) -> io::Result<RawConnection> {
        self.watch.enter(Phase::Busy);
        Ok(RawConnection {
            local: self.stream.local_addr()?,
            socket: self.stream,
            peer: self.peer,
            closed: self.closed,
            open: OpenConnection(self.guard),
        })
    }

    /// Does the TLS handshake, if there is one to do.
    ///
    /// # Errors
    /// The handshake failed or took longer than `handshake_time`.
    pub async fn open(self) -> io::Result<Connection> {
        let Incoming {
            stream,
            peer,
            watch,
            closed,
            guard,
        } = self;
        let shared = &guard.shared;
        let local = stream.local_addr()?;
        let stream = match &shared.tls {
            None => Stream::plain(stream, watch.clone()),
            Some(tls) => {
                // On the heap: a session keeps the room of every future inside its own.
                let shake = Box::pin(tls.acceptor().accept(stream));
                match tokio::time::timeout(shared.limits.handshake_time, shake).await {
                    Ok(Ok(done)) => Stream::tls(done, watch.clone()),
                    Ok(Err(error)) => {
                        tls.failed(&error, peer);
                        return Err(error);
                    }
                    Err(_) => {
                        shared.counters.handshake_time.hit();
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
            }
        };
        let secure = guard.shared.tls.is_some();
        Ok(Connection {
            stream,
            peer,
            local,
            secure,
            watch,
            closed,
            open: OpenConnection(guard),
        })
    }
}

/// A connection ready for a door's protocol.
pub struct Connection {
    /// The bytes.
    pub stream: Stream,
    /// The other end.
    pub peer: SocketAddr,
    /// This end.
    pub local: SocketAddr,
    /// The bytes travel over TLS.
    pub secure: bool,
    /// Where the door notes what it waits for.
    pub watch: Arc<Watch>,
    /// Fires when the listener wants the connection to end.
    pub closed: oneshot::Receiver<CloseReason>,
    /// Keep it as long as the connection lives.
    pub open: OpenConnection,
}

/// Proof that a connection counts as open.
pub struct OpenConnection(#[allow(dead_code)] Guard);

fn bind(config: &ListenerConfig) -> io::Result<std::net::TcpListener> {
    use socket2::{Domain, Protocol, Socket, Type};
    let socket = Socket::new(
        Domain::for_address(config.address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&config.address.into())?;
    socket.listen(config.limits.backlog)?;
    Ok(socket.into())
}
