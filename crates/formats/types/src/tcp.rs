//! A client over TCP/IP, as addresses.
//!
//! Doors learn them, and INQUIRE ASSOCIATION tells them. Values only: nothing here connects.

use core::net::{IpAddr, SocketAddr};

/// Who connected, and where to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TcpClient {
    /// The client's own address.
    pub client: SocketAddr,
    /// The address of the door it came to.
    pub server: SocketAddr,
}

impl TcpClient {
    /// An IPv4 address that a socket shows in IPv6 form counts as what it is.
    pub fn new(client: SocketAddr, server: SocketAddr) -> Self {
        let plain =
            |address: SocketAddr| SocketAddr::new(address.ip().to_canonical(), address.port());
        Self {
            client: plain(client),
            server: plain(server),
        }
    }
}

/// What of an address tells one client from another: who has one address of IPv6 has all of its
/// network.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & (u128::MAX << 64)).into()),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_address_is_an_ipv4_address() {
        let address = |text: &str| text.parse().unwrap();
        let client = TcpClient::new(
            address("[::ffff:192.0.2.7]:5000"),
            address("[2001:db8::1]:23"),
        );
        assert_eq!(client.client.to_string(), "192.0.2.7:5000");
        assert_eq!(client.server.to_string(), "[2001:db8::1]:23");
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let of = |text: &str| client_network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
