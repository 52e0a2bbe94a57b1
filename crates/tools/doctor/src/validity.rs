//! Until when the certificates of a PEM file are good.
//!
//! Not here: whether one can be trusted, which is for those who use it.

use x509_parser::pem::Pem;

/// As a PEM file has it before a certificate.
const LABEL: &str = "CERTIFICATE";
const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// When the first of them ends, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    At(i64),
    /// There is none.
    None,
    /// One cannot be read.
    Unknown,
}

pub(crate) fn ends(pem: &[u8]) -> End {
    let named = pem.windows(BEGIN.len()).filter(|part| *part == BEGIN);
    let parts = Pem::iter_from_buffer(pem).flatten();
    let ends: Vec<i64> = parts
        .filter(|part| part.label == LABEL)
        .map_while(|part| {
            let read = part.parse_x509().ok()?;
            Some(read.validity().not_after.timestamp())
        })
        .collect();
    match ends.iter().min() {
        _ if ends.len() != named.count() => End::Unknown,
        Some(first) => End::At(*first),
        None => End::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    fn until(year: i32) -> String {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().unwrap();
        params.self_signed(&key).unwrap().pem()
    }

    #[test]
    fn the_first_end_counts_and_damage_is_told() {
        let two = until(2030) + &until(2027);
        assert_eq!(ends(two.as_bytes()), End::At(1_798_761_600));
        // Years from 2050 on are written in another way.
        assert_eq!(ends(until(2051).as_bytes()), End::At(2_556_144_000));
        let key = KeyPair::generate().unwrap().serialize_pem();
        assert_eq!(ends(key.as_bytes()), End::None);
        assert_eq!(ends(b""), End::None);
        let cut = &two[..two.len() - 200];
        assert_eq!(ends(cut.as_bytes()), End::Unknown);
        let other = two.replacen("MII", "MIJ", 1);
        assert_eq!(ends(other.as_bytes()), End::Unknown);
    }
}
