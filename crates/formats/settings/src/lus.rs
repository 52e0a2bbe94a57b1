//! Which LUs clients of a redirected host may have: `[hosts.NAME.lus]`.
//!
//! What: a client by its address or certificate on the left, LU names and ranges of them on the
//! right: `"10.1.0.0/16" = "PAY001-PAY020, PAYBOSS"`. Not here: which LU is free (the redirector).

use crate::networks::Network;
use crate::problem::Needed;
use core::net::IpAddr;
use transom_types::ClientCertificate;

/// Longest name of an LU.
const LU_MAX: usize = 8;
/// Most LUs of a line.
const LUS_MAX: u32 = 100_000;

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuRule {
    client: LuClient,
    lus: Vec<Range>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum LuClient {
    Network(Network),
    Certificate(String),
}

/// Names that differ in their last digits.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Range {
    begin: String,
    digits: usize,
    from: u32,
    to: u32,
}

impl LuRule {
    /// Reads a line.
    pub(crate) fn of(client: &str, lus: &str) -> Result<Self, Needed> {
        let certificate = || ClientCertificate::is_entry(client).then(|| client.trim().to_owned());
        let client = Network::parse(client.trim())
            .map(LuClient::Network)
            .or_else(|| certificate().map(LuClient::Certificate))
            .ok_or_else(|| {
                Needed("a network, or subject or sha256: of a certificate is needed".into())
            })?;
        let words = lus.split([',', ' ']).filter(|word| !word.is_empty());
        let ranges: Option<Vec<Range>> = words.map(Range::parse).collect();
        let lus = ranges.filter(|ranges| !ranges.is_empty()).ok_or_else(|| {
            Needed("LU names are needed, or ranges of them: \"PAY001-PAY020, BOSS\"".into())
        })?;
        let count = lus.iter().map(|range| range.to - range.from + 1);
        match count.fold(0, u32::saturating_add) {
            0..=LUS_MAX => Ok(Self { client, lus }),
            more => Err(Needed(format!("{more} LUs are more than {LUS_MAX}"))),
        }
    }

    /// It is about this client.
    pub fn is_for(&self, address: IpAddr, certificate: Option<&ClientCertificate>) -> bool {
        match &self.client {
            LuClient::Network(network) => network.covers(address),
            LuClient::Certificate(entry) => certificate.is_some_and(|c| c.is_meant_by(entry)),
        }
    }

    /// An LU is among them; upper case.
    pub fn has(&self, lu: &str) -> bool {
        self.lus.iter().any(|range| range.has(lu))
    }

    /// All of them, in order.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.lus.iter().flat_map(Range::names)
    }
}

impl Range {
    fn parse(word: &str) -> Option<Self> {
        let word = word.to_ascii_uppercase();
        let Some((first, last)) = word.split_once('-') else {
            return is_name(&word).then(|| Self::one(word));
        };
        let split = |name: &str| {
            let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let (begin, number) = name.split_at(name.len() - digits);
            Some((begin.to_owned(), digits, number.parse::<u32>().ok()?))
        };
        let ((begin, digits, from), (same, as_many, to)) = (split(first)?, split(last)?);
        let good = is_name(first) && begin == same && digits == as_many && from <= to;
        good.then_some(Self {
            begin,
            digits,
            from,
            to,
        })
    }

    fn one(name: String) -> Self {
        Self {
            begin: name,
            digits: 0,
            from: 0,
            to: 0,
        }
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let (begin, digits) = (&self.begin, self.digits);
        (self.from..=self.to).map(move |number| match digits {
            0 => begin.clone(),
            _ => format!("{begin}{number:0digits$}"),
        })
    }

    fn has(&self, lu: &str) -> bool {
        let Some(rest) = lu.strip_prefix(self.begin.as_str()) else {
            return false;
        };
        let digits = rest.len() == self.digits && rest.bytes().all(|b| b.is_ascii_digit());
        let within = |number: u32| (self.from..=self.to).contains(&number);
        digits && (self.digits == 0 || rest.parse().is_ok_and(within))
    }
}

fn is_name(text: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "@#$".contains(c);
    (1..=LU_MAX).contains(&text.len()) && text.chars().all(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_have_names_and_ranges() {
        let rule = LuRule::of("10.1.0.0/16", "pay008-PAY011, BOSS").unwrap();
        assert!(rule.is_for("10.1.2.3".parse().unwrap(), None));
        assert!(!rule.is_for("10.2.2.3".parse().unwrap(), None));
        let names: Vec<String> = rule.names().collect();
        assert_eq!(names, ["PAY008", "PAY009", "PAY010", "PAY011", "BOSS"]);
        for (lu, has) in [
            ("PAY008", true),
            ("PAY011", true),
            ("PAY012", false),
            ("PAY8", false),
            ("PAY0008", false),
            ("BOSS", true),
            ("BOSS1", false),
        ] {
            assert_eq!(rule.has(lu), has, "{lu}");
        }
        let rule = LuRule::of("CN=alice,O=Bank", "ALICE").unwrap();
        let certificate = |subject: &str| ClientCertificate {
            subject: subject.to_owned(),
            common_name: None,
            fingerprint: [0; 32],
        };
        let address = "10.1.2.3".parse().unwrap();
        assert!(rule.is_for(address, Some(&certificate("CN=alice,O=Bank"))));
        assert!(!rule.is_for(address, Some(&certificate("CN=bob,O=Bank"))));
        assert!(!rule.is_for(address, None));
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for (client, lus) in [
            ("10.1.0.0/33", "A"),
            ("alice", "A"),
            ("10.1.2.3", ""),
            ("10.1.2.3", "TOOLONGLU"),
            ("10.1.2.3", "PAY9-PAY10"),
            ("10.1.2.3", "PAY10-PAY09"),
            ("10.1.2.3", "A1-B2"),
            ("10.1.2.3", "A0000001-A9999999"),
            ("10.1.2.3", "A B\u{e9}"),
        ] {
            assert!(LuRule::of(client, lus).is_err(), "{client} {lus}");
        }
    }
}
