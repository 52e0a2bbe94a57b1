//! Processor time of one hop through local adapters: `hop [requests] [bytes] [clients]`.
//!
//! Link server and client have a thread and a runtime each, as two processes would. The region only
//! gives the data back, so what is counted is the hop: both sides, kernel included. Beside it the
//! same bytes over a bare Unix socket, echoed by a blocking thread.

use std::error::Error;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_intersystem::{AdaptersConfig, LinkServer, LinkServerConfig, LocalAdapters};
use transom_region_api::{
    Control, LinkFailure, LinkOutput, LinkRequest, Payload, ProgramStatus, Programs, RegionInfo,
    Reply, SetFailure, SetRequest, StartedBy, StatisticsGroup, TransactionStatus, Unreachable,
};
use transom_types::{Applid, ProgramName, SysId, TransId};

/// Requests before the clock starts.
const WARM_UP: usize = 1_000;

struct Echo;

impl Programs for Echo {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        Box::pin(std::future::ready(Ok(LinkOutput {
            payload: request.payload,
            task_number: 1,
            transid: TransId::BLANK,
            cpu_ns: 0,
        })))
    }
}

impl Control for Echo {
    fn info(&self) -> Result<RegionInfo, Unreachable> {
        Ok(RegionInfo {
            applid: Applid::from_field(b"ECHO"),
            sysid: SysId::BLANK,
            local_ccsid: 819,
            max_tasks: 1,
            tasks: 0,
            workers: 0,
            stopping: false,
        })
    }

    fn program(&self, _: ProgramName) -> Result<Option<ProgramStatus>, Unreachable> {
        Ok(None)
    }

    fn transaction(&self, _: TransId) -> Result<Option<TransactionStatus>, Unreachable> {
        Ok(None)
    }

    fn set(&self, _: SetRequest) -> Result<(), SetFailure> {
        Ok(())
    }

    fn statistics(&self) -> Result<Vec<StatisticsGroup>, Unreachable> {
        Ok(Vec::new())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut number = |default| args.next().map_or(Ok(default), |a| a.parse::<usize>());
    let (requests, bytes, clients) = (number(100_000)?, number(1_024)?, number(1)?.max(1));
    let folder = tempfile::tempdir()?;
    report("unix socket echo", requests, bare(requests, bytes)?);
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
    };
    let config = LinkServerConfig::new(folder.path(), "HOP");
    let serving = runtime()?;
    std::thread::spawn(move || {
        serving.block_on(async {
            match LinkServer::bind(config, Arc::new(Echo)) {
                Ok(server) => server.serve().await,
                Err(e) => eprintln!("{e}"),
            }
        });
    });
    std::thread::sleep(Duration::from_millis(100));
    let used = runtime()?.block_on(async {
        let adapters = LocalAdapters::new(AdaptersConfig::new(folder.path(), "HOP"));
        drive(&adapters, WARM_UP, bytes, clients).await?;
        let begin = (cpu_ns()?, Instant::now());
        drive(&adapters, requests, bytes, clients).await?;
        Ok::<_, Box<dyn Error>>((cpu_ns()? - begin.0, begin.1.elapsed()))
    })?;
    report("local adapters", requests, used);
    Ok(())
}

async fn drive(
    adapters: &LocalAdapters,
    requests: usize,
    bytes: usize,
    clients: usize,
) -> Result<(), Box<dyn Error>> {
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..clients {
        let adapters = adapters.clone();
        running.spawn(async move {
            for _ in 0..requests / clients {
                adapters.link(request(bytes)).await.map_err(|f| f.text)?;
            }
            Ok::<_, String>(())
        });
    }
    while let Some(client) = running.join_next().await {
        client??;
    }
    Ok(())
}

fn request(bytes: usize) -> LinkRequest {
    LinkRequest {
        program: ProgramName::from_field(b"ECHO"),
        transid: None,
        userid: None,
        payload: Payload::Commarea(vec![b'x'; bytes]),
        reply_bytes_max: 0,
        timeout: Some(Duration::from_secs(10)),
        started_by: StartedBy::Gateway,
        client: None,
    }
}

fn bare(requests: usize, bytes: usize) -> Result<(u64, Duration), Box<dyn Error>> {
    let (mut near, mut far) = UnixStream::pair()?;
    let mut data = vec![b'x'; bytes];
    let mut copy = data.clone();
    std::thread::spawn(
        move || {
            while far.read_exact(&mut copy).is_ok() && far.write_all(&copy).is_ok() {}
        },
    );
    let begin = (cpu_ns()?, Instant::now());
    for _ in 0..requests {
        near.write_all(&data)?;
        near.read_exact(&mut data)?;
    }
    Ok((cpu_ns()? - begin.0, begin.1.elapsed()))
}

fn report(what: &str, requests: usize, (cpu, wall): (u64, Duration)) {
    let each = |ns: f64| ns / requests as f64 / 1_000.0;
    println!(
        "{what}: {:.2} us CPU, {:.2} us elapsed per round trip",
        each(cpu as f64),
        each(wall.as_nanos() as f64)
    );
}

/// Nanoseconds all threads of this process ran so far (/proc, first number of schedstat).
fn cpu_ns() -> Result<u64, Box<dyn Error>> {
    let mut sum = 0;
    for thread in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        sum += text.split(' ').next().unwrap_or("0").parse::<u64>()?;
    }
    Ok(sum)
}
