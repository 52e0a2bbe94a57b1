//! Bench `links`: commands that another region of this host carries out.
//!
//! What: two regions of the executable, and a program of one that calls the other again and again.
//! Beside it what the kernel takes to carry as many bytes there and back. Not here: five regions
//! (`dsw`).

use crate::cpu;
use crate::figure::{self, Goal};
use crate::region::request;
use crate::runs::{median, quick, repetitions};
use crate::servers::{run_to_end, transom_exe};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::Programs;

const PATIENCE: Duration = Duration::from_secs(300);
const CALLERS: usize = 16;
/// Bytes of a command and of its answer, about.
const BYTES: usize = 200;

/// Both regions.
struct Regions {
    children: Vec<Child>,
    near: Arc<LocalAdapters>,
    _folder: TempDir,
}

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let regions = Regions::start(&runtime)?;
    let of = |kind: &str, callers: usize| -> Result<f64, String> {
        let mut all = Vec::new();
        for _ in 0..repetitions() {
            all.push(regions.each_us(&runtime, kind, callers)?);
        }
        Ok(median(all))
    };
    figure::value("links_link", of("L", CALLERS)?, "us", Goal::Most(14.0));
    figure::value("links_link_sync", of("S", CALLERS)?, "us", Goal::None);
    figure::value("links_read", of("R", CALLERS)?, "us", Goal::Most(12.0));
    figure::value("links_link_one", of("L", 1)?, "us", Goal::None);
    figure::value("links_read_one", of("R", 1)?, "us", Goal::None);
    figure::value("links_unix_echo", echo(unix)?, "us", Goal::None);
    figure::value("links_tcp_echo", echo(tcp)?, "us", Goal::None);
    Ok(())
}

impl Regions {
    fn start(runtime: &tokio::runtime::Runtime) -> Result<Self, String> {
        let folder = tempfile::tempdir_in("/tmp").map_err(|e| e.to_string())?;
        let mut children = Vec::new();
        for name in ["far", "near"] {
            let dir = folder.path().join(name);
            let from = Path::new("bench/links").join(name);
            run_to_end(Command::new("cp").arg("-r").arg(from).arg(&dir))?;
            let child = Command::new(transom_exe()?)
                .arg("run")
                .arg(&dir)
                .env("TRANSOM_RUNTIME_DIR", folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            children.push(child.map_err(|e| e.to_string())?);
        }
        let config = AdaptersConfig::new(&folder.path().join("DEFAULT"), "BENCHNR");
        let regions = Self {
            children,
            near: Arc::new(LocalAdapters::new(config)),
            _folder: folder,
        };
        let begin = Instant::now();
        while runtime.block_on(call(&regions.near, "R", 1)).is_err() {
            if begin.elapsed() > PATIENCE {
                return Err("the regions do not find each other".to_owned());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(regions)
    }

    fn cpu_s(&self) -> f64 {
        self.children
            .iter()
            .map(|c| cpu::tree_seconds(c.id()))
            .sum()
    }

    /// CPU of both for each command.
    fn each_us(
        &self,
        runtime: &tokio::runtime::Runtime,
        kind: &str,
        callers: usize,
    ) -> Result<f64, String> {
        let (tasks, times) = (if quick() { 2 } else { 10 }, 1_000);
        let all = tasks * CALLERS / callers.min(CALLERS);
        // Workers and sessions are there.
        self.many(runtime, (kind, 10), callers, 1)?;
        let (before, each) = (self.cpu_s(), all.min(40));
        self.many(runtime, (kind, times), callers, each)?;
        let cpu = self.cpu_s() - before;
        Ok(cpu * 1e6 / (callers * each * times) as f64)
    }

    fn many(
        &self,
        runtime: &tokio::runtime::Runtime,
        (kind, times): (&str, usize),
        callers: usize,
        each: usize,
    ) -> Result<(), String> {
        runtime.block_on(async {
            let local = tokio::task::LocalSet::new();
            let all: Vec<_> = (0..callers)
                .map(|_| {
                    let (near, kind) = (self.near.clone(), kind.to_owned());
                    local.spawn_local(async move {
                        for _ in 0..each {
                            call(&near, &kind, times).await?;
                        }
                        Ok::<(), String>(())
                    })
                })
                .collect();
            local.await;
            for caller in all {
                caller.await.map_err(|e| e.to_string())??;
            }
            Ok(())
        })
    }
}

impl Drop for Regions {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _killed = child.kill();
            let _gone = child.wait();
        }
    }
}

/// A task that has so many commands carried out.
async fn call(near: &LocalAdapters, kind: &str, times: usize) -> Result<(), String> {
    let commarea = format!("{kind}{times:07}").into_bytes();
    let answered = near.link(request("LOOPS", commarea, Some(PATIENCE))).await;
    answered.map(drop).map_err(|failure| failure.text)
}

fn unix() -> std::io::Result<(UnixStream, UnixStream)> {
    UnixStream::pair()
}

fn tcp() -> std::io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let near = TcpStream::connect(listener.local_addr()?)?;
    let (far, _) = listener.accept()?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    Ok((near, far))
}

/// CPU of both ends of 16 pairs for each time there and back.
fn echo<S>(pair: fn() -> std::io::Result<(S, S)>) -> Result<f64, String>
where
    S: Read + Write + Send + 'static,
{
    let times = if quick() { 2_000 } else { 20_000 };
    let begin = cpu::tree_seconds(std::process::id());
    let mut threads = Vec::new();
    for _ in 0..CALLERS {
        let (mut near, mut far) = pair().map_err(|e| e.to_string())?;
        threads.push(std::thread::spawn(move || {
            let mut bytes = [0; BYTES];
            for _ in 0..times {
                far.read_exact(&mut bytes)?;
                far.write_all(&bytes)?;
            }
            Ok::<(), std::io::Error>(())
        }));
        threads.push(std::thread::spawn(move || {
            let mut bytes = [0; BYTES];
            for _ in 0..times {
                near.write_all(&bytes)?;
                near.read_exact(&mut bytes)?;
            }
            Ok(())
        }));
    }
    for thread in threads {
        let done = thread.join().map_err(|_| "an echo ended early")?;
        done.map_err(|e| e.to_string())?;
    }
    Ok((cpu::tree_seconds(std::process::id()) - begin) * 1e6 / (CALLERS * times) as f64)
}
