//! What a file is, by what stands in it.
//!
//! Why by content: members come from libraries as `.txt`, `.src` or without ending, and a folder is
//! called `src` as often as `cobol`. Not here: whether it is right; whoever reads it says so.

use crate::walk::Found;

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Program,
    Copybook,
    Map,
    Deck,
    /// Statements of IDCAMS outside a job.
    Statements,
    Job,
    Procedure,
    /// Statements of Db2.
    Sql,
    /// server.xml of z/OS Connect.
    Server,
    Assembler,
    Other,
}

/// Endings of texts that are about an application and no part of it.
const ABOUT: [&str; 22] = [
    "md",
    "html",
    "htm",
    "css",
    "js",
    "jsx",
    "ts",
    "java",
    "json",
    "yaml",
    "yml",
    "rexx",
    "sh",
    "awk",
    "py",
    "svg",
    "license",
    "properties",
    "template",
    "drawio",
    "groovy",
    "swagger",
];
/// Words of DEFINE in a deck; any beginning of three letters is one, too.
const RESOURCES: [&str; 34] = [
    "TRANSACTION",
    "TRN",
    "PROGRAM",
    "FILE",
    "MAPSET",
    "TDQUEUE",
    "TSMODEL",
    "DB2CONN",
    "DB2ENTRY",
    "DB2TRAN",
    "TRANCLASS",
    "PROFILE",
    "TERMINAL",
    "TYPETERM",
    "CONNECTION",
    "SESSIONS",
    "LIBRARY",
    "URIMAP",
    "WEBSERVICE",
    "PIPELINE",
    "TCPIPSERVICE",
    "BUNDLE",
    "ENQMODEL",
    "JOURNALMODEL",
    "LSRPOOL",
    "PARTNER",
    "PARTITIONSET",
    "PROCESSTYPE",
    "DOCTEMPLATE",
    "IPCONN",
    "JVMSERVER",
    "MQCONN",
    "MQMONITOR",
    "DUMPCODE",
];
const CLUSTERS: [&str; 10] = [
    "CLUSTER",
    "CL",
    "ALTERNATEINDEX",
    "AIX",
    "PATH",
    "GDG",
    "GENERATIONDATAGROUP",
    "NONVSAM",
    "NVSAM",
    "USERCATALOG",
];
const JOB_WORDS: [&str; 9] = [
    "JOB", "EXEC", "PROC", "DD", "SET", "JCLLIB", "INCLUDE", "PEND", "EXPORT",
];
const TABLES: [&str; 10] = [
    "TABLE",
    "UNIQUE",
    "INDEX",
    "VIEW",
    "DATABASE",
    "TABLESPACE",
    "STOGROUP",
    "SEQUENCE",
    "ALIAS",
    "SYNONYM",
];
const COPYBOOKS: [&str; 7] = ["cpy", "cpb", "copy", "inc", "dcl", "cbl", "cob"];
const ASSEMBLERS: [&str; 4] = ["asm", "hlasm", "mac", "macro"];
/// Columns of a card that hold text.
const COLUMNS: usize = 72;

/// What a text is.
pub(crate) fn of(found: &Found, text: &str) -> Kind {
    let ending = found.ending();
    if ending == "xml" {
        return if is_server(text) {
            Kind::Server
        } else {
            Kind::Other
        };
    }
    if ABOUT.contains(&ending.as_str()) {
        return Kind::Other;
    }
    if let Some(kind) = job(text) {
        return kind;
    }
    if is_program(text) {
        return Kind::Program;
    }
    let words = Words::of(text);
    if words.map {
        Kind::Map
    } else if words.deck {
        Kind::Deck
    } else if words.statements {
        Kind::Statements
    } else if words.sql {
        Kind::Sql
    } else if words.assembler || ASSEMBLERS.contains(&ending.as_str()) {
        Kind::Assembler
    } else if is_copybook(&ending, text) {
        Kind::Copybook
    } else {
        Kind::Other
    }
}

/// Endings of sources.
pub(crate) fn is_source(ending: &str) -> bool {
    COPYBOOKS.contains(&ending)
        || ASSEMBLERS.contains(&ending)
        || [
            "bms", "csd", "jcl", "idcams", "sql", "ddl", "prc", "proc", "ctl",
        ]
        .contains(&ending)
}

/// Endings of members that steps read.
pub(crate) fn is_member(ending: &str) -> bool {
    is_source(ending) || ["txt", ""].contains(&ending)
}

/// Server configuration that is about z/OS Connect; other servers of Liberty are none of ours.
fn is_server(text: &str) -> bool {
    text.contains("<server") && (text.contains("zosconnect_") || text.contains("zosconnect:"))
}

/// The name field and the operation of a statement of a job.
pub(crate) fn operation(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("//")?;
    if rest.starts_with('*') {
        return None;
    }
    let mut words = rest.split_whitespace();
    let first = words.next()?;
    let word = if rest.starts_with(' ') {
        first
    } else {
        words.next()?
    };
    JOB_WORDS.iter().find(|known| **known == word).copied()
}

fn job(text: &str) -> Option<Kind> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    if !first.starts_with("//") {
        return None;
    }
    let operations: Vec<&str> = text.lines().filter_map(operation).collect();
    let has = |word: &str| operations.contains(&word);
    let in_stream = text.lines().filter(|line| !line.starts_with("//"));
    let mut in_stream = in_stream.map(words_of);
    if in_stream.any(|words| words.iter().take(2).any(|w| w == "DFHMSD")) {
        return Some(Kind::Map);
    }
    if has("JOB") {
        Some(Kind::Job)
    } else if has("EXEC") && !has("PROC") && has("DD") {
        // A job whose card the site puts in front.
        Some(Kind::Job)
    } else {
        operations.first().map(|_| Kind::Procedure)
    }
}

/// Columns 8 to 72 of a line of COBOL that is no comment; in free text, the line.
fn cobol(line: &str) -> Option<&str> {
    let at = line.char_indices().nth(6).map_or(line.len(), |(at, _)| at);
    let (front, rest) = line.split_at(at);
    if rest.starts_with(['*', '/', 'D', 'd']) || front.trim_start().starts_with('*') {
        return None;
    }
    let end = rest.char_indices().nth(COLUMNS - 6);
    Some(&rest[..end.map_or(rest.len(), |(at, _)| at)])
}

fn is_program(text: &str) -> bool {
    let mut division = false;
    for line in text.lines() {
        let Some(code) = cobol(line) else {
            continue;
        };
        let code = code.trim().to_ascii_uppercase();
        let mut words = code.split_whitespace();
        let first = words.next().unwrap_or_default();
        let second = words.next().unwrap_or_default().trim_end_matches('.');
        if matches!(first, "IDENTIFICATION" | "ID") && second == "DIVISION" {
            division = true;
        }
        if division && (first == "PROGRAM-ID" || code.contains("PROGRAM-ID.")) {
            return true;
        }
    }
    false
}

/// PROGRAM-ID of a source.
pub(crate) fn program_id(text: &str) -> Option<String> {
    let code = text.lines().filter_map(cobol);
    let upper = code
        .map(str::to_ascii_uppercase)
        .collect::<Vec<_>>()
        .join(" ");
    let rest = upper.split("PROGRAM-ID").nth(1)?;
    let name = rest.trim_start_matches(['.', ' ', '\'', '"']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"@#$-".contains(c));
    let name = &name[..end.unwrap_or(name.len())];
    (!name.is_empty()).then(|| name.to_owned())
}

/// Words of a line in capitals; an opening parenthesis ends one.
pub(crate) fn words_of(line: &str) -> Vec<String> {
    let words = line.split(|c: char| c.is_whitespace() || c == '(');
    words
        .filter(|w| !w.is_empty())
        .map(str::to_ascii_uppercase)
        .collect()
}

/// What the words of a text's lines begin.
#[derive(Default)]
struct Words {
    map: bool,
    deck: bool,
    statements: bool,
    sql: bool,
    assembler: bool,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut all = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('*')) {
            let mut words = words_of(line);
            all.map |= words.iter().take(2).any(|w| w == "DFHMSD");
            let is_assembler =
                |w: &String| matches!(w.as_str(), "CSECT" | "DSECT" | "MACRO" | "MEND");
            all.assembler |= words.iter().take(2).any(is_assembler);
            if words.first().is_some_and(|w| w == "CEDA") {
                words.remove(0);
            }
            let (first, second) = (word(&words, 0), word(&words, 1));
            match first {
                "DEFINE" | "DEF" => {
                    all.statements |= CLUSTERS.contains(&second);
                    all.deck |= line.contains('(') && is_resource(second);
                }
                "ADD" => all.deck |= second == "GROUP",
                "REPRO" | "BLDINDEX" => all.statements = true,
                "CREATE" => all.sql |= TABLES.contains(&second),
                "INSERT" => all.sql |= second == "INTO",
                _ => {}
            }
        }
        all
    }
}

fn word(words: &[String], number: usize) -> &str {
    words.get(number).map_or("", String::as_str)
}

fn is_resource(word: &str) -> bool {
    const SHORTEST: usize = 3;
    word.len() >= SHORTEST && RESOURCES.iter().any(|full| full.starts_with(word))
}

/// Data descriptions, or paragraphs where the ending says so.
fn is_copybook(ending: &str, text: &str) -> bool {
    let mut levels = 0_usize;
    let mut others = 0_usize;
    for line in text.lines() {
        let Some(code) = cobol(line) else {
            continue;
        };
        let words = words_of(code);
        let Some(first) = words.first() else {
            continue;
        };
        let number = first
            .parse::<u8>()
            .is_ok_and(|n| (1..=49).contains(&n) || n == 77 || n == 88);
        let sql = first == "EXEC" && word(&words, 1) == "SQL";
        if (number && first.len() <= 2 && words.len() > 1) || sql {
            levels += 1;
        } else {
            others += 1;
        }
    }
    let said = COPYBOOKS.contains(&ending);
    levels > 0 && (said || levels >= others) || said && others > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn kind(name: &str, text: &str) -> Kind {
        let found = Found {
            path: PathBuf::new(),
            shown: name.to_owned(),
            bytes: 0,
        };
        of(&found, text)
    }

    #[test]
    fn content_says_what_a_member_is() {
        let program = "000100 ID DIVISION.\n000200 PROGRAM-ID. 'PAY'.\n";
        assert_eq!(kind("PAY", program), Kind::Program);
        assert_eq!(program_id(program).as_deref(), Some("PAY"));
        let commented =
            "      *IDENTIFICATION DIVISION.\n      *PROGRAM-ID. X.\n       01 A PIC X.\n";
        assert_eq!(kind("x.txt", commented), Kind::Copybook);
        assert_eq!(
            kind("x.txt", "PAYSET   DFHMSD TYPE=&SYSPARM,MODE=INOUT\n"),
            Kind::Map
        );
        assert_eq!(
            kind("x", "* it\n CEDA DEF TRANS(PAY1) G(PAY) PROG(PAY)\n"),
            Kind::Deck
        );
        assert_eq!(kind("x", " DEFINE CLUSTER (NAME(A.B))\n"), Kind::Statements);
        assert_eq!(kind("x", "CREATE UNIQUE INDEX A ON B(C);\n"), Kind::Sql);
        assert_eq!(kind("x.jcl", "//A JOB\n//S EXEC PGM=IDCAMS\n"), Kind::Job);
        assert_eq!(
            kind("x", "//P PROC\n//S EXEC PGM=PAY\n// PEND\n"),
            Kind::Procedure
        );
        assert_eq!(kind("x.mac", "         MACRO\n"), Kind::Assembler);
        assert_eq!(
            kind("p.cpy", "       PAY-IT.\n           MOVE 1 TO A.\n"),
            Kind::Copybook
        );
        assert_eq!(
            kind("notes.txt", "Pay day is the\n01 of the month\nor so\n"),
            Kind::Other
        );
        assert_eq!(kind("server.xml", "<server></server>"), Kind::Other);
        assert_eq!(
            kind("a.txt", "// a comment of Java\nclass A {}\n"),
            Kind::Other
        );
    }
}
