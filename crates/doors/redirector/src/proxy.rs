//! PROXY protocol, version 2: whose connection it is.
//!
//! What: the header in front of a connection, read from balancers that are trusted, and written for
//! hosts that want to know the client. Why only version 2: it has a length, so that nothing behind
//! it is read. Not here: who is trusted (`plan`).

use std::io;
use std::net::{IpAddr, SocketAddr};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// How a header begins.
pub(crate) const SIGNATURE: &[u8; 12] = b"\r\n\r\n\0\r\nQUIT\n";
/// How one of version 1 begins.
pub(crate) const SIGNATURE_1: &[u8; 6] = b"PROXY ";
/// Most bytes behind the length.
const REST_MAX: usize = 2_048;
/// Version 2, PROXY.
const PROXY: u8 = 0x21;
/// Version 2, LOCAL: nobody's connection.
const LOCAL: u8 = 0x20;
const TCP4: u8 = 0x11;
const TCP6: u8 = 0x21;

/// Reads a header; `None`: the balancer itself connects, to see whether somebody is here.
pub(crate) async fn read(socket: &mut TcpStream) -> io::Result<Option<SocketAddr>> {
    let bad = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let mut head = [0; 16];
    socket.read_exact(&mut head).await?;
    if &head[..12] != SIGNATURE {
        return Err(bad("it sends no header of PROXY protocol 2"));
    }
    let length = usize::from(u16::from_be_bytes([head[14], head[15]]));
    if length > REST_MAX {
        return Err(bad("its PROXY header is too long"));
    }
    let mut rest = vec![0; length];
    socket.read_exact(&mut rest).await?;
    match head[12] {
        LOCAL => Ok(None),
        PROXY => client(head[13], &rest)
            .map(Some)
            .ok_or_else(|| bad("its PROXY header names no TCP address")),
        _ => Err(bad("its PROXY header is of another version")),
    }
}

fn client(family: u8, rest: &[u8]) -> Option<SocketAddr> {
    let (address, port): (IpAddr, &[u8]) = match family {
        TCP4 => (
            <[u8; 4]>::try_from(rest.get(..4)?).ok()?.into(),
            rest.get(8..10)?,
        ),
        TCP6 => (
            <[u8; 16]>::try_from(rest.get(..16)?).ok()?.into(),
            rest.get(32..34)?,
        ),
        _ => return None,
    };
    let port = u16::from_be_bytes(port.try_into().ok()?);
    Some(SocketAddr::new(address.to_canonical(), port))
}

/// The header of a client's connection to an address of ours.
pub(crate) fn header(client: SocketAddr, local: SocketAddr) -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    let (from, to) = (client.ip().to_canonical(), local.ip().to_canonical());
    let addresses = match (from, to) {
        (IpAddr::V4(from), IpAddr::V4(to)) => {
            bytes.extend([PROXY, TCP4]);
            [from.octets(), to.octets()].concat()
        }
        (from, to) => {
            bytes.extend([PROXY, TCP6]);
            [six(from), six(to)].concat()
        }
    };
    let length = u16::try_from(addresses.len() + 4).unwrap_or(0);
    bytes.extend(length.to_be_bytes());
    bytes.extend(addresses);
    bytes.extend(client.port().to_be_bytes());
    bytes.extend(local.port().to_be_bytes());
    bytes
}

/// The header of a connection of our own.
pub(crate) fn own_header() -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    bytes.extend([LOCAL, 0, 0, 0]);
    bytes
}

fn six(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(four) => four.to_ipv6_mapped().octets(),
        IpAddr::V6(six) => six.octets(),
    }
}

/// The first bytes of a client, as far as they came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// They may become a header.
    Unknown,
    /// They are one.
    Header,
    /// They are something else.
    Other,
}

/// Whether a client pretends to be a balancer.
pub(crate) fn first(bytes: &[u8]) -> First {
    for signature in [&SIGNATURE[..], &SIGNATURE_1[..]] {
        let count = bytes.len().min(signature.len());
        if bytes[..count] == signature[..count] {
            return match count == signature.len() {
                true => First::Header,
                false => First::Unknown,
            };
        }
    }
    First::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_names_both_ends() {
        let text = |from: &str, to: &str| header(from.parse().unwrap(), to.parse().unwrap());
        let four = text("192.0.2.7:1025", "10.0.0.1:5023");
        assert_eq!(four[..12], SIGNATURE[..]);
        assert_eq!(four[12..16], [0x21, 0x11, 0, 12]);
        assert_eq!(four[16..], [192, 0, 2, 7, 10, 0, 0, 1, 4, 1, 0x13, 0x9F]);
        assert_eq!(
            client(four[13], &four[16..]),
            Some("192.0.2.7:1025".parse().unwrap())
        );
        let mixed = text("[2001:db8::7]:1025", "10.0.0.1:5023");
        assert_eq!((mixed[13], mixed.len()), (TCP6, 16 + 36));
        assert_eq!(
            client(TCP6, &mixed[16..]),
            Some("[2001:db8::7]:1025".parse().unwrap())
        );
        assert_eq!(client(0, &[]), None);
        assert_eq!(client(TCP4, &four[16..20]), None);
    }

    #[test]
    fn who_pretends_is_found() {
        assert_eq!(first(b"\r\n\r\n\0\r\nQUIT\n\x21"), First::Header);
        assert_eq!(first(b"PROXY TCP4 "), First::Header);
        for part in [&b""[..], b"\r", b"PRO"] {
            assert_eq!(first(part), First::Unknown);
        }
        for other in [&b"\r\nlogon"[..], &[0xFF, 0xFB, 0x18], b"PRINT"] {
            assert_eq!(first(other), First::Other);
        }
    }
}
