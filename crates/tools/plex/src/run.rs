//! `transom run` of a folder with a `plex.toml`: all its regions, until somebody stops them.
//!
//! What: they are started in the order of the file without waiting for each other, since links find
//! each other whenever both are there. A region that dies is named; where the file says so it is
//! started again, else the others go on. The end is in the reverse order, one after the other. Not
//! here: one region's process (`processes`).

use crate::file;
use crate::processes::Region;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};
use tokio::signal::unix::{Signal, SignalKind, signal};
use transom_messages::{Message, Operator, px};
use transom_settings::PlexFile;

/// Time between two looks at the processes.
const LOOK: Duration = Duration::from_millis(100);

/// What the executable brings.
#[derive(Clone)]
pub struct Outside {
    /// Lines of regions go here.
    pub say: fn(&str),
    /// The operator.
    pub operator: Operator,
    /// All regions are ready, or the plex ends: as a service manager takes it.
    pub notify: fn(&str),
}

/// Starts the regions of a folder and keeps them until SIGINT or SIGTERM.
///
/// # Errors
/// The file has problems; a region did not come up, or one died and stayed away.
pub fn run(folder: &Path, outside: &Outside) -> Result<(), String> {
    let file = file::read(folder)?;
    let os = |e: std::io::Error| px::not_run(folder.display(), e).to_string();
    // Regions end with the thread that started them, which is this one.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(os)?;
    runtime.block_on(async {
        let regions = file.regions.iter().map(|r| Region::new(folder, r));
        let mut plex = Plex {
            regions: regions.collect(),
            pauses: Vec::new(),
            announced: false,
            outside,
            file: &file,
        };
        let mut ends = Ends::new().map_err(os)?;
        let kept = plex.keep(&mut ends).await;
        (outside.notify)("STOPPING=1");
        plex.stop(&mut ends).await;
        kept.map_err(|why| why.to_string())
    })
}

/// What ends it.
struct Ends {
    interrupt: Signal,
    terminate: Signal,
}

impl Ends {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

struct Plex<'a> {
    regions: Vec<Region>,
    /// Regions that are started again, and when.
    pauses: Vec<(usize, Instant)>,
    announced: bool,
    outside: &'a Outside,
    file: &'a PlexFile,
}

impl Plex<'_> {
    /// Starts them and looks after them; `Ok` when somebody asked for the end.
    async fn keep(&mut self, ends: &mut Ends) -> Result<(), Message> {
        for at in 0..self.regions.len() {
            self.start(at)?;
        }
        let mut died = None;
        loop {
            tokio::select! {
                () = ends.asked() => return died.map_or(Ok(()), Err),
                () = tokio::time::sleep(LOOK) => {}
            }
            for at in 0..self.regions.len() {
                if let Some(status) = self.regions[at].ended() {
                    let why = self.has_ended(at, status)?;
                    died = died.or(why);
                }
            }
            self.restart_due()?;
            self.look_for_ready()?;
            let some = self.regions.iter().any(Region::runs) || !self.pauses.is_empty();
            if !some {
                return died.map_or(Ok(()), Err);
            }
        }
    }

    fn start(&mut self, at: usize) -> Result<(), Message> {
        let region = &mut self.regions[at];
        let started = region.start(self.outside.say);
        started.map_err(|e| px::not_started(&region.name, e))
    }

    /// A region has ended by itself: a message when that is a fault which stays.
    fn has_ended(&mut self, at: usize, status: ExitStatus) -> Result<Option<Message>, Message> {
        let region = &mut self.regions[at];
        let how = told(status);
        if !region.is_ready() && !self.announced {
            return Err(px::not_ready(&region.name, how));
        }
        if status.success() {
            self.outside.operator.tell(px::ended(&region.name));
            return Ok(None);
        }
        if region.may_restart() {
            let pause = region.pause();
            let again = px::again(&region.name, how, pause.as_secs());
            self.outside.operator.tell(again);
            self.pauses.push((at, Instant::now() + pause));
            return Ok(None);
        }
        let died = px::died(&region.name, how);
        self.outside.operator.tell(died.clone());
        Ok(Some(died))
    }

    fn restart_due(&mut self) -> Result<(), Message> {
        let now = Instant::now();
        let due: Vec<usize> = self
            .pauses
            .iter()
            .filter(|p| p.1 <= now)
            .map(|p| p.0)
            .collect();
        self.pauses.retain(|(_, when)| *when > now);
        due.into_iter().try_for_each(|at| self.start(at))
    }

    fn look_for_ready(&mut self) -> Result<(), Message> {
        for region in &mut self.regions {
            if region.became_ready() {
                let ms = region.age().as_millis();
                self.outside.operator.tell(px::ready(&region.name, ms));
            }
            let late = region.age() > self.file.plex.ready_seconds;
            if region.runs() && !region.is_ready() && late {
                let seconds = region.age().as_secs();
                let late = px::not_ready(&region.name, format!("nothing in {seconds} s"));
                if !self.announced {
                    return Err(late);
                }
                // One that was started again: the others go on.
                region.kill();
            }
        }
        if !self.announced && self.regions.iter().all(Region::is_ready) {
            self.announced = true;
            let all = px::all_ready(self.regions.len());
            self.outside.operator.tell(all);
            (self.outside.notify)("READY=1");
        }
        Ok(())
    }

    /// Stops them in the reverse order; who asks once more waits for none of them.
    async fn stop(&mut self, ends: &mut Ends) {
        let mut patience = self.file.plex.stop_seconds;
        for region in self.regions.iter_mut().rev().filter(|r| r.runs()) {
            let stopped = tokio::select! {
                stopped = region.stop(patience) => stopped,
                () = ends.asked() => {
                    patience = Duration::ZERO;
                    false
                }
            };
            let name = &region.name;
            self.outside.operator.tell(match stopped {
                true => px::ended(name),
                false => px::killed(name),
            });
        }
    }
}

fn told(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => status.to_string(),
    }
}
