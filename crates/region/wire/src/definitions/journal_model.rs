//! JOURNALMODEL definitions: where the records of a journal go.
//!
//! Not here: journals and their files (`region/server/file_control::journal`), deck syntax
//! (`transom_csd`).

use super::not_usable::NotUsable;
use super::{Installed, JournalKind, JournalModel};
use crate::pattern;
use crate::shared::{Shared, Space};
use transom_csd::Definition;

/// File of the journals of TYPE(SMF).
const SMF_FILE: &str = "SMF";
/// STREAMNAME of a model that says none.
const STREAM: &str = "&USERID..&APPLID..&JNAME.";

impl JournalModel {
    /// The model of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let mut model = Self::of_attributes(definition);
        if model.journal.is_empty() {
            model.journal.clone_from(&definition.name);
        }
        if model.stream.is_empty() && model.kind == JournalKind::Mvs {
            model.stream = STREAM.to_owned();
        }
        Ok(Some(model))
    }

    /// All models, by their names.
    pub fn all(shared: &dyn Shared) -> Vec<Self> {
        let mut names = shared.group_names(Space::JournalModel);
        names.sort();
        let found = names.iter().filter_map(|name| Self::named(shared, name));
        found.collect()
    }

    /// Its place among models: by JOURNALNAME, what leaves a character open behind all characters.
    pub fn order(&self) -> Vec<u8> {
        let open = |byte| match byte {
            b'%' | b'+' => 0xFE,
            b'*' => 0xFF,
            byte => byte,
        };
        self.journal.bytes().map(open).collect()
    }

    /// JOURNALNAME as a pattern.
    fn pattern(&self) -> String {
        self.journal.replace('%', "+")
    }

    /// The model of a journal: the one whose JOURNALNAME leaves the least open.
    pub fn of<'a>(models: &'a [Self], journal: &str) -> Option<&'a Self> {
        let fitting = models
            .iter()
            .filter(|model| pattern::matches(model.pattern().as_bytes(), journal.as_bytes()));
        let fixed = |model: &&Self| {
            let pattern = model.pattern();
            let letters = pattern.chars().filter(|c| !"*+".contains(*c)).count();
            (!pattern::is_generic(&pattern), letters)
        };
        fitting.max_by_key(fixed)
    }

    /// Name of the journal's file: several journals share one when STREAMNAME has no &JNAME.
    pub fn file(&self, journal: &str) -> String {
        if self.kind == JournalKind::Smf {
            return SMF_FILE.to_owned();
        }
        if self.stream.is_empty() || self.stream.contains("&JNAME") {
            return journal.to_owned();
        }
        // The symbols that are left are the same for all journals of a region.
        let parts = self.stream.split('.');
        let parts = parts.filter(|part| !part.is_empty() && !part.starts_with('&'));
        let plain = |c: &char| c.is_ascii_alphanumeric() || "@#$.".contains(*c);
        let name: String = parts
            .collect::<Vec<_>>()
            .join(".")
            .chars()
            .filter(plain)
            .collect();
        match name.is_empty() {
            true => journal.to_owned(),
            false => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_model_counts_and_streams_are_shared() {
        let mut csd = transom_csd::Csd::new();
        let problems = csd.parse_deck(
            "TEST",
            "DEFINE JOURNALMODEL(U8) GROUP(L) JOURNALNAME(DFHJ08) TYPE(SMF)\n\
             DEFINE JOURNALMODEL(U9) GROUP(L) JOURNALNAME(DFHJ09) TYPE(DUMMY)\n\
             DEFINE JOURNALMODEL(U1) GROUP(L) JOURNALNAME(DFHJ1%)\n\
             STREAMNAME(&USERID..MERGED.USRJRNLS)\n\
             DEFINE JOURNALMODEL(OTHERS) GROUP(L) JOURNALNAME(*)\n\
             STREAMNAME(&USERID..&APPLID..&JNAME.)\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        let all = csd.install_all();
        let models: Vec<_> = all
            .iter()
            .filter_map(|found| JournalModel::from_definition(found).unwrap())
            .collect();
        for (journal, kind, file) in [
            ("DFHJ08", JournalKind::Smf, "SMF"),
            ("DFHJ09", JournalKind::Dummy, "DFHJ09"),
            ("DFHJ12", JournalKind::Mvs, "MERGED.USRJRNLS"),
            ("AUDIT", JournalKind::Mvs, "AUDIT"),
        ] {
            let model = JournalModel::of(&models, journal).unwrap();
            assert_eq!((model.kind, &model.file(journal)[..]), (kind, file));
        }
        assert_eq!(JournalModel::of(&models[..1], "AUDIT"), None);
    }

    #[test]
    fn what_a_definition_leaves_out() {
        let mut csd = transom_csd::Csd::new();
        let problems = csd.parse_deck("TEST", "DEFINE JOURNALMODEL(AUDIT) GROUP(L)");
        assert!(problems.is_empty(), "{problems:?}");
        let all = csd.install_all();
        let model = JournalModel::from_definition(&all[0]).unwrap().unwrap();
        assert_eq!(model.journal, "AUDIT");
        assert_eq!(model.stream, "&USERID..&APPLID..&JNAME.");
        assert_eq!(model.file("AUDIT"), "AUDIT");
    }
}
