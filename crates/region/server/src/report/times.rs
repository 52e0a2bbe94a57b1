//! The time as statistics see it: when records are written next, and since when they count.
//!
//! Not here: what is written (`recording`).

use crate::kernel::Kernel;
use std::sync::Arc;
use transom_region_dispatcher::Clock;
use transom_region_monitoring::{Moment, Monitoring, MonitoringConfig, Recording};

/// Milliseconds from 1900, where ABSTIME begins, to 1970.
const EPOCH_MS: i64 = 2_208_988_800_000;

/// When records are written, since when they count, and where they go.
pub(crate) struct Times {
    pub(super) kernel: Arc<Kernel>,
    pub(super) recording: Recording,
    pub(crate) monitoring: Arc<Monitoring>,
}

impl Times {
    /// Of a region that starts.
    pub(crate) fn new(
        kernel: &Arc<Kernel>,
        monitoring: &Arc<Monitoring>,
        config: &MonitoringConfig,
    ) -> Self {
        Self {
            recording: Recording::new(config.schedule, moment(&kernel.clock)),
            kernel: kernel.clone(),
            monitoring: monitoring.clone(),
        }
    }

    /// When the region started, in nanoseconds since 1970, and seconds that its local time is east
    /// of UTC.
    pub(crate) fn started(&self) -> (u64, i32) {
        let ns = self.monitoring.started_ns();
        let ms = (ns / 1_000_000) as i64;
        let offset_ms = transom_time::abstime_at(ms) - ms - EPOCH_MS;
        (ns, (offset_ms / 1_000) as i32)
    }

    pub(super) fn now(&self) -> Moment {
        moment(&self.kernel.clock)
    }
}

fn moment(clock: &Arc<dyn Clock>) -> Moment {
    let unix_ns = clock.unix_ns();
    let unix_ms = (unix_ns / 1_000_000) as i64;
    let local_s = (transom_time::abstime_at(unix_ms) - EPOCH_MS).div_euclid(1_000);
    Moment {
        unix_ns,
        second: local_s.rem_euclid(86_400) as u32,
    }
}
