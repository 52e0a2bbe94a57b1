//! Names of terminals nobody defined.
//!
//! Rule (as IBM's autoinstall program does it): the last four characters of the LU name; when there
//! is none, or that name is taken, a generated one.

use transom_types::TermId;

const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Generated names: a letter and three digits of base 36.
const GENERATED: u32 = 26 * 36 * 36 * 36;

/// Makes names; each is tried once before the first is used again.
#[derive(Default)]
pub(super) struct Generator {
    next: u32,
}

impl Generator {
    /// A free name; `None`: there is none.
    pub(super) fn name(
        &mut self,
        netname: Option<&str>,
        taken: impl Fn(&TermId) -> bool,
    ) -> Option<TermId> {
        let own = netname.and_then(of_netname).filter(|name| !taken(name));
        if own.is_some() {
            return own;
        }
        for _ in 0..GENERATED {
            let name = generated(self.next);
            self.next = (self.next + 1) % GENERATED;
            if !taken(&name) {
                return Some(name);
            }
        }
        None
    }
}

/// The last four characters, where they are a name.
fn of_netname(netname: &str) -> Option<TermId> {
    let bytes = netname.as_bytes();
    let tail = bytes.get(bytes.len().saturating_sub(4)..)?;
    let good =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"$@#".contains(byte);
    (!tail.is_empty() && tail.iter().all(good)).then(|| TermId::from_field(tail))
}

/// T000 to TZZZ, then U000 and so on.
fn generated(number: u32) -> TermId {
    let digit = |n: u32| DIGITS.get((n % 36) as usize).copied().unwrap_or(b'0');
    let letter = b'A' + ((number / (36 * 36 * 36) + 19) % 26) as u8;
    TermId::from_field(&[
        letter,
        digit(number / 1296),
        digit(number / 36),
        digit(number),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lu_name_gives_the_name_while_it_is_free() {
        let mut names = Generator::default();
        let name = |names: &mut Generator, lu: Option<&str>, taken: &[&str]| {
            let taken = |name: &TermId| taken.contains(&name.as_str());
            names.name(lu, taken).map(|name| name.as_str().to_owned())
        };
        assert_eq!(
            name(&mut names, Some("LUACB012"), &[]).as_deref(),
            Some("B012")
        );
        assert_eq!(name(&mut names, Some("LU1"), &[]).as_deref(), Some("LU1"));
        assert_eq!(
            name(&mut names, Some("LUACB012"), &["B012"]).as_deref(),
            Some("T000")
        );
        assert_eq!(name(&mut names, None, &["T001"]).as_deref(), Some("T002"));
        assert_eq!(generated(36 * 36 * 36).as_str(), "U000");
    }
}
