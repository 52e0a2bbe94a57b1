//! What is traced, and where entries go: INQUIRE and SET of it.

use crate::auxiliary::{Shared, Writer};
use crate::config::TraceConfig;
use crate::data_sets::DataSets;
use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use transom_messages::{Operator, mn};
use transom_trace::{Component, ENTRY_WORDS, Flags, Rings};
use transom_types::{Applid, Resp, SysId};
use transom_wire::requests::RegionAnswer;
use transom_wire::system::{Auxiliary, TraceChange, TraceFacts};

/// The trace of a region.
pub struct Trace {
    rings: Option<Arc<dyn Rings>>,
    operator: Operator,
    shared: Option<Arc<Shared>>,
    /// Whether the auxiliary trace runs, and its thread.
    running: Mutex<Running>,
}

struct Running {
    auxiliary: Auxiliary,
    thread: Option<JoinHandle<()>>,
}

impl Trace {
    /// Of workers with these rings; without rings nothing is traced.
    pub fn new(
        rings: Option<Arc<dyn Rings>>,
        config: &TraceConfig,
        (applid, sysid): (Applid, SysId),
        (started_ns, utc_offset_s): (u64, i32),
        operator: &Operator,
    ) -> Arc<Self> {
        let head = TraceConfig::head((applid, sysid), started_ns, utc_offset_s);
        let shared = config.folder.clone().map(|folder: PathBuf| {
            let data_sets = DataSets::new(folder, head, config.bytes_max);
            Arc::new(Shared::new(data_sets, config.switching))
        });
        let me = Arc::new(Self {
            rings,
            operator: operator.clone(),
            shared,
            running: Mutex::new(Running {
                auxiliary: Auxiliary::Stopped,
                thread: None,
            }),
        });
        if let Some(rings) = &me.rings {
            rings.set_flags(config.flags.with_auxiliary(false));
        }
        if config.flags.auxiliary() {
            // What is wrong has been told to the operator.
            let _started = me.start();
        }
        me
    }

    /// INQUIRE TRACEDEST, TRACEFLAG and TRACETYPE.
    pub fn facts(&self) -> TraceFacts {
        let running = self.running();
        let stopped = |shared: &Arc<Shared>| shared.stopped.load(SeqCst);
        let state = self.shared.as_ref().map(|shared| shared.state());
        let bytes = self.rings.as_ref().map_or(0, |rings| {
            rings.count() * rings.length() * ENTRY_WORDS * size_of::<u64>()
        });
        TraceFacts {
            flags: self.flags().0,
            auxiliary: match self.shared.as_ref().is_some_and(stopped) {
                true => Auxiliary::Stopped,
                false => running.auxiliary,
            },
            first: state
                .as_ref()
                .is_none_or(|state| state.data_sets.is_first()),
            switching: state
                .as_ref()
                .map_or(transom_wire::system::Switching::No, |state| state.switching),
            table_kilobytes: u32::try_from(bytes / 1_024).unwrap_or(u32::MAX),
        }
    }

    /// SET TRACEDEST, TRACEFLAG and TRACETYPE. What a refusal comes behind stays so.
    pub fn set(&self, change: &TraceChange) -> RegionAnswer {
        let refused = |resp, resp2| RegionAnswer::refused(resp, resp2, String::new());
        let facts = self.facts();
        let pauses = change.auxiliary == Some(Auxiliary::Paused);
        if pauses && facts.auxiliary != Auxiliary::Started {
            return refused(Resp::INVREQ, 9);
        }
        if let Some(switching) = change.switching
            && let Some(shared) = &self.shared
        {
            shared.state().switching = switching;
        }
        if change.switch && !self.switch() {
            return refused(Resp::IOERR, 0);
        }
        match change.auxiliary {
            Some(Auxiliary::Started) if !self.start() => return refused(Resp::IOERR, 0),
            Some(Auxiliary::Started) | None => {}
            Some(end) => self.end(end),
        }
        let mut flags = self.flags();
        flags = flags.with_internal(change.internal.unwrap_or(flags.internal()));
        flags = flags.with_system(change.system.unwrap_or(flags.system()));
        flags = flags.with_user(change.user.unwrap_or(flags.user()));
        for one in &change.components {
            flags = flags.with_component(Component(one.component), one.on);
        }
        if let Some(rings) = &self.rings {
            rings.set_flags(flags);
        }
        RegionAnswer::normal()
    }

    /// Writes what waits, and ends.
    pub fn stop(&self) {
        if self.running().auxiliary != Auxiliary::Stopped {
            self.end(Auxiliary::Stopped);
        }
    }

    fn flags(&self) -> Flags {
        self.rings.as_ref().map_or(Flags(0), |rings| rings.flags())
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// AUXSTART; `false`: the data set cannot be opened.
    fn start(&self) -> bool {
        let (Some(rings), Some(shared)) = (&self.rings, &self.shared) else {
            return false;
        };
        let mut running = self.running();
        if running.auxiliary == Auxiliary::Started && !shared.stopped.load(SeqCst) {
            return true;
        }
        if let Some(ended) = running.thread.take() {
            let _ended = ended.join();
        }
        {
            let mut state = shared.state();
            if let Err(why) = state.data_sets.open() {
                let path = state.data_sets.path();
                self.operator
                    .tell(mn::trace_not_written(path.display(), &why));
                return false;
            }
            state.begin(&**rings);
        }
        shared.end.store(false, SeqCst);
        shared.stopped.store(false, SeqCst);
        rings.set_flags(rings.flags().with_auxiliary(true));
        let writer = Writer {
            rings: rings.clone(),
            operator: self.operator.clone(),
            shared: shared.clone(),
        };
        let thread = std::thread::Builder::new().name("trace".to_owned());
        match thread.spawn(move || writer.run()) {
            Ok(thread) => {
                running.thread = Some(thread);
                running.auxiliary = Auxiliary::Started;
                true
            }
            Err(why) => {
                rings.set_flags(rings.flags().with_auxiliary(false));
                let path = shared.state().data_sets.path();
                self.operator
                    .tell(mn::trace_not_written(path.display(), &why));
                false
            }
        }
    }

    /// AUXPAUSE and AUXSTOP.
    fn end(&self, how: Auxiliary) {
        let mut running = self.running();
        let (Some(rings), Some(shared)) = (&self.rings, &self.shared) else {
            return;
        };
        rings.set_flags(rings.flags().with_auxiliary(false));
        shared.end.store(true, SeqCst);
        if let Some(thread) = running.thread.take() {
            // A writer that has panicked has said so itself.
            let _ended = thread.join();
        }
        if how == Auxiliary::Stopped {
            shared.state().data_sets.close();
        }
        shared.stopped.store(false, SeqCst);
        running.auxiliary = how;
    }

    /// SWITCH; `false`: the other data set cannot be opened.
    fn switch(&self) -> bool {
        let Some(shared) = &self.shared else {
            return false;
        };
        let started = self.facts().auxiliary == Auxiliary::Started;
        let mut state = shared.state();
        let rings = self.rings.as_deref().filter(|_| started);
        match state.switch(rings) {
            Err(why) => {
                let path = state.data_sets.path();
                self.operator
                    .tell(mn::trace_not_written(path.display(), &why));
                false
            }
            Ok(()) => true,
        }
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.stop();
    }
}
