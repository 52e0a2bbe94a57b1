//! A field as a file of records knows it.
//!
//! Not here: the fields of this release (`tables::fields`).

use transom_language::language;

language! {
    /// A field of the records of a file.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Known {
        /// DFHTASK, DFHFILE ...; of a field that users define its entry name.
        pub group: String,
        /// Its number in the group.
        pub number: u16,
        /// Its informal name.
        pub name: String,
        /// A count, S clock, T stamp, P packed, C characters.
        pub letter: u8,
        /// Bytes of the field in SMF.
        pub bytes: u8,
    }
}

impl Known {
    /// The name of a field that users define: `USER.A002`.
    pub fn user_name(&self) -> String {
        let letter = char::from(self.letter);
        format!("{}.{letter}{:03}", self.group.trim_end(), self.number)
    }
}
