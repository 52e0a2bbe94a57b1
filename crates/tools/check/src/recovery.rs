//! Files whose changes would not be backed out though somebody said they are.
//!
//! What: LOG of the clusters that statements and jobs of `data/` define, held against the FILE
//! definitions of the decks. Why: nobody sees that before the day a transaction abends. Not here:
//! what a region does when it opens a file (`region/server/file_control`), the catalog of a store
//! that is there already: the region says the same of it when it opens the file.

use std::collections::HashMap;
use transom_idcams::jcl::{self, DdSource};
use transom_idcams::{Command, Log, Script, SourceLine, Statement, StatementKind};
use transom_messages::{self as messages, Message};
use transom_system::{Finding, SystemDirectory, data_texts, page, read_source};
use transom_wire::definitions::{Definitions, Entry, FileEntry, Recovery};

/// What the statements say of data sets, by name.
#[derive(Default)]
struct Said {
    logs: HashMap<String, Option<Log>>,
    /// Base of a path or alternate index.
    over: HashMap<String, String>,
}

/// A notice for each file whose recovery is not what catalog or definition says.
pub(crate) fn findings(system: &SystemDirectory, definitions: &Definitions) -> Vec<Finding> {
    let mut said = Said::default();
    let code_page = page(system.settings.cobol.source_codepage);
    for path in data_texts(&system.root) {
        // What cannot be read is told by the start that runs it.
        if let Ok((text, _)) = read_source(&path, &system.shown(&path), code_page) {
            said.text(&text);
        }
    }
    let catalog_counts = system.settings.region.recovery_of_catalog();
    let files = definitions.entries.iter().filter_map(|entry| match entry {
        Entry::File(file) if file.remote_system.is_blank() => Some(file),
        _ => None,
    });
    files
        .filter_map(|file| said.of(file, catalog_counts))
        .map(|message| Finding::notice(message.to_string()))
        .collect()
}

impl Said {
    fn of(&self, file: &FileEntry, catalog_counts: bool) -> Option<Message> {
        let mut base = file.dsname.to_ascii_uppercase();
        // A path over an alternate index over a cluster.
        for _ in 0..2 {
            if let Some(over) = self.over.get(&base) {
                base.clone_from(over);
            }
        }
        let log = *self.logs.get(&base)?;
        let logged = matches!(log, Some(Log::Undo | Log::All));
        let recovers = file.recovery != Recovery::None;
        match log {
            None if file.rls => Some(messages::fc::log_not_set(file.name, &base)),
            Some(Log::None) if recovers && (file.rls || catalog_counts) => {
                Some(messages::fc::catalog_overrides(file.name, &base))
            }
            _ if logged && !recovers && !file.rls && !catalog_counts => {
                Some(messages::fc::log_not_used(file.name, &base))
            }
            _ => None,
        }
    }

    fn text(&mut self, text: &str) {
        if !text.starts_with("//") {
            return self.script(&transom_idcams::parse_text(text));
        }
        for step in jcl::read(text, &[], &|_| None).steps {
            let sysin = step.dd("SYSIN").filter(|_| step.program == "IDCAMS");
            for source in sysin.iter().flat_map(|dd| &dd.sources) {
                if let DdSource::Instream(lines) = source {
                    let line = |l: &'_ jcl::InstreamLine| (l.number, l.text.clone());
                    let lines: Vec<(u32, String)> = lines.iter().map(line).collect();
                    let lines: Vec<SourceLine<'_>> = lines
                        .iter()
                        .map(|(number, text)| SourceLine {
                            number: *number,
                            text,
                        })
                        .collect();
                    self.script(&transom_idcams::parse(&lines));
                }
            }
        }
    }

    fn script(&mut self, script: &Script) {
        self.statements(&script.statements);
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Command(command) => self.command(command),
                StatementKind::If {
                    then, otherwise, ..
                } => {
                    self.statements(then);
                    self.statements(otherwise);
                }
                _ => {}
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::DefineCluster(def) => {
                self.logs.insert(def.name.clone(), def.log);
            }
            Command::DefineAix(def) => {
                self.over.insert(def.name.clone(), def.relate.clone());
            }
            Command::DefinePath(def) => {
                self.over.insert(def.name.clone(), def.entry.clone());
            }
            Command::Alter(alter) => {
                let gone = alter.nullify.contains(&"LOG");
                if !gone && alter.log.is_none() {
                    return;
                }
                for (name, log) in &mut self.logs {
                    if alter.entry.matches(name) {
                        *log = alter.log;
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_types::FileName;

    const STATEMENTS: &str = "\
 DEFINE CLUSTER (NAME(T.UNDO) KEYS(4 0) RECORDSIZE(20 20) LOG(UNDO))
 DEFINE CLUSTER (NAME(T.NONE) KEYS(4 0) RECORDSIZE(20 20) LOG(NONE))
 DEFINE CLUSTER (NAME(T.OPEN) KEYS(4 0) RECORDSIZE(20 20))
 DEFINE ALTERNATEINDEX (NAME(T.AIX) RELATE(T.UNDO) KEYS(4 8) UPGRADE)
 DEFINE PATH (NAME(T.PATH) PATHENTRY(T.AIX))
";

    fn told(dsname: &str, change: impl Fn(&mut FileEntry), catalog_counts: bool) -> String {
        let mut file = FileEntry::new(FileName::from_field(b"CUST"), dsname);
        change(&mut file);
        let mut said = [Said::default(), Said::default()];
        said[0].text(STATEMENTS);
        let job = format!("//J JOB\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n{STATEMENTS}/*\n");
        said[1].text(&job);
        let texts = said.map(|said| {
            let message = said.of(&file, catalog_counts);
            message.map_or_else(String::new, |m| m.to_string()[..10].to_owned())
        });
        assert_eq!(texts[0], texts[1]);
        texts[0].clone()
    }

    #[test]
    fn a_file_that_is_not_what_its_cluster_says_is_named() {
        let plain = |_: &mut FileEntry| {};
        let backs = |file: &mut FileEntry| file.recovery = Recovery::BackoutOnly;
        let shares = |file: &mut FileEntry| file.rls = true;
        assert_eq!(told("T.UNDO", plain, false), "TXMFC0014W");
        assert_eq!(told("t.path", plain, false), "TXMFC0014W");
        assert_eq!(told("T.UNDO", plain, true), "");
        assert_eq!(told("T.UNDO", backs, false), "");
        assert_eq!(told("T.UNDO", shares, false), "");
        assert_eq!(told("T.NONE", backs, true), "TXMFC0015W");
        assert_eq!(told("T.NONE", backs, false), "");
        assert_eq!(told("T.OPEN", shares, false), "TXMFC0012E");
        assert_eq!(told("T.OPEN", backs, true), "");
        assert_eq!(told("T.ELSEWHERE", shares, true), "");
    }
}
