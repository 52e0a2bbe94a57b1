//! What became of a source, for whoever sums up a system directory.
//!
//! What: the state of each source, and the commands in it that answer INVREQ. Why: "19 programs run
//! and 10 need Db2" is the question of everybody who brings an application, and a program that is
//! called and is not there must say why. Not here: messages with their places (`finding`).

use std::collections::{BTreeMap, BTreeSet};
use transom_commands::Status;
use transom_copybook::Layout;
use transom_translator::{CommandUse, SqlUse, Translated};

/// What became of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceReport {
    /// The file, as messages name it.
    pub file: String,
    /// PROGRAM-ID; the member's name where the source has none that can be read.
    pub program: String,
    /// Whether it can run.
    pub state: SourceState,
    /// Commands, or commands with an option, that answer INVREQ, with the number of their uses.
    pub invreq: BTreeMap<String, usize>,
    /// Resources its commands name by literals.
    pub names: BTreeSet<Name>,
    /// Statements of EXEC SQL that name tables.
    pub sql: Vec<SqlUse>,
    /// DFHCOMMAREA, where the program describes it and was translated now.
    pub commarea: Option<Layout>,
    /// Its items for containers, by the names of these, where it was translated now.
    pub containers: BTreeMap<String, Vec<Layout>>,
}

/// A resource that a command names by a literal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// LINK, XCTL, LOAD.
    Program(String),
    /// File control.
    File(String),
    /// START, RETURN, RUN TRANSID.
    Transaction(String),
    /// SEND MAP, RECEIVE MAP: mapset and map.
    Map(String, String),
}

/// Whether a source can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceState {
    /// It compiles.
    Ready,
    /// It is one or more copybooks: there is no program in it.
    NoProgram,
    /// It uses something that is not there, and nothing else is known to be wrong.
    Needs(Facility),
    /// It has errors.
    Failed,
}

/// What a program may need and does not find here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facility {
    /// EXEC SQL.
    Sql,
    /// EXEC DLI.
    Dli,
    /// Copybooks of the MQ interface.
    Mq,
}

impl Facility {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Facility::Sql => "SQL",
            Facility::Dli => "DL/I",
            Facility::Mq => "MQ",
        }
    }
}

impl SourceReport {
    /// Of a source that was not translated now: it is as it was when it compiled.
    pub(crate) fn ready(file: &str, program: &str) -> Self {
        Self {
            file: file.to_owned(),
            program: program.to_owned(),
            state: SourceState::Ready,
            invreq: BTreeMap::new(),
            names: BTreeSet::new(),
            sql: Vec::new(),
            commarea: None,
            containers: BTreeMap::new(),
        }
    }

    /// Of a source that cannot be read, or not be compiled.
    pub(crate) fn failed(file: &str) -> Self {
        let stem = std::path::Path::new(file).file_stem();
        let stem = stem.map(|s| s.to_string_lossy().to_ascii_uppercase());
        Self {
            state: SourceState::Failed,
            ..Self::ready(file, &stem.unwrap_or_default())
        }
    }

    /// Of a translation; it is ready as far as the translator knows.
    pub(crate) fn of(file: &str, translated: &Translated) -> Self {
        let mut report = Self::failed(file);
        if let Some(first) = translated.programs.first() {
            report.program.clone_from(&first.name);
        }
        report.commarea.clone_from(&translated.commarea);
        report.containers.clone_from(&translated.containers);
        report.sql.clone_from(&translated.coverage.sql);
        for used in &translated.coverage.uses {
            report.names.extend(name(used));
            let mut count = |what: String| *report.invreq.entry(what).or_default() += 1;
            if used.status == Status::Invreq {
                count(used.name.to_owned());
                continue;
            }
            let options = used.options.iter().filter(|o| o.1 == Status::Invreq);
            options.for_each(|(option, _)| count(format!("{} {option}", used.name)));
        }
        report.state = if translated.has_errors() {
            needs(translated).map_or(SourceState::Failed, SourceState::Needs)
        } else if translated.programs.is_empty() {
            SourceState::NoProgram
        } else {
            SourceState::Ready
        };
        report
    }
}

/// What a command is about, where a literal says it.
fn name(used: &CommandUse) -> Option<Name> {
    let given = |keyword: &str| {
        let mut literals = used.literals.iter();
        let (_, text) = literals.find(|(k, text)| *k == keyword && !text.is_empty())?;
        Some(text.to_ascii_uppercase())
    };
    // Names of another system are its own.
    if used.options.iter().any(|(option, _)| *option == "SYSID") {
        return None;
    }
    match used.name {
        "LINK" | "XCTL" | "LOAD" => given("PROGRAM").map(Name::Program),
        "READ" | "WRITE" | "REWRITE" | "DELETE" | "STARTBR" | "READNEXT" | "READPREV"
        | "RESETBR" | "ENDBR" | "UNLOCK" => {
            given("FILE").or_else(|| given("DATASET")).map(Name::File)
        }
        // These keep the case of a transaction's name.
        "START" | "RETURN" | "RUN TRANSID" => {
            let mut literals = used.literals.iter();
            let (_, text) = literals.find(|(keyword, _)| *keyword == "TRANSID")?;
            Some(Name::Transaction(text.clone()))
        }
        "SEND MAP" | "RECEIVE MAP" => {
            let map = given("MAP")?;
            let named = used.options.iter().any(|(option, _)| *option == "MAPSET");
            let mapset = if named { given("MAPSET")? } else { map.clone() };
            Some(Name::Map(mapset, map))
        }
        _ => None,
    }
}

/// What the program needs, where that is all that is wrong with it.
fn needs(translated: &Translated) -> Option<Facility> {
    let blocks = translated.coverage.untranslated.iter();
    let blocks = blocks.map(|(kind, _, _)| match kind.split(' ').nth(1) {
        Some("SQL") => Some(Facility::Sql),
        Some("DLI") => Some(Facility::Dli),
        _ => None,
    });
    // CMQV, CMQODV and so on; programs that COPY them call MQOPEN and its like.
    let mq = |member: &String| member.starts_with("CMQ").then_some(Facility::Mq);
    let missing = translated.missing.iter().map(mq);
    let found: Vec<Facility> = blocks.chain(missing).collect::<Option<_>>()?;
    let errors = translated.problems.iter().filter(|p| p.is_error()).count();
    found
        .iter()
        .min()
        .filter(|_| errors == found.len())
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_translator::{Options, Source, translate};

    fn report(procedure: &str) -> SourceReport {
        let text = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PAY.\n       PROCEDURE DIVISION.\n{procedure}"
        );
        let source = Source {
            name: "cobol/pay.cbl",
            text: &text,
        };
        let translated = translate(&source, &(), &Options::default());
        SourceReport::of("cobol/pay.cbl", &translated)
    }

    #[test]
    fn a_program_needs_sql_when_nothing_else_is_wrong_with_it() {
        let sql = "           EXEC SQL DESCRIBE CURSOR C1 INTO :D END-EXEC.\n";
        assert_eq!(report(sql).state, SourceState::Needs(Facility::Sql));
        let refused = "           EXEC SQL CALL PAYOUT END-EXEC.\n";
        assert_eq!(report(refused).state, SourceState::Needs(Facility::Sql));
        let done = "           EXEC SQL COMMIT END-EXEC.\n";
        assert_eq!(report(done).state, SourceState::Ready);
        let both = format!("{sql}           EXEC CICS LNK PROGRAM('X') END-EXEC.\n");
        let report = report(&both);
        assert_eq!(report.state, SourceState::Failed);
        assert_eq!((&*report.program, &*report.file), ("PAY", "cobol/pay.cbl"));
    }

    #[test]
    fn names_are_taken_from_literals() {
        let text = "           EXEC CICS LINK PROGRAM('SUB') END-EXEC
           EXEC CICS READ DATASET('CUST') INTO(X) RIDFLD(X) END-EXEC
           EXEC CICS SEND MAP('M1') MAPSET('SET1') END-EXEC
           EXEC CICS SEND MAP('M2') END-EXEC
           EXEC CICS XCTL PROGRAM(WS-NAME) END-EXEC
           EXEC CICS LINK PROGRAM('FAR') SYSID('AOR1') END-EXEC
           EXEC CICS RETURN TRANSID('pay1') END-EXEC.\n";
        let map = |set: &str, map: &str| Name::Map(set.to_owned(), map.to_owned());
        let names = [
            Name::Program("SUB".to_owned()),
            Name::File("CUST".to_owned()),
            Name::Transaction("pay1".to_owned()),
            map("M2", "M2"),
            map("SET1", "M1"),
        ];
        assert_eq!(report(text).names, BTreeSet::from(names));
    }

    #[test]
    fn commands_that_answer_invreq_are_counted() {
        let twice = "           EXEC CICS WEB CLOSE SESSTOKEN(X) END-EXEC.\n".repeat(2);
        let report = report(&twice);
        assert_eq!(report.invreq.get("WEB CLOSE"), Some(&2), "{report:?}");
    }
}
