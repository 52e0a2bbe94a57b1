//! `[telemetry]` of this process: who is told of requests and tasks.
//!
//! Why one for the process: doors, region and the end of the process tell the same. Not here: what
//! is sent, and how (`tools/otlp`).

use super::SystemDirectory;
use std::sync::{Arc, OnceLock};
use transom_log::operator;
use transom_messages::ot;
use transom_otlp::{Otlp, OtlpConfig};
use transom_region_api::{Control, Overview, Statistic, StatisticsGroup};
use transom_region_server::{LocalRegion, Observer};

static SENDER: OnceLock<Arc<Otlp>> = OnceLock::new();

/// Starts to send, if the table wants that.
pub(crate) fn start(system: &SystemDirectory) -> Result<(), String> {
    let table = &system.settings.telemetry;
    let who = (&*system.settings.region.applid, env!("CARGO_PKG_VERSION"));
    let config = OtlpConfig::of(table, &system.root, who).map_err(|m| m.to_string())?;
    if let Some(config) = config {
        let sender =
            Otlp::start(config, operator()).map_err(|e| ot::cannot_start(e).to_string())?;
        let _once = SENDER.set(sender);
    }
    Ok(())
}

/// Who is told; `None`: nobody.
pub(crate) fn sender() -> Option<&'static Arc<Otlp>> {
    SENDER.get()
}

/// The same for tasks.
pub(crate) fn observer(system: &SystemDirectory) -> Option<Observer> {
    let sender = sender()?;
    Some(Observer {
        calls_max: u16::try_from(system.settings.telemetry.calls_max).unwrap_or(u16::MAX),
        tell: Arc::new(|seen| sender.task(seen)),
    })
}

/// Figures of the region go along, and its statistics have those of the sender.
pub(crate) fn figures(region: &Arc<LocalRegion>) {
    let Some(sender) = sender() else {
        return;
    };
    let me = Arc::downgrade(region);
    sender.with_figures(Box::new(move || {
        let region = me.upgrade();
        region.map_or_else(Vec::new, |region| {
            let control: &dyn Control = &*region;
            let overview: &dyn Overview = &*region;
            transom_otlp::figures(control, overview)
        })
    }));
    region.also_report(Box::new(|| {
        let values = sender.statistics().into_iter();
        let values = values.map(|(name, value)| Statistic { name, value });
        vec![StatisticsGroup {
            name: "telemetry",
            values: values.collect(),
        }]
    }));
}

/// The process ends.
pub(crate) fn stop() {
    if let Some(sender) = sender() {
        sender.stop();
    }
}
