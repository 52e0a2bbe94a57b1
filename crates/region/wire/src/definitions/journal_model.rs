//! JOURNALMODEL definitions: where the records of a journal go.
//!
//! Not here: journals and their files (`region/server/file_control::journal`), deck syntax
//! (`transom_csd`).

use super::not_usable::NotUsable;
use super::{JournalKind, JournalModel};
use crate::pattern;
use transom_csd::Definition;

/// File of the journals of TYPE(SMF).
const SMF_FILE: &str = "SMF";

impl JournalModel {
    /// The model of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let mut model = Self::of_attributes(definition);
        if model.journal.is_empty() {
            model.journal.clone_from(&definition.name);
        }
        model.journal = model.journal.replace('%', "+");
        Ok(Some(model))
    }

    /// The model of a journal: the one whose JOURNALNAME leaves the least open.
    pub fn of<'a>(models: &'a [Self], journal: &str) -> Option<&'a Self> {
        let fitting = models
            .iter()
            .filter(|model| pattern::matches(model.journal.as_bytes(), journal.as_bytes()));
        let fixed = |model: &&Self| {
            let letters = model.journal.chars().filter(|c| !"*+".contains(*c)).count();
            (!pattern::is_generic(&model.journal), letters)
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
}
