//! A process that has no file descriptor left.
//!
//! The server is this executable once more, with few descriptors: a limit is of a whole process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use transom_tcpip::{Limits, Listener, ListenerConfig};

/// Says to the process that it is the server.
const SERVES: &str = "TRANSOM_TEST_SERVES";
const NAME: &str = "descriptors::who_finds_no_descriptor_is_told_and_the_others_are_served";
const DESCRIPTORS: usize = 40;
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn who_finds_no_descriptor_is_told_and_the_others_are_served() {
    if std::env::var_os(SERVES).is_some() {
        return serve();
    }
    let mut server = start();
    let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut line_with = |word: &str| loop {
        let line = said.next().expect("the server ended").unwrap();
        if let Some((_, rest)) = line.split_once(word) {
            return rest.to_owned();
        }
    };
    let address: SocketAddr = line_with("listens at ").parse().unwrap();
    let mut first = TcpStream::connect(address).unwrap();
    assert!(lives(&mut first));
    // More than there are descriptors: those that are not accepted wait.
    let mut others: Vec<TcpStream> = (0..DESCRIPTORS * 2)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    let told = |socket: &mut TcpStream| {
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut text = String::new();
        socket.read_to_string(&mut text).is_ok() && text == "no room"
    };
    assert!(told(others.last_mut().unwrap()), "the last one is told");
    assert!(lives(&mut first), "a connection that is open is served");
    drop(others);
    let begin = Instant::now();
    loop {
        let mut next = TcpStream::connect(address).unwrap();
        if lives(&mut next) {
            break;
        }
        assert!(begin.elapsed() < PATIENCE, "nobody is served any more");
    }
    assert!(lives(&mut first));
    server.stdin.take().unwrap().write_all(b"end\n").unwrap();
    let refused: u64 = line_with("refused ").parse().unwrap();
    assert!(refused >= 1, "it is counted");
    assert!(server.wait().unwrap().success());
}

fn start() -> Child {
    let exe = std::env::current_exe().unwrap();
    let run = format!(
        "ulimit -n {DESCRIPTORS}; exec '{}' --exact {NAME} --nocapture",
        exe.display()
    );
    Command::new("sh")
        .args(["-c", &run])
        .env(SERVES, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn lives(socket: &mut TcpStream) -> bool {
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut byte = [0];
    socket.write_all(b"x").is_ok() && socket.read_exact(&mut byte).is_ok() && byte == *b"x"
}

/// Sends back what comes, until a line is read.
fn serve() {
    let listener = Listener::bind(ListenerConfig {
        address: "127.0.0.1:0".parse().unwrap(),
        tls: None,
        limits: Limits {
            connections: DESCRIPTORS * 10,
            per_client: 0,
            ..Limits::default()
        },
        refusal: b"no room".to_vec(),
    })
    .unwrap();
    println!("listens at {}", listener.address());
    let ended = std::thread::spawn(|| std::io::stdin().read_line(&mut String::new()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        tokio::spawn(echo(listener.clone()));
        while !ended.is_finished() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let counters = listener.counters().read();
    let connections = counters.iter().find(|c| c.name == "connections").unwrap();
    println!("refused {}", connections.reached);
}

async fn echo(listener: Listener) {
    let acceptor = listener.acceptor().unwrap();
    loop {
        let incoming = acceptor.accept().await;
        tokio::spawn(async move {
            let Ok(mut connection) = incoming.open().await else {
                return;
            };
            let mut buffer = [0; 64];
            while let Ok(n @ 1..) = connection.stream.read(&mut buffer).await {
                if connection.stream.write_all(&buffer[..n]).await.is_err() {
                    return;
                }
            }
        });
    }
}
