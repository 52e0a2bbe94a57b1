//! Components that make trace entries, by the two characters CICS gives them.
//!
//! Those of CICS that make no entries here are not in the table: SET TRACETYPE refuses them, so
//! that nobody waits for entries that never come.

use std::fmt;

/// A component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component(pub u8);

/// Their codes and what they are, in the order of [`Component`]s.
pub const COMPONENTS: &[(&str, &str)] = &[
    ("AP", "Application"),
    ("DS", "Dispatcher"),
    ("EI", "Exec interface"),
    ("FC", "File control"),
    ("IC", "Interval control"),
    ("IS", "Intersystem communication"),
    ("LG", "Log manager"),
    ("PG", "Program manager"),
    ("RI", "Resource manager interface"),
    ("RM", "Recovery manager"),
    ("SH", "Scheduler services"),
    ("TC", "Terminal control"),
    ("TD", "Transient data"),
    ("TS", "Temporary storage"),
    ("US", "User domain"),
    ("XM", "Transaction manager"),
];

impl Component {
    pub const AP: Self = Self(0);
    pub const DS: Self = Self(1);
    pub const EI: Self = Self(2);
    pub const FC: Self = Self(3);
    pub const IC: Self = Self(4);
    pub const IS: Self = Self(5);
    pub const LG: Self = Self(6);
    pub const PG: Self = Self(7);
    pub const RI: Self = Self(8);
    pub const RM: Self = Self(9);
    pub const SH: Self = Self(10);
    pub const TC: Self = Self(11);
    pub const TD: Self = Self(12);
    pub const TS: Self = Self(13);
    pub const US: Self = Self(14);
    pub const XM: Self = Self(15);

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COMPONENTS.len() as u8).map(Self)
    }

    /// By its code.
    pub fn of(code: &str) -> Option<Self> {
        Self::all().find(|known| known.code().eq_ignore_ascii_case(code.trim()))
    }

    /// Its two characters.
    pub fn code(self) -> &'static str {
        COMPONENTS
            .get(usize::from(self.0))
            .map_or("??", |row| row.0)
    }

    /// What it is.
    pub fn title(self) -> &'static str {
        COMPONENTS.get(usize::from(self.0)).map_or("", |row| row.1)
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_agree() {
        let named = [
            (Component::AP, "AP"),
            (Component::DS, "DS"),
            (Component::EI, "EI"),
            (Component::FC, "FC"),
            (Component::IC, "IC"),
            (Component::IS, "IS"),
            (Component::LG, "LG"),
            (Component::PG, "PG"),
            (Component::RI, "RI"),
            (Component::RM, "RM"),
            (Component::SH, "SH"),
            (Component::TC, "TC"),
            (Component::TD, "TD"),
            (Component::TS, "TS"),
            (Component::US, "US"),
            (Component::XM, "XM"),
        ];
        assert_eq!(named.len(), COMPONENTS.len());
        for (component, code) in named {
            assert_eq!(component.code(), code);
            assert_eq!(Component::of(&code.to_lowercase()), Some(component));
        }
        assert_eq!(Component::of("ZZ"), None);
    }
}
