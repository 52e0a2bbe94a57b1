//! The certificate a client of TLS showed, as far as it names somebody.
//!
//! What: its subject as text, and its fingerprint; whether an entry of a list of users means it.
//! Why as text: users are told apart by what an operator can write and `openssl` prints. Not here:
//! whether the certificate is one to believe (the door's TLS has decided that).

/// A certificate whose key the client has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCertificate {
    /// Subject as RFC 4514 writes it, the most specific name first: `CN=Alice,O=Bank,C=DE`.
    pub subject: String,
    /// The most specific common name of the subject.
    pub common_name: Option<String>,
    /// SHA-256 of the certificate.
    pub fingerprint: [u8; 32],
}

/// Object identifiers of parts of a name, as DER has them, and their names.
const PARTS: [(&[u8], &str); 11] = [
    (&[0x55, 4, 3], CN),
    (&[0x55, 4, 5], "serialNumber"),
    (&[0x55, 4, 6], "C"),
    (&[0x55, 4, 7], "L"),
    (&[0x55, 4, 8], "ST"),
    (&[0x55, 4, 9], "street"),
    (&[0x55, 4, 10], "O"),
    (&[0x55, 4, 11], "OU"),
    (
        &[0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 1],
        "UID",
    ),
    (
        &[0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 25],
        "DC",
    ),
    (
        &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1],
        "emailAddress",
    ),
];
const CN: &str = "CN";
/// In front of a fingerprint in a list of users.
const SHA256: &str = "sha256:";
/// Tags of DER.
const SET: u8 = 0x31;
const SEQUENCE: u8 = 0x30;
const OBJECT: u8 = 0x06;
const UTF8: u8 = 0x0C;
const BMP: u8 = 0x1E;

impl ClientCertificate {
    /// `subject`: what lies in the sequence of the subject, DER. A part that cannot be read leaves
    /// the subject empty: then only the fingerprint names it.
    pub fn new(subject: &[u8], fingerprint: [u8; 32]) -> Self {
        let parts = parts(subject).unwrap_or_default();
        let rdns: Vec<String> = parts
            .iter()
            .rev()
            .map(|rdn| {
                let parts = rdn
                    .iter()
                    .map(|(name, value)| format!("{name}={}", escaped(value)));
                parts.collect::<Vec<_>>().join("+")
            })
            .collect();
        let names = parts.iter().rev().flatten();
        let mut common = names
            .filter(|(name, _)| name == CN)
            .map(|(_, value)| value.clone());
        Self {
            subject: rdns.join(","),
            common_name: common.next(),
            fingerprint,
        }
    }

    /// The fingerprint in hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        self.fingerprint
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// An entry means this certificate: `sha256:` with its fingerprint, colons or not, or its
    /// subject.
    pub fn is_meant_by(&self, entry: &str) -> bool {
        let entry = entry.trim();
        match entry.get(..SHA256.len()) {
            Some(kind) if kind.eq_ignore_ascii_case(SHA256) => {
                let digits: String = entry[SHA256.len()..]
                    .chars()
                    .filter(|c| *c != ':')
                    .collect();
                digits.trim().eq_ignore_ascii_case(&self.fingerprint())
            }
            _ => !entry.is_empty() && entry == self.subject,
        }
    }

    /// Whether an entry can mean any certificate.
    pub fn is_entry(entry: &str) -> bool {
        let digits = |text: &str| {
            let text: String = text.chars().filter(|c| *c != ':').collect();
            text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit())
        };
        match entry.get(..SHA256.len()) {
            Some(kind) if kind.eq_ignore_ascii_case(SHA256) => digits(entry[SHA256.len()..].trim()),
            _ => entry.contains('='),
        }
    }
}

/// The parts of a name, outermost first; parts of one step belong together.
fn parts(mut name: &[u8]) -> Option<Vec<Vec<(String, String)>>> {
    let mut all = Vec::new();
    while !name.is_empty() {
        let mut set = take(&mut name, SET)?;
        let mut rdn = Vec::new();
        while !set.is_empty() {
            let mut part = take(&mut set, SEQUENCE)?;
            let object = take(&mut part, OBJECT)?;
            let tag = *part.first()?;
            let value = text(tag, take(&mut part, tag)?)?;
            let known = PARTS.iter().find(|(id, _)| *id == object);
            let name = known.map_or_else(|| dotted(object), |(_, name)| (*name).to_owned());
            rdn.push((name, value));
        }
        all.push(rdn);
    }
    Some(all)
}

/// The content of what comes next, if it has this tag.
fn take<'a>(from: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
    let (found, rest) = from.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match *first {
        short @ 0..=0x7F => (usize::from(short), rest),
        0x81 => (usize::from(*rest.first()?), rest.get(1..)?),
        0x82 => (
            usize::from(u16::from_be_bytes(rest.get(..2)?.try_into().ok()?)),
            rest.get(2..)?,
        ),
        _ => return None,
    };
    let (content, behind) = rest.split_at_checked(length)?;
    *from = behind;
    (*found == tag).then_some(content)
}

fn text(tag: u8, bytes: &[u8]) -> Option<String> {
    match tag {
        UTF8 => String::from_utf8(bytes.to_vec()).ok(),
        BMP => {
            let units = bytes.chunks(2).map(|pair| {
                let pair: Option<[u8; 2]> = pair.try_into().ok();
                pair.map(u16::from_be_bytes)
            });
            String::from_utf16(&units.collect::<Option<Vec<_>>>()?).ok()
        }
        // One byte a character; those beyond ASCII are Latin-1 in practice.
        _ => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// An object identifier with dots.
fn dotted(object: &[u8]) -> String {
    let mut numbers = Vec::new();
    let mut number = 0_u64;
    for byte in object {
        number = number.wrapping_shl(7) | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            numbers.push(number);
            number = 0;
        }
    }
    let first = numbers.first().copied().unwrap_or(0);
    let root = (first / 40).min(2);
    let mut shown = format!("{root}.{}", first - root * 40);
    for number in numbers.iter().skip(1) {
        shown.push('.');
        shown.push_str(&number.to_string());
    }
    shown
}

/// A value with what RFC 4514 wants escaped.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let last = value.chars().count().saturating_sub(1);
    for (at, c) in value.chars().enumerate() {
        let edge = (at == 0 && matches!(c, ' ' | '#')) || (at == last && c == ' ');
        if c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("\\{byte:02X}"));
            }
            continue;
        }
        if edge || matches!(c, '"' | '+' | ',' | ';' | '<' | '>' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn der(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, content.len() as u8], content].concat()
    }

    fn rdn(object: &[u8], tag: u8, value: &[u8]) -> Vec<u8> {
        let part = [der(OBJECT, object), der(tag, value)].concat();
        der(SET, &der(SEQUENCE, &part))
    }

    #[test]
    fn a_subject_is_written_with_its_most_specific_name_first() {
        let subject = [
            rdn(&[0x55, 4, 6], 0x13, b"DE"),
            rdn(&[0x55, 4, 10], UTF8, "Bank, Söhne".as_bytes()),
            rdn(&[0x2A, 3, 0x86, 0x48], 0x13, b"x"),
            rdn(&[0x55, 4, 3], BMP, &[0, b'A', 0, b'l']),
        ]
        .concat();
        let mut found = ClientCertificate::new(&subject, [0xAB; 32]);
        assert_eq!(found.subject, r"CN=Al,1.2.3.840=x,O=Bank\, Söhne,C=DE");
        assert_eq!(found.common_name.as_deref(), Some("Al"));
        assert!(found.is_meant_by(r"CN=Al,1.2.3.840=x,O=Bank\, Söhne,C=DE"));
        assert!(found.is_meant_by(&format!(
            "SHA256:{}",
            "AB:".repeat(32).trim_end_matches(':')
        )));
        assert!(!found.is_meant_by("CN=Al") && !found.is_meant_by("sha256:ab"));
        found.subject.clear();
        assert!(!found.is_meant_by(""), "nothing means nobody");
        for cut in 1..subject.len() {
            let cut = ClientCertificate::new(&subject[..cut], [0; 32]);
            assert!(cut.subject.len() < 40, "{cut:?}");
        }
    }

    #[test]
    fn entries_are_subjects_or_fingerprints() {
        let digest = format!("sha256:{}", "0f".repeat(32));
        for good in ["CN=Al", digest.as_str()] {
            assert!(ClientCertificate::is_entry(good), "{good}");
        }
        for bad in ["Al", "sha256:0f", "sha256:CN=x"] {
            assert!(!ClientCertificate::is_entry(bad), "{bad}");
        }
    }
}
