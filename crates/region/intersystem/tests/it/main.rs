//! A region served over a Unix socket, as two processes would see it.

mod peers;
mod recorded;

use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_intersystem::{
    AdaptersConfig, LinkServer, LinkServerConfig, LocalAdapters, socket_path,
};
use transom_region_api::{
    Control, Fault, LinkFailure, LinkOutput, LinkRequest, Payload, ProgramStatus, Programs,
    RegionInfo, Reply, SetFailure, SetRequest, StartedBy, Statistic, StatisticsGroup,
    TransactionStatus, Unreachable,
};
use transom_types::{AbendCode, Applid, ProgramName, Resp, SysId, TransClass, TransId, UserId};

/// ECHO gives its data back, SLOW too but later, ABND abends, some others fail; the last user is
/// kept.
#[derive(Default)]
struct Echo {
    tasks: AtomicU32,
    user: Mutex<Option<UserId>>,
}

impl Programs for Echo {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        let task_number = self.tasks.fetch_add(1, Relaxed) + 1;
        *self.user.lock().unwrap() = request.userid;
        Box::pin(async move {
            match request.program.as_str() {
                "SLOW" => tokio::time::sleep(Duration::from_millis(200)).await,
                "ABND" => return failed(Fault::Abend(AbendCode::ASRA), task_number),
                "NOPE" => {
                    let resp = Resp::PGMIDERR;
                    return failed(Fault::Refused { resp, resp2: 3 }, task_number);
                }
                "BUSY" => return failed(Fault::Busy, task_number),
                "LATE" => return failed(Fault::TimedOut, task_number),
                "GONE" => return failed(Fault::Unavailable, task_number),
                _ => {}
            }
            let transid = request.transid.unwrap_or(TransId::new("CSMI").unwrap());
            Ok(LinkOutput {
                payload: request.payload,
                task_number,
                transid,
                cpu_ns: 5,
            })
        })
    }
}

fn failed(fault: Fault, task_number: u32) -> Result<LinkOutput, LinkFailure> {
    Err(LinkFailure {
        fault,
        text: "TXMAP0001E made by the test".into(),
        task_number: Some(task_number),
    })
}

impl Control for Echo {
    fn info(&self) -> Result<RegionInfo, Unreachable> {
        Ok(RegionInfo {
            applid: Applid::from_field(b"ECHOAPPL"),
            sysid: SysId::from_field(b"ECHO"),
            local_ccsid: 819,
            max_tasks: 120,
            tasks: 3,
            workers: 4,
            stopping: true,
        })
    }

    fn program(&self, name: ProgramName) -> Result<Option<ProgramStatus>, Unreachable> {
        Ok((name.as_str() == "ECHO").then_some(ProgramStatus {
            name,
            enabled: true,
            threadsafe: false,
            use_count: 1 << 40,
            loadable: true,
        }))
    }

    fn transaction(&self, name: TransId) -> Result<Option<TransactionStatus>, Unreachable> {
        Ok((name.as_str() == "CSMI").then_some(TransactionStatus {
            name,
            program: ProgramName::from_field(b"DFHMIRS"),
            enabled: true,
            priority: 200,
            class: TransClass::new("DFHTCL01").ok(),
            use_count: 7,
        }))
    }

    fn set(&self, request: SetRequest) -> Result<(), SetFailure> {
        if matches!(request, SetRequest::MaxTasks(40)) {
            return Ok(());
        }
        Err(SetFailure::Refused {
            resp: Resp::PGMIDERR,
            resp2: 7,
            text: format!("{request:?}"),
        })
    }

    fn statistics(&self) -> Result<Vec<StatisticsGroup>, Unreachable> {
        let values = vec![Statistic {
            name: "tasks_peak",
            value: 9,
        }];
        Ok(vec![StatisticsGroup {
            name: "dispatcher",
            values,
        }])
    }
}

fn server_config(folder: &Path) -> LinkServerConfig {
    let mut config = LinkServerConfig::new(folder, "CICSREG");
    config.propagate_user = false;
    config.transid = TransId::new("BBO#").ok();
    config
}

fn request(program: &str, bytes: usize) -> LinkRequest {
    LinkRequest {
        program: ProgramName::new(program).unwrap(),
        transid: None,
        userid: UserId::new("FRED").ok(),
        payload: Payload::Commarea(vec![b'x'; bytes]),
        reply_bytes_max: 0,
        timeout: Some(Duration::from_secs(10)),
        started_by: StartedBy::Gateway,
        client: None,
    }
}

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(test);
}

fn serve(
    config: LinkServerConfig,
    region: Arc<Echo>,
) -> (Arc<LinkServer>, tokio::task::JoinHandle<()>) {
    let server = Arc::new(LinkServer::bind(config, region).unwrap());
    let serving = server.clone();
    (server, tokio::spawn(async move { serving.serve().await }))
}

#[test]
fn a_link_goes_there_and_back_on_one_connection() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let region = Arc::new(Echo::default());
        let (server, _task) = serve(server_config(dir.path()), region.clone());
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        for bytes in [0, 1, 1_024, 32_763, 2_000_000] {
            let output = adapters.link(request("ECHO", bytes)).await.unwrap();
            assert_eq!(output.payload, Payload::Commarea(vec![b'x'; bytes]));
            assert_eq!((output.transid.as_str(), output.cpu_ns), ("BBO#", 5));
        }
        assert_eq!(*region.user.lock().unwrap(), None, "SEC=N");
        let failure = adapters.link(request("ABND", 10)).await.unwrap_err();
        assert_eq!(
            (failure.fault, failure.task_number),
            (Fault::Abend(AbendCode::ASRA), Some(6))
        );
        let reading = adapters.read();
        assert_eq!(
            (
                reading.connections,
                reading.connections_opened,
                reading.requests
            ),
            (1, 1, 6)
        );
        assert_eq!((server.read().connections, server.read().requests), (1, 6));
    });
}

#[test]
fn connections_grow_to_the_maximum_and_the_rest_waits() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let mut config = server_config(dir.path());
        config.propagate_user = true;
        let region = Arc::new(Echo::default());
        let (server, _task) = serve(config, region.clone());
        let mut config = AdaptersConfig::new(dir.path(), "CICSREG");
        config.max_connections = 3;
        let adapters = LocalAdapters::new(config);
        let calls: Vec<_> = (0..9)
            .map(|_| {
                let adapters = adapters.clone();
                tokio::spawn(async move { adapters.link(request("SLOW", 100)).await.is_ok() })
            })
            .collect();
        for call in calls {
            assert!(call.await.unwrap());
        }
        let reading = adapters.read();
        assert_eq!((reading.connections_peak, reading.waits), (3, 6));
        assert_eq!(server.read().connections_peak, 3);
        assert_eq!(
            *region.user.lock().unwrap(),
            UserId::new("FRED").ok(),
            "SEC=Y"
        );
    });
}

#[test]
fn without_reuse_each_request_has_its_own_connection() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let mut config = server_config(dir.path());
        config.reuse = false;
        let (_server, _task) = serve(config, Arc::default());
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        for _ in 0..3 {
            adapters.link(request("ECHO", 1)).await.unwrap();
        }
        assert_eq!(adapters.read().connections_opened, 3);
        assert_eq!(adapters.read().connections, 0);
    });
}

#[test]
fn no_server_a_full_server_and_a_new_server() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let mut config = AdaptersConfig::new(dir.path(), "CICSREG");
        config.wait = Duration::from_millis(50);
        let adapters = LocalAdapters::new(config);
        let failure = adapters.link(request("ECHO", 1)).await.unwrap_err();
        assert_eq!(failure.fault, Fault::Unavailable);
        assert!(
            failure
                .text
                .starts_with("TXMIS0003E Link server CICSREG cannot be reached")
        );

        let mut config = server_config(dir.path());
        config.max_connections = 0;
        let (server, task) = serve(config, Arc::default());
        // The next attempt follows a moment after one that failed.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let failure = adapters.link(request("ECHO", 1)).await.unwrap_err();
        assert_eq!(failure.fault, Fault::Busy);
        assert!(failure.text.starts_with("TXMIS0004E"), "{}", failure.text);
        let reading = server.read();
        assert_eq!(
            (reading.connection_waits, reading.connections_refused),
            (1, 1)
        );
        task.abort();
        let _ = task.await;
        drop(server);

        let (server, task) = serve(server_config(dir.path()), Arc::default());
        adapters.link(request("ECHO", 1)).await.unwrap();
        let error = LinkServer::bind(server_config(dir.path()), Arc::<Echo>::default());
        assert_eq!(error.err().unwrap().id(), "TXMIS0002E");
        task.abort();
        let _ = task.await;
        drop(server);
    });
    // A new region process: the old connection is noticed before a request is lost on it.
    run(async {
        let (_server, _task) = serve(server_config(dir.path()), Arc::default());
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        adapters.link(request("ECHO", 1)).await.unwrap();
    });
}

#[test]
fn clients_that_speak_nonsense_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let socket = socket_path(dir.path(), "CICSREG");
    run(async {
        let (server, _task) = serve(server_config(dir.path()), Arc::default());
        for nonsense in [
            b"GET / HTTP/1.1\r\n\r\n".as_slice(),
            b"\xff\xff\xff\xff",
            b"\x00\x00\x00\x00",
            b"\x10\x00\x00\x00\x01TXMI\x63\x00\x00\x00\x00\x00\x01\x00\x00\x00A",
        ] {
            let socket = socket.clone();
            let nonsense = nonsense.to_vec();
            let client = tokio::task::spawn_blocking(move || {
                let mut stream = std::os::unix::net::UnixStream::connect(socket).unwrap();
                stream.write_all(&nonsense).unwrap();
                stream.shutdown(std::net::Shutdown::Write).unwrap();
                let mut reply = Vec::new();
                let _ = stream.read_to_end(&mut reply);
                reply
            });
            let reply = client.await.unwrap();
            assert!(reply.is_empty() || reply[4] == 2, "{reply:?}");
        }
        let other = AdaptersConfig {
            registration: "OTHER".into(),
            ..AdaptersConfig::new(dir.path(), "CICSREG")
        };
        let failure = LocalAdapters::new(other)
            .link(request("ECHO", 1))
            .await
            .unwrap_err();
        assert!(failure.text.starts_with("TXMIS0006E"), "{}", failure.text);
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        adapters.link(request("ECHO", 1)).await.unwrap();
        assert_eq!(server.read().requests, 1);
    });
}

#[test]
fn registration_names_are_checked() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        for name in ["", "TOOLONGANAME13", "A/B", "a b"] {
            let mut config = server_config(dir.path());
            config.registration = name.into();
            let error = LinkServer::bind(config, Arc::<Echo>::default())
                .err()
                .unwrap();
            assert_eq!(error.id(), "TXMIS0001E", "{name}");
        }
    });
    assert_eq!(
        socket_path(Path::new("/run"), "A/../B")
            .file_name()
            .unwrap(),
        "A____B.sock"
    );
}

#[test]
fn questions_are_answered_even_when_every_connection_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let mut config = server_config(dir.path());
        config.max_connections = 0;
        let (_server, _task) = serve(config, Arc::default());
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        let asking = tokio::task::spawn_blocking(move || {
            let own = Echo::default();
            let same = |a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
                assert_eq!(format!("{a:?}"), format!("{b:?}"));
            };
            same(&adapters.info(), &own.info());
            for name in ["ECHO", "NONE"].map(|n| ProgramName::from_field(n.as_bytes())) {
                same(&adapters.program(name), &own.program(name));
                for request in [
                    SetRequest::ProgramEnabled(name, true),
                    SetRequest::ProgramNewCopy(name),
                    SetRequest::MaxTasks(77),
                    SetRequest::Purge {
                        task: 12,
                        force: true,
                    },
                ] {
                    same(&adapters.set(request.clone()), &own.set(request));
                }
            }
            for name in ["CSMI", "NONE"].map(|n| TransId::from_field(n.as_bytes())) {
                same(&adapters.transaction(name), &own.transaction(name));
                let request = SetRequest::TransactionPriority(name, 9);
                same(&adapters.set(request.clone()), &own.set(request));
                let request = SetRequest::TransactionEnabled(name, false);
                same(&adapters.set(request.clone()), &own.set(request));
            }
            let groups = adapters.statistics().unwrap();
            same(&groups[0], &own.statistics().unwrap()[0]);
            assert_eq!(groups[1].name, "local adapters");
        });
        asking.await.unwrap();
    });
    let gone = LocalAdapters::new(AdaptersConfig::new(dir.path(), "GONE"));
    let unreachable = gone.info().unwrap_err();
    assert!(unreachable.text.starts_with("TXMIS0003E"), "{unreachable}");
    assert_eq!(
        gone.set(SetRequest::MaxTasks(1)),
        Err(SetFailure::Unreachable(unreachable.clone()))
    );
    let echo = ProgramName::from_field(b"ECHO");
    assert_eq!(gone.program(echo).unwrap_err(), unreachable);
}

#[test]
fn a_region_behind_two_connections_that_is_gone_is_not_taken_for_an_empty_one() {
    let dir = tempfile::tempdir().unwrap();
    run(async {
        let gone = LocalAdapters::new(AdaptersConfig::new(dir.path(), "GONE"));
        let server = LinkServer::bind(server_config(dir.path()), Arc::new(gone)).unwrap();
        tokio::spawn(async move { server.serve().await });
        let adapters = LocalAdapters::new(AdaptersConfig::new(dir.path(), "CICSREG"));
        let asking = tokio::task::spawn_blocking(move || {
            let name = ProgramName::from_field(b"ECHO");
            let told = adapters.program(name).unwrap_err().text;
            assert!(told.starts_with("TXMIS0003E Link server CICSREG"), "{told}");
            assert!(told.contains("TXMIS0003E Link server GONE"), "{told}");
        });
        asking.await.unwrap();
    });
}
