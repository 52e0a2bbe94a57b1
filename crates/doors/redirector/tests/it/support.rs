//! A redirector of its own for each test, clients and hosts made up for it.

use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, StreamOwned,
};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_messages::Operator;
use transom_redirector::Redirector;

/// How long anything may take on a loaded machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A connection of a test.
pub(crate) enum Wire {
    Plain(TcpStream),
    Client(Box<StreamOwned<ClientConnection, TcpStream>>),
    Server(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Wire {
    pub(crate) fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(socket) => socket,
            Self::Client(tls) => &tls.sock,
            Self::Server(tls) => &tls.sock,
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let sent = match self {
            Self::Plain(socket) => socket.write_all(bytes),
            Self::Client(tls) => tls.write_all(bytes).and_then(|()| tls.flush()),
            Self::Server(tls) => tls.write_all(bytes).and_then(|()| tls.flush()),
        };
        sent.unwrap();
    }

    /// The next bytes, as many as there must be.
    pub(crate) fn expect(&mut self, bytes: &[u8], what: &str) {
        let mut read = vec![0; bytes.len()];
        let done = match self {
            Self::Plain(socket) => socket.read_exact(&mut read),
            Self::Client(tls) => tls.read_exact(&mut read),
            Self::Server(tls) => tls.read_exact(&mut read),
        };
        done.unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(
            read == bytes,
            "{what}: {} bytes are not as they were sent",
            bytes.len()
        );
    }

    /// The other end closes; answers what came before.
    pub(crate) fn ended(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        let read = match self {
            Self::Plain(socket) => socket.read_to_end(&mut rest),
            Self::Client(tls) => tls.read_to_end(&mut rest),
            Self::Server(tls) => tls.read_to_end(&mut rest),
        };
        match read {
            Ok(_) => {}
            // TLS that ends without saying so is an end, too.
            Err(e)
                if matches!(
                    e.kind(),
                    ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof
                ) => {}
            Err(e) => panic!("it does not end: {e}"),
        }
        rest
    }

    /// Sends nothing more, and goes on reading.
    pub(crate) fn close_half(&mut self) {
        match self {
            Self::Plain(_) => {}
            Self::Client(tls) => {
                tls.conn.send_close_notify();
                tls.flush().unwrap();
            }
            Self::Server(tls) => {
                tls.conn.send_close_notify();
                tls.flush().unwrap();
            }
        }
        self.socket().shutdown(Shutdown::Write).unwrap();
    }
}

/// A folder with certificates, a file and a redirector.
pub(crate) struct Bed {
    pub(crate) redirector: Redirector,
    pub(crate) told: Arc<Mutex<Vec<String>>>,
    pub(crate) folder: TempDir,
}

/// Certificate and key of `name` in one file.
pub(crate) fn certificate(file: &Path) {
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    write_certificate(file, params);
}

pub(crate) fn write_certificate(file: &Path, params: CertificateParams) {
    let key = KeyPair::generate().unwrap();
    let made = params.self_signed(&key).unwrap();
    let text = format!("{}{}", made.pem(), key.serialize_pem());
    std::fs::write(file, text).unwrap();
}

/// A folder with `own.pem` of the redirector and `host.pem` of hosts.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["own.pem", "host.pem"] {
        certificate(&folder.path().join(name));
    }
    folder
}

pub(crate) fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Bed {
    /// A redirector with this file.
    pub(crate) fn new(text: &str) -> Self {
        Self::within(folder(), text)
    }

    pub(crate) fn within(folder: TempDir, text: &str) -> Self {
        let file = folder.path().join("redirector.toml");
        std::fs::write(&file, text).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let kept = told.clone();
        let operator = Operator::new(move |line| kept.lock().unwrap().push(line.to_string()));
        let redirector = Redirector::start(&file, &operator).unwrap();
        Self {
            redirector,
            told,
            folder,
        }
    }

    /// Another file, read as SIGHUP does.
    pub(crate) fn reload(&self, text: &str) {
        std::fs::write(self.folder.path().join("redirector.toml"), text).unwrap();
        self.redirector.reload();
    }

    /// Waits until a line has this text.
    pub(crate) fn told(&self, text: &str) -> String {
        let find = || {
            let told = self.told.lock().unwrap();
            told.iter().find(|line| line.contains(text)).cloned()
        };
        wait(find, || {
            format!("{text:?} in {:?}", self.told.lock().unwrap())
        })
    }

    /// Waits until a figure of the host has a value.
    pub(crate) fn figure(&self, name: &str, value: u64) {
        let read = || self.redirector.statistics()["hosts"][0][name].clone();
        let found = || (read() == value).then_some(());
        wait(found, || format!("{name} {value}, it is {}", read()));
    }

    /// Connects without TLS.
    pub(crate) fn plain(&self, port: u16) -> Wire {
        Wire::Plain(connect(([127, 0, 0, 1], port).into()))
    }

    /// Connects with TLS.
    pub(crate) fn tls(&self, port: u16) -> Wire {
        let socket = connect(([127, 0, 0, 1], port).into());
        Wire::Client(self.secure(socket).unwrap())
    }

    /// The same with the certificate of somebody.
    pub(crate) fn tls_as(&self, port: u16, name: Option<&str>) -> Wire {
        let socket = connect(([127, 0, 0, 1], port).into());
        Wire::Client(self.secure_as(socket, name).unwrap())
    }

    /// TLS on a connection that is there.
    pub(crate) fn secure(
        &self,
        socket: TcpStream,
    ) -> std::io::Result<Box<StreamOwned<ClientConnection, TcpStream>>> {
        self.secure_as(socket, None)
    }

    fn secure_as(
        &self,
        mut socket: TcpStream,
        name: Option<&str>,
    ) -> std::io::Result<Box<StreamOwned<ClientConnection, TcpStream>>> {
        let mut roots = RootCertStore::empty();
        let file = self.folder.path().join("own.pem");
        roots
            .add(CertificateDer::from_pem_file(file).unwrap())
            .unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let config = match name {
            None => config.with_no_client_auth(),
            Some(name) => {
                let file = self.folder.path().join(format!("{name}.pem"));
                let chain = vec![CertificateDer::from_pem_file(&file).unwrap()];
                let key = PrivateKeyDer::from_pem_file(&file).unwrap();
                config.with_client_auth_cert(chain, key).unwrap()
            }
        };
        let name = ServerName::try_from("localhost").unwrap();
        let mut tls = ClientConnection::new(Arc::new(config), name).unwrap();
        while tls.is_handshaking() {
            tls.complete_io(&mut socket)?;
        }
        Ok(Box::new(StreamOwned::new(tls, socket)))
    }
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.set_nodelay(true).unwrap();
    socket
}

pub(crate) fn wait<T>(mut look: impl FnMut() -> Option<T>, what: impl Fn() -> String) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "waited for {}", what());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A host that a test plays.
pub(crate) struct Host {
    listener: TcpListener,
    tls: Option<Arc<ServerConfig>>,
}

impl Host {
    pub(crate) fn plain() -> Self {
        Self {
            listener: TcpListener::bind("127.0.0.1:0").unwrap(),
            tls: None,
        }
    }

    /// With `host.pem` of a folder.
    pub(crate) fn tls(folder: &Path) -> Self {
        let file = folder.join("host.pem");
        let chain = vec![CertificateDer::from_pem_file(&file).unwrap()];
        let key = PrivateKeyDer::from_pem_file(&file).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        Self {
            tls: Some(Arc::new(config)),
            ..Self::plain()
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    /// The next connection.
    pub(crate) fn accept(&self) -> Wire {
        self.accept_with(|_| ())
    }

    /// The same without TLS, whatever the host has.
    pub(crate) fn accept_in_clear(&self) -> Wire {
        let (socket, _) = self.listener.accept().unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        socket.set_nodelay(true).unwrap();
        Wire::Plain(socket)
    }

    /// The next connection, and what comes before TLS.
    pub(crate) fn accept_with(&self, before: impl FnOnce(&mut Wire)) -> Wire {
        let mut wire = self.accept_in_clear();
        before(&mut wire);
        let Wire::Plain(mut socket) = wire else {
            unreachable!("it is in clear");
        };
        let Some(config) = &self.tls else {
            return Wire::Plain(socket);
        };
        let mut tls = ServerConnection::new(config.clone()).unwrap();
        while tls.is_handshaking() {
            tls.complete_io(&mut socket).unwrap();
        }
        Wire::Server(Box::new(StreamOwned::new(tls, socket)))
    }
}

/// Open descriptors of this process, which redirector, hosts and clients of all tests run in.
pub(crate) fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Descriptors come back. Other tests of this process have some meanwhile, fewer than a leak of
/// every second connection would keep.
pub(crate) fn descriptors_are_back(before: usize) {
    let found = || (descriptors() < before + 100).then_some(());
    wait(found, || format!("{before} and {} after", descriptors()));
}
