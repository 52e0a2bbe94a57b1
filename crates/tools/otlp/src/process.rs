//! The sender of this process: who is told of requests and tasks.
//!
//! Why one for the process: doors, region and the end of the process tell the same. Not here: what
//! is sent, and how (`sender`).

use crate::config::OtlpConfig;
use crate::figures::figures;
use crate::sender::Otlp;
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use transom_messages::{Message, Operator, ot};
use transom_region_api::{Control, Overview, Statistic, StatisticsGroup};
use transom_region_monitoring::Observer;
use transom_settings::Settings;

static SENDER: OnceLock<Arc<Otlp>> = OnceLock::new();

/// Starts to send, if `[telemetry]` wants that. `root`: the system directory.
///
/// # Errors
/// The table is wrong, its file of headers is, or there is no thread for it.
pub fn start(
    settings: &Settings,
    root: &Path,
    version: &str,
    operator: Operator,
) -> Result<(), Message> {
    let who = (settings.region.applid.as_str(), version);
    if let Some(config) = OtlpConfig::of(&settings.telemetry, root, who)? {
        let _once = SENDER.set(Otlp::start(config, operator).map_err(ot::cannot_start)?);
    }
    Ok(())
}

/// Who is told; `None`: nobody.
pub fn sender() -> Option<&'static Arc<Otlp>> {
    SENDER.get()
}

/// The same for tasks, of which so many calls are told.
pub fn observer(settings: &Settings) -> Option<Observer> {
    let sender = sender()?;
    Some(Observer {
        calls_max: u16::try_from(settings.telemetry.calls_max).unwrap_or(u16::MAX),
        tell: Arc::new(|seen| sender.task(seen)),
    })
}

/// Figures of the region go along from now on.
pub fn with_figures<R: Control + Overview + 'static>(region: &Arc<R>) {
    let me: Weak<R> = Arc::downgrade(region);
    if let Some(sender) = sender() {
        sender.with_figures(Box::new(move || {
            let region = me.upgrade();
            region.map_or_else(Vec::new, |region| figures(&*region, &*region))
        }));
    }
}

/// What has become of spans; empty where none are sent.
pub fn statistics() -> Vec<StatisticsGroup> {
    let group = |sender: &Arc<Otlp>| {
        let values = sender.statistics().into_iter();
        let values = values.map(|(name, value)| Statistic { name, value });
        StatisticsGroup {
            name: "telemetry",
            values: values.collect(),
        }
    };
    sender().map(group).into_iter().collect()
}

/// The process ends.
pub fn stop() {
    if let Some(sender) = sender() {
        sender.stop();
    }
}
