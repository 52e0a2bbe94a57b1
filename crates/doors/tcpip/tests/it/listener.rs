//! Accepting, refusing, sweeping, draining.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use transom_tcpip::{
    CloseReason, Limits, Listener, ListenerConfig, Phase, Tls, create_self_signed,
};

fn bind(limits: Limits, tls: Option<Tls>) -> Listener {
    let address = "127.0.0.1:0".parse().unwrap();
    Listener::bind(ListenerConfig {
        address,
        tls,
        limits,
        refusal: b"no room".to_vec(),
    })
    .unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Serves a line back per line until told to close.
async fn echo(listener: Listener) {
    let acceptor = listener.acceptor().unwrap();
    loop {
        let incoming = acceptor.accept().await;
        tokio::spawn(async move {
            let Ok(mut connection) = incoming.open().await else {
                return;
            };
            let mut buffer = [0; 64];
            loop {
                connection.watch.enter(Phase::Idle);
                tokio::select! {
                    read = connection.stream.read(&mut buffer) => match read {
                        Ok(n) if n > 0 => connection.stream.write_all(&buffer[..n]).await.unwrap(),
                        _ => return,
                    },
                    reason = &mut connection.closed => {
                        assert!(matches!(reason, Ok(CloseReason::Drain | CloseReason::Overstayed)));
                        return;
                    }
                }
            }
        });
    }
}

#[test]
fn an_idle_connection_is_swept_and_a_busy_one_is_not() {
    let limits = Limits {
        idle_time: Duration::from_millis(400),
        ..Limits::default()
    };
    let listener = bind(limits, None);
    let (address, seen) = (listener.address(), listener.clone());
    let client = std::thread::spawn(move || {
        let mut busy = TcpStream::connect(address).unwrap();
        let mut idle = TcpStream::connect(address).unwrap();
        let begin = Instant::now();
        for _ in 0..8 {
            busy.write_all(b"x").unwrap();
            busy.read_exact(&mut [0]).unwrap();
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(idle.read(&mut [0]).unwrap(), 0);
        assert!(begin.elapsed() < Duration::from_secs(5));
    });
    runtime().block_on(async {
        tokio::spawn(echo(listener.clone()));
        tokio::spawn(async move { listener.reap().await });
        while !client.is_finished() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    client.join().unwrap();
    let idle = seen
        .counters()
        .read()
        .into_iter()
        .find(|l| l.name == "idle_time")
        .unwrap();
    assert_eq!((idle.limit, idle.reached), (400, 1));
}

#[test]
fn who_finds_no_room_is_told_and_the_others_are_served() {
    let limits = |connections, per_client| Limits {
        connections,
        per_client,
        ..Limits::default()
    };
    for (limits, name) in [(limits(2, 0), "connections"), (limits(9, 2), "per_client")] {
        let listener = bind(limits, None);
        let (address, seen) = (listener.address(), listener.clone());
        let client = std::thread::spawn(move || {
            let lives = |socket: &mut TcpStream| {
                socket.write_all(b"x").unwrap();
                socket.read_exact(&mut [0]).unwrap();
            };
            let mut first = TcpStream::connect(address).unwrap();
            let mut second = TcpStream::connect(address).unwrap();
            lives(&mut first);
            lives(&mut second);
            for _ in 0..3 {
                let mut refused = TcpStream::connect(address).unwrap();
                let _sent = refused.write_all(b"request");
                let mut told = String::new();
                refused.read_to_string(&mut told).unwrap();
                assert_eq!(told, "no room");
                lives(&mut first);
            }
            // A place that is given back serves the next one.
            drop(second);
            let begin = Instant::now();
            loop {
                let mut next = TcpStream::connect(address).unwrap();
                let _sent = next.write_all(b"x");
                let mut byte = [0];
                if next.read_exact(&mut byte).is_ok() && byte == *b"x" {
                    break;
                }
                assert!(begin.elapsed() < Duration::from_secs(20));
            }
        });
        runtime().block_on(async {
            tokio::spawn(echo(listener.clone()));
            while !client.is_finished() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        client.join().unwrap();
        let counters = seen.counters().read();
        let limit = counters.into_iter().find(|l| l.name == name).unwrap();
        assert_eq!((limit.limit, limit.peak), (2, 2), "{name}");
        assert!(limit.reached >= 3, "{name}");
    }
}

#[test]
fn draining_ends_every_connection() {
    let listener = bind(Limits::default(), None);
    let mut clients: Vec<TcpStream> = (0..5)
        .map(|_| TcpStream::connect(listener.address()).unwrap())
        .collect();
    runtime().block_on(async {
        let accepting = tokio::spawn(echo(listener.clone()));
        while listener.open() < 5 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        accepting.abort();
        assert_eq!(listener.drain(Duration::from_secs(5)).await, 0);
    });
    for client in &mut clients {
        assert_eq!(client.read(&mut [0]).unwrap(), 0);
    }
}

#[test]
fn a_handshake_that_does_not_come_is_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("key.pem");
    create_self_signed(&file, &["localhost"]).unwrap();
    let limits = Limits {
        handshake_time: Duration::from_millis(200),
        ..Limits::default()
    };
    let listener = bind(limits, Some(Tls::from_pem_files(&[file]).unwrap()));
    assert!(listener.secure());
    let mut silent = TcpStream::connect(listener.address()).unwrap();
    let mut plain = TcpStream::connect(listener.address()).unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    runtime().block_on(async {
        tokio::spawn(echo(listener.clone()));
        tokio::time::sleep(Duration::from_millis(500)).await;
    });
    assert!(matches!(silent.read(&mut [0]), Ok(0) | Err(_)));
    let mut reply = Vec::new();
    let _ = plain.read_to_end(&mut reply);
    assert_eq!(
        reply.first(),
        Some(&0x15),
        "an alert record is expected: {reply:?}"
    );
    let counter = listener.counters().handshake_time.read();
    assert_eq!(counter.reached, 1);
    assert_eq!(listener.open(), 0);
}

#[test]
fn a_taken_port_is_named() {
    let first = bind(Limits::default(), None);
    let config = ListenerConfig {
        address: first.address(),
        tls: None,
        limits: Limits::default(),
        refusal: Vec::new(),
    };
    let error = Listener::bind(config).err().unwrap().to_string();
    assert!(error.starts_with(&format!("TXMTC0001E Cannot listen on {}", first.address())));
}

#[test]
fn a_handshake_may_begin_before_it_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("key.pem");
    create_self_signed(&file, &["localhost"]).unwrap();
    let tls = Tls::from_pem_files(std::slice::from_ref(&file)).unwrap();
    let runtime = runtime();
    let listener = runtime.block_on(async { bind(Limits::default(), None) });
    let address = listener.address();
    let client = std::thread::spawn(move || {
        let mut roots = RootCertStore::empty();
        roots
            .add(CertificateDer::from_pem_file(file).unwrap())
            .unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let mut session = ClientConnection::new(Arc::new(config), name).unwrap();
        // The word in the clear and the first flight of the handshake in one segment.
        let mut first = b"TLS!".to_vec();
        session.write_tls(&mut first).unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(&first).unwrap();
        let mut secure = StreamOwned::new(session, stream);
        secure.write_all(b"over TLS").unwrap();
        let mut back = [0; 8];
        secure.read_exact(&mut back).unwrap();
        back
    });
    runtime.block_on(async {
        let acceptor = listener.acceptor().unwrap();
        let mut connection = acceptor.accept().await.open().await.unwrap();
        let mut first = [0; 4096];
        let mut read = 0;
        while read < 5 {
            read += connection.stream.read(&mut first[read..]).await.unwrap();
        }
        let early = &first[4..read];
        let mut stream = connection.stream.start_tls(&tls, early).await.unwrap();
        let mut text = [0; 8];
        stream.read_exact(&mut text).await.unwrap();
        stream.write_all(&text).await.unwrap();
        stream.flush().await.unwrap();
    });
    assert_eq!(&client.join().unwrap(), b"over TLS");
}
