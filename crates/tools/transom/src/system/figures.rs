//! What listeners and the process count, as statistics of the region.
//!
//! Why here: the region knows neither. Not here: the counters.

use transom_dbrest::Dbrest;
use transom_gateway::Gateway;
use transom_operations::Operations;
use transom_region_api::{Statistic, StatisticsGroup};
use transom_region_server::LocalRegion;
use transom_tcpip::Descriptors;
use transom_tn3270::Tn3270;

/// Adds them to the statistics.
pub(crate) fn report(
    region: &LocalRegion,
    gateway: Option<&Gateway>,
    (screens, rest): (&[Tn3270], &[Dbrest]),
) {
    let http = gateway.into_iter().flat_map(Gateway::counters);
    let http = http.map(|(secure, counters)| {
        let name = if secure {
            "HTTPS listener"
        } else {
            "HTTP listener"
        };
        (name, counters)
    });
    let screens = screens
        .iter()
        .map(|s| ("TN3270 listener", s.listener_counters().clone()));
    let rest = rest
        .iter()
        .map(|r| ("REST services listener", r.listener_counters().clone()));
    for (name, counters) in http.chain(screens).chain(rest) {
        region.also_report(Box::new(move || vec![group(name, counters.figures())]));
    }
    region.also_report(Box::new(|| vec![descriptors()]));
    region.also_report(Box::new(transom_region_server::processes));
    let sql = region.sql();
    let threads = move || group("threads of DB2CONN and DB2ENTRY", sql.threads().to_vec());
    region.also_report(Box::new(move || vec![threads()]));
}

/// The same of the operations port.
pub(crate) fn also(region: &LocalRegion, listener: Option<&Operations>) {
    if let Some(counters) = listener.map(|l| l.listener_counters().clone()) {
        let tell = move || vec![group("operations listener", counters.figures())];
        region.also_report(Box::new(tell));
    }
}

/// Addresses of all listeners.
pub(crate) fn addresses(
    screens: &[Tn3270],
    gateway: Option<&Gateway>,
    rest: &[Dbrest],
) -> Vec<String> {
    let http = gateway.and_then(Gateway::http);
    let https = gateway.and_then(Gateway::https);
    let mut all: Vec<String> = Vec::new();
    all.extend(http.map(|address| format!("http://{address}")));
    all.extend(https.map(|address| format!("https://{address}")));
    all.extend(screens.iter().map(|s| format!("tn3270://{}", s.address())));
    for listener in rest {
        let scheme = if listener.secure() { "https" } else { "http" };
        all.push(format!("{scheme}://{}/services", listener.address()));
    }
    all
}

fn group(name: &'static str, figures: Vec<(&'static str, u64)>) -> StatisticsGroup {
    let values = figures.into_iter();
    let values = values.map(|(name, value)| Statistic { name, value });
    StatisticsGroup {
        name,
        values: values.collect(),
    }
}

fn descriptors() -> StatisticsGroup {
    let Descriptors { limit, reserve } = Descriptors::raise();
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let values = [("limit", limit), ("reserve", reserve), ("open", open)];
    let values = values.map(|(name, value)| (name, value as u64));
    group("file descriptors", values.to_vec())
}
