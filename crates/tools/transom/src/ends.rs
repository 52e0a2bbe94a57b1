//! What ends a running region: signals, PERFORM SHUTDOWN, a part that must live and does not.
//!
//! Not here: stopping the parts (`commands::run`).

use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::UnboundedReceiver;
use transom_messages as messages;
use transom_region_server::LocalRegion;

/// What ends a region.
pub(crate) struct Ends {
    interrupt: Signal,
    terminate: Signal,
    /// Parts that must live.
    ended: UnboundedReceiver<&'static str>,
}

impl Ends {
    pub(crate) fn of(ended: UnboundedReceiver<&'static str>) -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            ended,
        })
    }

    /// Waits for the first: whether tasks are not waited for, and how the process ends.
    pub(crate) async fn first(&mut self, region: &LocalRegion) -> (bool, Result<(), String>) {
        tokio::select! {
            _ = self.interrupt.recv() => (false, Ok(())),
            _ = self.terminate.recv() => (false, Ok(())),
            immediate = region.shutdown_asked() => (immediate, Ok(())),
            part = self.ended.recv() => {
                let part = part.unwrap_or_default();
                (true, Err(messages::si::part_ended(part).to_string()))
            }
        }
    }

    /// Prepares the region for work; the outcome when it ends before that.
    pub(crate) async fn before_work(&mut self, region: &LocalRegion) -> Option<Result<(), String>> {
        tokio::select! {
            () = region.initialize() => None,
            (_, outcome) = self.first(region) => Some(outcome),
        }
    }

    /// The first quiesce stage; `true`: somebody asked once more, so nothing is waited for.
    pub(crate) async fn again_while_quiescing(&mut self, region: &LocalRegion) -> bool {
        tokio::select! {
            () = region.quiesce() => false,
            () = self.again(region) => true,
        }
    }

    /// Waits until somebody asks once more: then nothing is waited for.
    async fn again(&mut self, region: &LocalRegion) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = region.immediate_shutdown_asked() => {}
            _ = self.ended.recv() => {}
        }
    }
}
