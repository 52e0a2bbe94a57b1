//! Networks of clients: `10.1.0.0/16, 192.0.2.7, 2001:db8::/32`.
//!
//! Not here: what becomes of a client that is in one (the door that asks).

use crate::kind::Kind;
use crate::problem::Needed;
use crate::table::Entry;
use core::fmt;
use core::net::IpAddr;

/// Most entries of a list.
const NETWORKS_MAX: usize = 10_000;

/// Addresses that begin alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// The address is in it. An IPv4 address that is written as IPv6 is the IPv4 address.
    pub fn covers(&self, address: IpAddr) -> bool {
        let (network, address) = (number(self.address), number(address.to_canonical()));
        let shift = address.1 - self.bits.min(address.1);
        let begin = |number: u128| number.checked_shr(shift).unwrap_or(0);
        network.1 == address.1 && begin(network.0) == begin(address.0)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let all = number(address).1;
        let bits = bits.unwrap_or(all);
        (bits <= all).then_some(Self { address, bits })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

/// The address as a number, and its bits.
fn number(address: IpAddr) -> (u128, u32) {
    match address {
        IpAddr::V4(v4) => (u128::from(v4.to_bits()), 32),
        IpAddr::V6(v6) => (v6.to_bits(), 128),
    }
}

/// Addresses and networks, separated by commas or as a TOML array.
pub(crate) struct Networks;

impl Kind for Networks {
    type Value = Vec<Network>;

    fn check(&self, text: &str) -> Result<Self::Value, Needed> {
        let entries = text.split(',').map(str::trim).filter(|e| !e.is_empty());
        let networks: Option<Vec<Network>> = entries.map(Network::parse).collect();
        networks
            .filter(|networks| networks.len() <= NETWORKS_MAX)
            .ok_or_else(|| Needed("addresses or networks are needed: \"10.1.0.0/16\"".into()))
    }

    fn values(&self) -> String {
        "address[/bits],...".to_owned()
    }
}

impl Entry for Network {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_a_network_of_its_kind() {
        let list = Networks.check("10.1.0.0/16, 192.0.2.7,2001:db8::/32");
        let list = list.unwrap();
        let covered = |address: &str| {
            let address = address.parse().unwrap();
            list.iter().any(|network| network.covers(address))
        };
        for inside in ["10.1.255.1", "192.0.2.7", "::ffff:192.0.2.7", "2001:db8::5"] {
            assert!(covered(inside), "{inside}");
        }
        for outside in ["10.2.0.1", "192.0.2.8", "2001:db9::5"] {
            assert!(!covered(outside), "{outside}");
        }
        let all = Networks.check("0.0.0.0/0").unwrap();
        assert!(all[0].covers("203.0.113.9".parse().unwrap()));
        assert!(!all[0].covers("2001:db8::5".parse().unwrap()));
        for wrong in ["host", "10.0.0.1/33", "10.0.0/8"] {
            assert!(Networks.check(wrong).is_err(), "{wrong}");
        }
    }
}
