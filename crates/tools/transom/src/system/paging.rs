//! Paging commands of the SIT, as a region takes them.

use transom_datastream::Aid;
use transom_region_server::PagingConfig;
use transom_settings::{PagingKeys, RegionSettings};

/// Paging commands: PGRET, PGPURGE, PGCHAIN, PGCOPY and SKRxxxx.
pub(crate) fn paging(sit: &RegionSettings) -> PagingConfig {
    let keys = PagingKeys::names().filter_map(|name| {
        let command = sit.skr.command(&name).trim();
        let aid = Aid::from_name(&name).filter(|_| !command.is_empty())?;
        Some((aid.0, command.to_owned()))
    });
    PagingConfig {
        retrieve: sit.pgret.clone(),
        purge: sit.pgpurge.clone(),
        chain: sit.pgchain.clone(),
        copy: sit.pgcopy.clone(),
        keys: keys.collect(),
        ..PagingConfig::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paging_keys_come_from_the_system_initialization() {
        let text = "[region]\nSKRPF8 = \"P/N\"\nPGPURGE = \"Q/\"\n";
        let paging = paging(&transom_settings::parse(text).0.region);
        assert_eq!(paging.keys, [(0xF8, "P/N".to_owned())]);
        assert_eq!(
            (paging.retrieve.as_str(), paging.purge.as_str()),
            ("P/", "Q/")
        );
    }
}
