//! Users and hosts: TLS clients that send 50 bytes and get 1,900, and who answers them.

use socket2::SockRef;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{WebPkiSupportedAlgorithms, aws_lc_rs};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, DigitallySignedStruct, Error, ServerConfig, SignatureScheme,
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

const ASKED: [u8; 50] = [0x7D; 50];
const ANSWERED: [u8; 1_900] = [0xC1; 1_900];
/// Handshakes at a time.
const IN_FLIGHT: usize = 32;
const THINK: Duration = Duration::from_secs(1);
/// Nothing may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

type Session = TlsStream<TcpStream>;

/// The process of users and hosts.
pub(super) struct Load {
    runtime: Runtime,
    host: u16,
    connector: TlsConnector,
}

/// What users saw.
pub(super) struct Played {
    pub(super) screens: usize,
    pub(super) p50_us: f64,
    /// Still connected: a proxy may have a thread for each, whose CPU goes with it.
    pub(super) sessions: Vec<Session>,
}

impl Load {
    pub(super) fn new() -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|e| e.to_string())?;
        let host = serve(None)?;
        let provider = Arc::new(aws_lc_rs::default_provider());
        let any = Any(provider.signature_verification_algorithms);
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(any))
            .with_no_client_auth();
        config.resumption = tokio_rustls::rustls::client::Resumption::disabled();
        Ok(Self {
            runtime,
            host,
            connector: TlsConnector::from(Arc::new(config)),
        })
    }

    /// Port of the host.
    pub(super) fn host(&self) -> u16 {
        self.host
    }

    /// Port of a host with TLS.
    pub(super) fn secure_host(&self, pem: &Path) -> Result<u16, String> {
        let chain = CertificateDer::from_pem_file(pem).map_err(|e| e.to_string())?;
        let key = PrivateKeyDer::from_pem_file(pem).map_err(|e| e.to_string())?;
        let config = ServerConfig::builder_with_provider(aws_lc_rs::default_provider().into())
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?
            .with_no_client_auth()
            .with_single_cert(vec![chain], key)
            .map_err(|e| e.to_string())?;
        serve(Some(TlsAcceptor::from(Arc::new(config))))
    }

    /// Connects users; each has had its first screen then.
    pub(super) fn connect(&self, port: u16, users: usize, failures: &mut usize) -> Vec<Session> {
        let connector = self.connector.clone();
        let (sessions, failed) = self.runtime.block_on(async move {
            let (places, mut users_now) = (Arc::new(Semaphore::new(IN_FLIGHT)), JoinSet::new());
            for _ in 0..users {
                let (places, connector) = (places.clone(), connector.clone());
                users_now.spawn(async move {
                    let _place = places.acquire().await.ok()?;
                    let user = begin(port, connector);
                    tokio::time::timeout(PATIENCE, user).await.ok()?.ok()
                });
            }
            let all = users_now.join_all().await;
            let failed = all.iter().filter(|user| user.is_none()).count();
            (all.into_iter().flatten().collect(), failed)
        });
        *failures += failed;
        sessions
    }

    /// Clients that come and go, some at a time: half have a screen, a quarter reset the
    /// connection, a quarter send garbage.
    pub(super) fn come_and_go(&self, port: u16, clients: usize, failures: &mut usize) {
        let connector = self.connector.clone();
        *failures += self.runtime.block_on(async move {
            let mut hands = JoinSet::new();
            for hand in 0..IN_FLIGHT {
                let connector = connector.clone();
                hands.spawn(async move {
                    let mut failed = 0;
                    for client in (hand..clients).step_by(IN_FLIGHT) {
                        let visit = visit(port, client / IN_FLIGHT, connector.clone());
                        let visited = tokio::time::timeout(PATIENCE, visit).await;
                        failed += usize::from(!matches!(visited, Ok(Ok(()))));
                    }
                    failed
                });
            }
            hands.join_all().await.into_iter().sum::<usize>()
        });
    }

    /// Each user asks once a second.
    pub(super) fn play(
        &self,
        sessions: Vec<Session>,
        time: Duration,
        failures: &mut usize,
    ) -> Played {
        let (mut times, sessions, failed) = self.runtime.block_on(async move {
            let (end, count) = (Instant::now() + time, sessions.len().max(1));
            let mut users = JoinSet::new();
            for (number, session) in sessions.into_iter().enumerate() {
                let wait = THINK.mul_f64(number as f64 / count as f64);
                users.spawn(user(session, wait, end));
            }
            let all = users.join_all().await;
            let failed = all.iter().filter(|(_, session)| session.is_none()).count();
            let (times, sessions): (Vec<_>, Vec<_>) = all.into_iter().unzip();
            (
                times.concat(),
                sessions.into_iter().flatten().collect(),
                failed,
            )
        });
        *failures += failed;
        times.sort_by(f64::total_cmp);
        Played {
            screens: times.len(),
            p50_us: times.get(times.len() / 2).copied().unwrap_or(0.0),
            sessions,
        }
    }
}

async fn begin(port: u16, connector: TlsConnector) -> std::io::Result<Session> {
    let socket = TcpStream::connect(("127.0.0.1", port)).await?;
    socket.set_nodelay(true)?;
    let name = ServerName::try_from("localhost").map_err(std::io::Error::other)?;
    let mut session = connector.connect(name, socket).await?;
    screen(&mut session).await?;
    Ok(session)
}

/// One client that comes and goes.
async fn visit(port: u16, number: usize, connector: TlsConnector) -> std::io::Result<()> {
    match number % 4 {
        0 => {
            let socket = TcpStream::connect(("127.0.0.1", port)).await?;
            SockRef::from(&socket).set_linger(Some(Duration::ZERO))
        }
        1 => {
            let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
            socket.write_all(&ANSWERED[..1 + number % 300]).await?;
            // The proxy says why, or just goes.
            let _reason = socket.read_to_end(&mut Vec::new()).await;
            Ok(())
        }
        _ => begin(port, connector).await?.shutdown().await,
    }
}

async fn screen(session: &mut Session) -> std::io::Result<()> {
    session.write_all(&ASKED).await?;
    session.flush().await?;
    let mut answer = [0; ANSWERED.len()];
    session.read_exact(&mut answer).await?;
    match answer == ANSWERED {
        true => Ok(()),
        false => Err(std::io::ErrorKind::InvalidData.into()),
    }
}

/// Microseconds of each screen, and the session if all were good.
async fn user(mut session: Session, wait: Duration, end: Instant) -> (Vec<f64>, Option<Session>) {
    let (mut times, mut next) = (Vec::new(), Instant::now() + wait);
    while next < end {
        tokio::time::sleep_until(next.into()).await;
        let begin = Instant::now();
        let played = tokio::time::timeout(PATIENCE, screen(&mut session)).await;
        if !matches!(played, Ok(Ok(()))) {
            return (times, None);
        }
        times.push(begin.elapsed().as_secs_f64() * 1e6);
        next += THINK;
    }
    (times, Some(session))
}

/// A host in a thread of its own; it ends with the process.
fn serve(tls: Option<TlsAcceptor>) -> Result<u16, String> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    listener.set_nonblocking(true).map_err(|e| e.to_string())?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|e| e.to_string())?;
    std::thread::spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = TcpListener::from_std(listener) else {
                return;
            };
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(host(socket, tls.clone()));
            }
        });
    });
    Ok(port)
}

async fn host(socket: TcpStream, tls: Option<TlsAcceptor>) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    match tls {
        None => answer(socket).await,
        Some(tls) => answer(tls.accept(socket).await?).await,
    }
}

async fn answer(
    mut stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
) -> std::io::Result<()> {
    let mut asked = [0; ASKED.len()];
    loop {
        stream.read_exact(&mut asked).await?;
        stream.write_all(&ANSWERED).await?;
        stream.flush().await?;
    }
}

/// Looks at no certificate, so that users cost little.
#[derive(Debug)]
struct Any(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for Any {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}
