//! Clients that may be signed on without a password: `OPER0001 192.0.2.7, OPER0002 10.1.0.0/16`.
//!
//! Why: a TERMINAL definition names a user for its LU, and anybody can ask for an LU by its name.
//! Not here: who asks (the region's terminals).

use crate::kind::Kind;
use crate::problem::Needed;
use crate::table::Entry;
use core::net::IpAddr;

/// Most entries.
const PLACES_MAX: usize = 10_000;

/// An LU and the addresses of its clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresetPlace {
    /// LU name, upper case.
    pub lu: String,
    /// First bits of the addresses.
    pub network: IpAddr,
    /// How many bits count.
    pub bits: u32,
}

impl PresetPlace {
    /// A client of this LU at this address is meant.
    pub fn covers(&self, lu: &str, address: IpAddr) -> bool {
        let (network, address) = (value(self.network), value(address.to_canonical()));
        let same_kind = network.1 == address.1;
        let shift = address.1 - self.bits.min(address.1);
        let begin = |value: u128| value.checked_shr(shift).unwrap_or(0);
        self.lu == lu && same_kind && begin(network.0) == begin(address.0)
    }
}

/// The address as a number, and its bits.
fn value(address: IpAddr) -> (u128, u32) {
    match address {
        IpAddr::V4(v4) => (u128::from(v4.to_bits()), 32),
        IpAddr::V6(v6) => (v6.to_bits(), 128),
    }
}

/// LU names with addresses or networks, separated by commas or as a TOML array.
pub(crate) struct PresetPlaces;

impl Kind for PresetPlaces {
    type Value = Vec<PresetPlace>;

    fn check(&self, text: &str) -> Result<Self::Value, Needed> {
        let entries = text.split(',').map(str::trim).filter(|e| !e.is_empty());
        let places: Option<Vec<PresetPlace>> = entries.map(place).collect();
        places
            .filter(|places| places.len() <= PLACES_MAX)
            .ok_or_else(|| {
                Needed("LU names with addresses are needed: \"OPER0001 10.1.2.3\"".into())
            })
    }

    fn values(&self) -> String {
        "LU address[/bits],...".to_owned()
    }
}

fn place(entry: &str) -> Option<PresetPlace> {
    let (lu, address) = entry.split_once(char::is_whitespace)?;
    let (address, bits) = match address.trim().split_once('/') {
        Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
        None => (address.trim(), None),
    };
    let network: IpAddr = address.parse().ok()?;
    let all = value(network).1;
    let bits = bits.unwrap_or(all);
    let good = !lu.is_empty() && lu.len() <= 8 && bits <= all;
    good.then(|| PresetPlace {
        lu: lu.to_ascii_uppercase(),
        network,
        bits,
    })
}

impl Entry for PresetPlace {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_lu_belongs_to_addresses() {
        let places = PresetPlaces
            .check("oper0001 192.0.2.7, OPER0002 10.1.0.0/16,B 2001:db8::/32, C 0.0.0.0/0")
            .unwrap();
        let covers = |lu: &str, address: &str| {
            let address = address.parse().unwrap();
            places.iter().any(|place| place.covers(lu, address))
        };
        assert!(covers("OPER0001", "192.0.2.7") && !covers("OPER0001", "192.0.2.8"));
        assert!(covers("OPER0001", "::ffff:192.0.2.7") && !covers("OPER0002", "192.0.2.7"));
        assert!(covers("OPER0002", "10.1.255.1") && !covers("OPER0002", "10.2.0.1"));
        assert!(covers("B", "2001:db8::5") && !covers("B", "10.1.0.1"));
        assert!(covers("C", "203.0.113.9") && !covers("C", "2001:db8::5"));
        for wrong in ["OPER0001", "OPER00012 10.0.0.1", "A 10.0.0.1/33", "A host"] {
            assert!(PresetPlaces.check(wrong).is_err(), "{wrong}");
        }
    }
}
