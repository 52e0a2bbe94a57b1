//! Installed IPCONN and TCPIPSERVICE definitions: links to regions over TCP.
//!
//! What: what can be kept of them, and the addresses they mean. Why rules about TLS here: a
//! definition that would let a stranger start tasks is never installed. Not here: links themselves
//! (`region/links`), deck syntax.

use super::not_usable::NotUsable;
use super::{Installed, IpConnEntry, IpConnUser, ServiceTls, TcpipServiceEntry};
use crate::shared::{Shared, Space};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use transom_csd::Definition;
use transom_types::{Applid, SysId};

/// What stands for all addresses of the machine; here it is the one nobody else reaches.
const ANY: &str = "ANY";

impl IpConnEntry {
    /// The connection of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let entry = Self::of_attributes(definition);
        let value = |name: &str| definition.get(name).unwrap_or_default();
        if entry.name[4..] != *b"    " {
            return Err(NotUsable::LongName);
        }
        if entry.user == IpConnUser::Verify {
            return Err(NotUsable::UserAuth);
        }
        if entry.by_certificate {
            return Err(NotUsable::LinkAuth);
        }
        if !matches!(value("IDPROP"), "" | "NOTALLOWED") || value("HA") == "YES" {
            return Err(NotUsable::OnlyOnZos);
        }
        if !value("CIPHERS").is_empty() {
            return Err(NotUsable::Ciphers);
        }
        if !entry.tls && !is_of_this_machine(&entry.host) {
            return Err(NotUsable::NoTls);
        }
        if entry.tls && !is_name(entry.applid()) {
            return Err(NotUsable::NoDnsName);
        }
        Ok(Some(entry))
    }

    /// APPLID of the other region: APPLID, else the name.
    pub fn applid(&self) -> Applid {
        match self.applid == [b' '; 8] {
            true => Applid::from_field(&self.name),
            false => Applid::from_field(&self.applid),
        }
    }

    /// The name by which REMOTESYSTEM and SYSID mean it.
    pub fn system(&self) -> SysId {
        SysId::from_field(&self.name[..4])
    }

    /// The installed one of this name.
    pub fn to(shared: &dyn Shared, system: SysId) -> Option<Self> {
        let mut name = [b' '; 8];
        name[..4].copy_from_slice(system.as_bytes());
        Self::named(shared, &name)
    }

    /// All of them.
    pub fn all(shared: &dyn Shared) -> Vec<Self> {
        let names = shared.group_names(Space::IpConn);
        let found = names.iter().filter_map(|name| Self::named(shared, name));
        found.collect()
    }
}

impl TcpipServiceEntry {
    /// The service of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let entry = Self::of_attributes(definition);
        let value = |name: &str| definition.get(name).unwrap_or_default();
        if !entry.ipic {
            return Err(NotUsable::Protocol);
        }
        if entry.port == 0 {
            return Err(NotUsable::NoPort);
        }
        if !value("CIPHERS").is_empty() {
            return Err(NotUsable::Ciphers);
        }
        match entry.tls {
            ServiceTls::ClientAuth => {}
            // Whoever comes must show who it is.
            ServiceTls::Yes | ServiceTls::Attls => return Err(NotUsable::NoClientAuth),
            ServiceTls::No if !is_of_this_machine(entry.place()) => {
                return Err(NotUsable::NoClientAuth);
            }
            ServiceTls::No => {}
        }
        Ok(Some(entry))
    }

    /// Where it listens; `None`: HOST is no address.
    pub fn listens_at(&self) -> Option<SocketAddr> {
        let address = match self.place() {
            "" | ANY => IpAddr::V4(Ipv4Addr::LOCALHOST),
            "localhost" | "LOCALHOST" => IpAddr::V4(Ipv4Addr::LOCALHOST),
            text => text.parse().ok()?,
        };
        Some(SocketAddr::new(address, self.port))
    }

    /// HOST; the older attribute counts where HOST says nothing.
    fn place(&self) -> &str {
        match (self.host.trim(), self.address.trim()) {
            ("" | ANY, address) => address,
            (host, _) => host,
        }
    }

    /// All of them.
    pub fn all(shared: &dyn Shared) -> Vec<Self> {
        let names = shared.group_names(Space::TcpipService);
        let found = names.iter().filter_map(|name| Self::named(shared, name));
        found.collect()
    }
}

/// Bytes to this host leave no machine.
fn is_of_this_machine(host: &str) -> bool {
    let host = host.trim();
    let named = host.is_empty() || host == ANY || host.eq_ignore_ascii_case("localhost");
    named
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

/// A certificate can have the APPLID as DNS name.
fn is_name(applid: Applid) -> bool {
    let text = applid.as_str();
    let letters = text.chars().all(|c| c.is_ascii_alphanumeric());
    letters && text.starts_with(|c: char| c.is_ascii_alphabetic())
}
