//! The map a command names, and what is sent in one.

use super::mapsets::Found;
use crate::command::{Cx, Fail};
use transom_bms::{PhysicalMap, SendOptions};
use transom_commands::opt;

/// A map with what is sent in it.
pub(super) struct Sent<'a> {
    pub map: &'a PhysicalMap,
    pub data: Option<&'a [u8]>,
    pub options: SendOptions,
    /// Lines of the longest trailer of the mapset.
    pub trailer_rows: u16,
}

/// The map a command names. MAPSET defaults to the map's name.
pub(super) fn find(cx: &mut Cx<'_>) -> Result<Found, Fail> {
    let suffix = cx.task.terminal.get().and_then(|terminal| {
        let suffix = terminal.facts.suffix;
        (terminal.alternate && suffix != 0).then_some(char::from(suffix))
    });
    find_for(cx, suffix)
}

/// The same, with the suffix of a device.
pub(super) fn find_for(cx: &mut Cx<'_>, suffix: Option<char>) -> Result<Found, Fail> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).trim_end().to_uppercase();
    let map = cx
        .name::<7>(opt::MAP)
        .map(|name| text(&name))
        .unwrap_or_default();
    let mapset = cx.name::<8>(opt::MAPSET).map(|name| text(&name));
    let mapset = mapset.unwrap_or_else(|| map.clone());
    let dir = cx.region.facts.map_dir.clone();
    cx.region.caches.mapsets.find(&dir, &mapset, &map, suffix)
}
