//! Program list tables: DFHPLT macros that name the programs of a start (PLTPI) or an end (PLTSD).
//!
//! What: [`ProgramList::read`] takes the source of one table in the columns of the assembler: 1 to
//! 71 count, anything in 72 goes on in column 16 of the next line, `*` first is a comment. Lines of
//! JCL around it are skipped. Not here: which table is whose, running programs (`region/server`).

use transom_messages::{Message, Place, Problem, si};
use transom_types::ProgramName;

/// Most programs of one table.
pub const PROGRAMS_MAX: usize = 1_000;
/// Tables that copy tables.
const COPIES_MAX: usize = 8;
/// Columns that count.
const COLUMNS: usize = 71;
/// Where a statement goes on, counted from 0.
const CONTINUED: usize = 15;
/// The entry that is no program.
const DELIMITER: &str = "DFHDELIM";
/// Beginning of the names of tables.
const TABLE: &str = "DFHPLT";
/// Statements that only concern a listing or the shape of a module.
const WITHOUT_MEANING: &[&str] = &[
    "TITLE", "PRINT", "EJECT", "SPACE", "PUNCH", "AMODE", "RMODE", "CSECT", "ICTL", "ISEQ",
];

/// The programs of a table in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramList {
    /// In front of DFHDELIM.
    pub before: Vec<ProgramName>,
    /// Behind it.
    pub after: Vec<ProgramName>,
}

impl ProgramList {
    /// Reads a table; `copy` answers the text of a member that a COPY names, with its file. A
    /// statement that is wrong is left out and told.
    pub fn read(
        file: &str,
        source: &str,
        copy: &dyn Fn(&str) -> Option<(String, String)>,
    ) -> (Self, Vec<Problem>) {
        let mut reader = Reader {
            list: Self::default(),
            problems: Vec::new(),
            delimited: false,
            copy,
        };
        reader.source(file, source, 0);
        (reader.list, reader.problems)
    }

    /// The member that a parameter or an option names: a suffix, YES for the table without one, or
    /// a whole name; `None`: NO.
    pub fn member(value: &str) -> Option<String> {
        match value {
            "NO" | "" => None,
            "YES" => Some(TABLE.to_owned()),
            suffix if suffix.len() <= 2 => Some(format!("{TABLE}{suffix}")),
            name => Some(name.to_owned()),
        }
    }

    /// All its programs.
    pub fn programs(&self) -> impl Iterator<Item = ProgramName> {
        self.before.iter().chain(&self.after).copied()
    }
}

/// One statement: its line, operation and operands, in upper case.
struct Statement {
    line: u32,
    operation: String,
    operands: String,
}

struct Reader<'a> {
    list: ProgramList,
    problems: Vec<Problem>,
    delimited: bool,
    copy: &'a dyn Fn(&str) -> Option<(String, String)>,
}

impl Reader<'_> {
    /// `false`: END ended it.
    fn source(&mut self, file: &str, source: &str, depth: usize) -> bool {
        for statement in statements(source) {
            let place = Place::line(file, statement.line);
            match statement.operation.as_str() {
                "DFHPLT" => self.entry(&statement.operands, &place),
                "END" => return false,
                "COPY" => {
                    let name = statement.operands.as_str();
                    match (self.copy)(name).filter(|_| depth < COPIES_MAX) {
                        Some((file, text)) => {
                            if !self.source(&file, &text, depth + 1) {
                                return false;
                            }
                        }
                        None => self.tell(si::plt_copy(name), &place),
                    }
                }
                other if WITHOUT_MEANING.contains(&other) => {}
                other => self.tell(si::plt_statement(other), &place),
            }
        }
        true
    }

    fn entry(&mut self, operands: &str, place: &Place) {
        let mut kind = None;
        let mut programs = Vec::new();
        for operand in parts(operands) {
            match operand.split_once('=') {
                Some(("TYPE", value)) => kind = Some(value.to_owned()),
                Some(("PROGRAM", value)) => {
                    let inner = value.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
                    programs = parts(inner.unwrap_or(value));
                }
                // The name of the member says the suffix.
                Some(("SUFFIX", _)) => {}
                _ => self.tell(si::plt_operand(&operand), place),
            }
        }
        match kind.as_deref() {
            Some("ENTRY") if programs.is_empty() => self.tell(si::plt_operand("PROGRAM="), place),
            Some("ENTRY") => programs.iter().for_each(|name| self.program(name, place)),
            Some("INITIAL" | "FINAL") => {}
            _ => self.tell(si::plt_operand("TYPE="), place),
        }
    }

    fn program(&mut self, name: &str, place: &Place) {
        if name == DELIMITER {
            if self.delimited {
                self.tell(si::plt_delimiter(), place);
            }
            self.delimited = true;
            return;
        }
        let national = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#' | '$');
        let valid = name.chars().all(national) && !name.starts_with(|c: char| c.is_ascii_digit());
        let named = ProgramName::new(name).ok().filter(|_| valid);
        let Some(program) = named else {
            return self.tell(si::plt_name(name), place);
        };
        if self.list.programs().count() == PROGRAMS_MAX {
            return self.tell(si::plt_full(PROGRAMS_MAX), place);
        }
        match self.delimited {
            false => self.list.before.push(program),
            true => self.list.after.push(program),
        }
    }

    fn tell(&mut self, message: Message, place: &Place) {
        let place = place.clone();
        self.problems.push(Problem { message, place });
    }
}

/// The statements of a source, each over all its lines.
fn statements(source: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut lines = (1u32..).zip(source.lines());
    while let Some((line, text)) = lines.next() {
        if is_outside(text) {
            continue;
        }
        let body = body(text, 0);
        // The name in front of the operation means nothing here.
        let behind_name = body.find(' ').and_then(|at| body.get(at..)).unwrap_or("");
        let behind_name = behind_name.trim_start();
        let (operation, rest) = behind_name.split_once(' ').unwrap_or((behind_name, ""));
        let mut operands = String::new();
        let mut ended = take_operands(&mut operands, rest);
        let mut goes_on = goes_on(text);
        while let Some((_, text)) = goes_on.then(|| lines.next()).flatten() {
            if !ended {
                ended = take_operands(&mut operands, &self::body(text, CONTINUED));
            }
            goes_on = self::goes_on(text);
        }
        found.push(Statement {
            line,
            operation: operation.to_ascii_uppercase(),
            operands: operands.to_ascii_uppercase(),
        });
    }
    found
}

/// A comment, JCL, or nothing.
fn is_outside(line: &str) -> bool {
    let begins = |text: &&str| line.starts_with(*text);
    line.trim().is_empty() || ["*", ".*", "//", "/*"].iter().any(begins)
}

fn body(line: &str, from: usize) -> String {
    line.chars().take(COLUMNS).skip(from).collect()
}

fn goes_on(line: &str) -> bool {
    line.chars()
        .nth(COLUMNS)
        .is_some_and(|c| !c.is_whitespace())
}

/// Operands go to the first blank. `true`: they ended there; behind a comma more may follow.
fn take_operands(operands: &mut String, text: &str) -> bool {
    let (word, remarks) = match text.trim_start().split_once(' ') {
        Some((word, _)) => (word, true),
        None => (text.trim_start(), false),
    };
    operands.push_str(word);
    remarks && !word.ends_with(',')
}

/// The parts between commas that stand in no parentheses.
fn parts(text: &str) -> Vec<String> {
    let mut depth = 0usize;
    let parts = text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
//ASM EXEC PGM=ASMA90
* What runs at the start of the bank
BANKPLT  DFHPLT TYPE=INITIAL,SUFFIX=I1
         DFHPLT TYPE=ENTRY,PROGRAM=EARLY   before the files are there
         DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM
         DFHPLT TYPE=ENTRY,                  programs of the branch    X
               PROGRAM=(OPENS,LOADS,                                   X
               COUNTS)
         copy  more
         DFHPLT TYPE=FINAL
         END
         what follows is not read
";

    fn read(source: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
        let more = |name: &str| {
            let text = "         DFHPLT TYPE=ENTRY,PROGRAM=LAST\n";
            (name == "MORE").then(|| ("more".to_owned(), text.to_owned()))
        };
        let (list, problems) = ProgramList::read("plt", source, &more);
        let names = |list: &[ProgramName]| list.iter().map(ToString::to_string).collect();
        let problems = problems.iter().map(|p| p.place_first().to_string());
        (names(&list.before), names(&list.after), problems.collect())
    }

    #[test]
    fn programs_stand_before_and_behind_the_delimiter() {
        let (before, after, problems) = read(SOURCE);
        assert_eq!(before, ["EARLY"]);
        assert_eq!(after, ["OPENS", "LOADS", "COUNTS", "LAST"]);
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn what_is_no_table_is_told_with_its_line() {
        let lines = [
            " DFHPLT TYPE=ENTRY,PROGRAM=TOOLONGNAME",
            " DFHPLT TYPE=ENTRY",
            " DFHPLT PROGRAM=GOOD",
            " DFHPCT TYPE=INITIAL",
            " DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM",
            " DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM",
            " COPY NOWHERE",
            " DFHPLT TYPE=ENTRY,PROGRAM=GOOD,WHEN=LATE",
        ];
        let (before, after, problems) = read(&lines.join("\n"));
        assert_eq!((before, after), (vec![], vec!["GOOD".to_owned()]));
        let told = [
            "plt:1: TXMSI0080E TOOLONGNAME is not a name of a program",
            "plt:2: TXMSI0080E DFHPLT: PROGRAM= is missing or not valid",
            "plt:3: TXMSI0080E DFHPLT: TYPE= is missing or not valid",
            "plt:4: TXMSI0080E DFHPCT does not belong into a program list table",
            "plt:6: TXMSI0080E DFHDELIM is there already",
            "plt:7: TXMSI0080E COPY NOWHERE: there is no such member beside the table",
            "plt:8: TXMSI0080E DFHPLT: WHEN=LATE is missing or not valid",
        ];
        assert_eq!(problems, told);
    }

    #[test]
    fn a_table_that_copies_itself_ends() {
        let copy = |_: &str| Some(("me".to_owned(), " COPY ME\n".to_owned()));
        let (list, problems) = ProgramList::read("me", " COPY ME\n", &copy);
        assert_eq!(list, ProgramList::default());
        assert_eq!(problems.len(), 1);
    }
}
