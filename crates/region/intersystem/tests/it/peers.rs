//! Peers that misbehave, die, or are too many.

use crate::{Echo, request, run, serve, server_config};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use transom_intersystem::{AdaptersConfig, LocalAdapters, socket_path};
use transom_region_api::{Fault, Payload, Programs};

/// What a client says first: version 1, no wait, CICSREG.
const HELLO: &[u8] = b"\x16\0\0\0\x01TXMI\x02\0\0\0\0\0\x07\0\0\0CICSREG";
/// What a link server says first: reuse, MNC 1, MXC 100.
const WELCOME: &[u8] = b"\x10\0\0\0\x01TXMI\x02\0\x01\x01\0\0\0\x64\0\0\0";

/// A LINK request as it travels, caught by a link server of the test.
async fn caught(folder: &Path) -> Vec<u8> {
    let listener = UnixListener::bind(socket_path(folder, "SPY")).unwrap();
    let adapters = LocalAdapters::new(AdaptersConfig::new(folder, "SPY"));
    let asking = tokio::spawn(async move { adapters.link(request("ECHO", 40)).await });
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut bytes = vec![0; 1_000];
    let _hello = stream.read(&mut bytes).await.unwrap();
    stream.write_all(WELCOME).await.unwrap();
    let count = stream.read(&mut bytes).await.unwrap();
    bytes.truncate(count);
    drop(stream);
    let failure = asking.await.unwrap().unwrap_err();
    assert_eq!(failure.fault, Fault::Unavailable, "it may have run");
    bytes
}

/// Numbers that look random and are the same each time.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn changed_frames_get_an_answer_or_an_end_and_hurt_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let (_server, _task) = serve(server_config(dir.path()), Arc::default());
        let good = [HELLO, &caught(dir.path()).await].concat();
        let mut random = Seeded(20_260_101);
        for round in 0..2_000 {
            let mut bytes = good.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes[at] ^= 1 << random.below(8),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let socket = socket_path(dir.path(), "CICSREG");
            let mut stream = UnixStream::connect(socket).await.unwrap();
            let _closed_early = stream.write_all(&bytes).await;
            let _closed_early = stream.shutdown().await;
            let mut reply = Vec::new();
            let ended = tokio::time::timeout(Duration::from_secs(5), async {
                let _reset = stream.read_to_end(&mut reply).await;
            });
            assert!(ended.await.is_ok(), "round {round} hangs: {bytes:?}");
        }
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        let output = adapters.link(request("ECHO", 10)).await.unwrap();
        assert_eq!(output.payload, Payload::Commarea(vec![b'x'; 10]));
    });
}

#[test]
fn a_link_server_that_answers_nonsense_or_nothing_is_unavailable() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let listener = UnixListener::bind(socket_path(dir.path(), "CICSREG")).unwrap();
        let answers: [&[u8]; 4] = [
            b"",
            b"\x01\0\0\0\x63",
            b"\xff\xff\xff\xff",
            b"\x05\0\0\0\x04",
        ];
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut bytes = [0; 1_000];
                let _hello = stream.read(&mut bytes).await.unwrap();
                stream.write_all(WELCOME).await.unwrap();
                let _request = stream.read(&mut bytes).await.unwrap();
                stream.write_all(answer).await.unwrap();
            }
        });
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        for _ in answers {
            let failure = adapters.link(request("ECHO", 10)).await.unwrap_err();
            assert_eq!(failure.fault, Fault::Unavailable, "{}", failure.text);
        }
        assert_eq!(adapters.read().connections, 0, "none is kept");
    });
}

#[test]
fn clients_that_are_slow_or_half_open_hold_up_nobody() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let (server, _task) = serve(server_config(dir.path()), Arc::default());
        let socket = socket_path(dir.path(), "CICSREG");
        let silent = UnixStream::connect(&socket).await.unwrap();
        let mut half = UnixStream::connect(&socket).await.unwrap();
        half.write_all(HELLO).await.unwrap();
        let mut welcome = vec![0; WELCOME.len()];
        half.read_exact(&mut welcome).await.unwrap();
        half.write_all(b"\x00\x10\0\0\x03half").await.unwrap();
        let mut slow = UnixStream::connect(&socket).await.unwrap();
        for byte in HELLO {
            slow.write_all(&[*byte]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        slow.read_exact(&mut welcome).await.unwrap();
        assert_eq!(welcome, WELCOME);
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        adapters.link(request("ECHO", 10)).await.unwrap();
        assert_eq!(server.read().connections, 3);
        drop((silent, half, slow));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(server.read().connections, 1, "the others are forgotten");
    });
}

#[test]
fn at_mxc_a_connection_waits_and_then_is_busy() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let mut config = server_config(dir.path());
        config.max_connections = 1;
        config.reuse = false;
        let (server, _task) = serve(config, Arc::default());
        let pool = |wait| {
            let mut config = AdaptersConfig::new(dir.path(), "CICSREG");
            config.wait = wait;
            LocalAdapters::new(config)
        };
        let (first, patient, hasty) = (
            pool(Duration::ZERO),
            pool(Duration::from_secs(5)),
            pool(Duration::from_millis(20)),
        );
        let running = tokio::spawn(async move { first.link(request("SLOW", 1)).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let (waited, refused) = tokio::join!(
            patient.link(request("ECHO", 1)),
            hasty.link(request("ECHO", 1))
        );
        assert!(waited.is_ok() && running.await.unwrap().is_ok());
        assert_eq!(refused.unwrap_err().fault, Fault::Busy);
        let now = server.read();
        let counted = (
            now.connections_peak,
            now.connection_waits,
            now.connections_refused,
        );
        assert_eq!(counted, (1, 2, 1));
    });
}

#[test]
fn programs_outside_svc_are_refused_before_they_run() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let mut config = server_config(dir.path());
        config.services = vec!["ABND".into(), "EC*".into()];
        let region = Arc::new(Echo::default());
        let (_server, _task) = serve(config, region.clone());
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        adapters.link(request("ECHO", 1)).await.unwrap();
        let failure = adapters.link(request("SLOW", 1)).await.unwrap_err();
        assert!(
            matches!(failure.fault, Fault::Refused { .. }),
            "{failure:?}"
        );
        assert!(failure.text.starts_with("TXMIS0012E"), "{}", failure.text);
        assert_eq!(region.tasks.load(Relaxed), 1);
    });
}

/// Clients go on while the link server is replaced five times: what ran is counted once, what did
/// not get an answer is not sent again, and in the end everything works.
#[test]
fn a_link_server_restarts_under_traffic() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let region = Arc::new(Echo::default());
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        let end = Instant::now() + Duration::from_millis(600);
        let clients: Vec<_> = (0..8)
            .map(|_| {
                let adapters = adapters.clone();
                tokio::spawn(async move {
                    let (mut good, mut failed) = (0, 0);
                    while Instant::now() < end {
                        match adapters.link(request("ECHO", 100)).await {
                            Ok(_) => good += 1,
                            Err(failure) => {
                                assert_eq!(failure.fault, Fault::Unavailable);
                                failed += 1;
                                tokio::time::sleep(Duration::from_millis(1)).await;
                            }
                        }
                    }
                    (good, failed)
                })
            })
            .collect();
        for _ in 0..5 {
            let config = server_config(dir.path());
            let folder = dir.path().to_owned();
            let serving = region.clone();
            // A runtime of its own: with it the connections die, as with a process.
            let one = std::thread::spawn(move || {
                run(async move {
                    let (server, task) = serve(config, serving);
                    tokio::time::sleep(Duration::from_millis(60)).await;
                    task.abort();
                    let _ended = task.await;
                    drop(server);
                });
                drop(folder);
            });
            tokio::task::spawn_blocking(move || one.join())
                .await
                .unwrap()
                .unwrap();
        }
        let (_server, _task) = serve(server_config(dir.path()), region.clone());
        let (mut good, mut failed) = (0, 0);
        for client in clients {
            let (g, f) = client.await.unwrap();
            good += g;
            failed += f;
        }
        let ran = region.tasks.load(Relaxed);
        assert!(good > 100 && failed > 0, "{good} {failed}");
        assert!(ran >= good && ran <= good + failed, "{good} {ran} {failed}");
        adapters.link(request("ECHO", 1)).await.unwrap();
    });
}
