//! Data set names and patterns of them.

use std::fmt;

/// Longest data set name.
pub const MAX_NAME: usize = 44;

/// Checks a data set name: qualifiers of up to eight characters with dots between. The error says
/// what is wrong.
pub fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("is empty".to_owned());
    }
    if name.len() > MAX_NAME {
        return Err(format!(
            "has {} characters, {MAX_NAME} are allowed",
            name.len()
        ));
    }
    for part in name.split('.') {
        check_qualifier(part)?;
    }
    Ok(())
}

fn check_qualifier(part: &str) -> Result<(), String> {
    let mut chars = part.chars();
    let Some(first) = chars.next() else {
        return Err("has an empty qualifier".to_owned());
    };
    if part.chars().count() > 8 {
        return Err(format!(
            "has the qualifier {part} of more than 8 characters"
        ));
    }
    let national = |c: char| matches!(c, '#' | '@' | '$');
    if !(first.is_ascii_alphabetic() || national(first)) {
        return Err(format!(
            "has the qualifier {part}, which does not begin with a letter"
        ));
    }
    match chars.find(|c| !(c.is_ascii_alphanumeric() || national(*c) || *c == '-')) {
        Some(bad) => Err(format!("has the character {bad}")),
        None => Ok(()),
    }
}

/// A name in which `*` stands for one qualifier, or for its end; `LEVEL` takes everything below a
/// name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// As written, upper case.
    pub text: String,
    /// Names below `text` are meant too.
    pub level: bool,
    /// `**` is any number of qualifiers, `%` one character, and a qualifier may have several `*`.
    pub mask: bool,
}

impl Pattern {
    pub(crate) fn new(text: &str, level: bool) -> Result<Self, String> {
        let plain = text.replace('*', "A");
        check_name(&plain)?;
        if text.split('.').any(|part| part.matches('*').count() > 1) {
            return Err("has more than one * in a qualifier".to_owned());
        }
        Ok(Self {
            text: text.to_owned(),
            level,
            mask: false,
        })
    }

    /// As MASK of DELETE has it.
    pub(crate) fn masked(text: &str) -> Result<Self, String> {
        check_name(&text.replace("**", "A").replace(['*', '%'], "A"))?;
        Ok(Self {
            text: text.to_owned(),
            level: false,
            mask: true,
        })
    }

    /// How many `*` it has.
    pub fn stars(&self) -> usize {
        self.text.matches('*').count()
    }

    /// The name that one it matches gets by a pattern with as many `*`: what stood for each goes to
    /// its place.
    pub fn rename(&self, name: &str, new: &Pattern) -> Option<String> {
        if !self.matches(name) {
            return None;
        }
        let parts = self.text.split('.').zip(name.split('.'));
        let mut inside = parts.filter_map(|(part, given)| {
            let (head, tail) = part.split_once('*')?;
            given.get(head.len()..given.len().checked_sub(tail.len())?)
        });
        let mut out = String::new();
        for c in new.text.chars() {
            match c {
                '*' => out.push_str(inside.next()?),
                other => out.push(other),
            }
        }
        check_name(&out).ok().map(|()| out)
    }

    /// Whether more than one entry can be meant.
    pub fn is_generic(&self) -> bool {
        self.level || self.text.contains(['*', '%'])
    }

    /// Whether a name (upper case) is meant.
    pub fn matches(&self, name: &str) -> bool {
        if self.mask {
            let fits = |part: &str, given: &str| wild(part.chars(), given.chars(), '*', like);
            return wild(self.text.split('.'), name.split('.'), "**", fits);
        }
        let mut names = name.split('.');
        for part in self.text.split('.') {
            let Some(given) = names.next() else {
                return false;
            };
            let fits = match part.split_once('*') {
                None => part == given,
                Some((head, tail)) => {
                    given.len() >= head.len() + tail.len()
                        && given.starts_with(head)
                        && given.ends_with(tail)
                }
            };
            if !fits {
                return false;
            }
        }
        let rest = names.count();
        if self.level { rest > 0 } else { rest == 0 }
    }
}

fn like(pattern: char, given: char) -> bool {
    pattern == '%' || pattern == given
}

/// Whether what is given fits a pattern in which `any` stands for any number of items.
fn wild<T: PartialEq + Copy>(
    pattern: impl Iterator<Item = T>,
    given: impl Iterator<Item = T>,
    any: T,
    fits: impl Fn(T, T) -> bool,
) -> bool {
    let given: Vec<T> = given.collect();
    // Whether the pattern so far fits the first n items.
    let mut row = vec![false; given.len() + 1];
    if let Some(first) = row.first_mut() {
        *first = true;
    }
    for part in pattern {
        let mut before = false;
        for (place, reached) in row.iter_mut().enumerate() {
            let old = *reached;
            let item = place.checked_sub(1).and_then(|i| given.get(i));
            *reached = match part == any {
                true => old || before,
                false => before && item.is_some_and(|item| fits(part, *item)),
            };
            before = if part == any { *reached } else { old };
        }
    }
    row.last().copied().unwrap_or(false)
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_dots_between_qualifiers() {
        assert_eq!(check_name("AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS"), Ok(()));
        assert_eq!(
            check_name("A.TOOLONGNAME"),
            Err("has the qualifier TOOLONGNAME of more than 8 characters".into())
        );
        assert_eq!(check_name("A..B"), Err("has an empty qualifier".into()));
        assert_eq!(
            check_name("A.1B"),
            Err("has the qualifier 1B, which does not begin with a letter".into())
        );
    }

    #[test]
    fn what_a_star_stands_for_goes_to_the_new_name() {
        let pattern = |text| Pattern::new(text, false).unwrap();
        let rename = |old, name, new| pattern(old).rename(name, &pattern(new));
        assert_eq!(
            rename("A.K.*", "A.K.DATA", "B.T.*").as_deref(),
            Some("B.T.DATA")
        );
        assert_eq!(
            rename("A.*.K*", "A.X.KSDS", "*.*").as_deref(),
            Some("X.SDS")
        );
        assert_eq!(rename("A.K", "A.K", "A.N").as_deref(), Some("A.N"));
        assert_eq!(rename("A.K.*", "A.K", "B.*"), None);
        assert_eq!(rename("A.*", "A.ABCDEFGH", "LONGNAM*"), None);
    }

    #[test]
    fn a_mask_has_more_wild_cards() {
        for (mask, name, expected) in [
            ("A.**", "A.B.C", true),
            ("A.**", "A", true),
            ("**.C", "A.B.C", true),
            ("A.**.C", "A.B.X.C", true),
            ("A.**.C", "A.B.X", false),
            ("A.*", "A.B.C", false),
            ("A.*B*", "A.XBY", true),
            ("A.B%", "A.BX", true),
            ("A.B%", "A.B", false),
            ("%.%%", "A.BC", true),
        ] {
            assert_eq!(
                Pattern::masked(mask).unwrap().matches(name),
                expected,
                "{mask} {name}"
            );
        }
    }

    #[test]
    fn a_star_is_one_qualifier_and_a_level_everything_below() {
        let generic = Pattern::new("AWS.*.KSDS", false).unwrap();
        assert!(generic.matches("AWS.CARD.KSDS") && !generic.matches("AWS.A.B.KSDS"));
        let level = Pattern::new("AWS.M2", true).unwrap();
        assert!(
            level.matches("AWS.M2.CARD.KSDS")
                && !level.matches("AWS.M2")
                && !level.matches("AWS.M20.X")
        );
    }
}
