//! Program list tables: DFHPLT macros that name the programs of a start (PLTPI) or an end (PLTSD).
//!
//! What: [`ProgramList::read`] takes the source of one table. Not here: statements and their
//! columns (`macros`), which table is whose, running programs (`region/server`).

use crate::macros::{is_without_meaning, parts, statements};
use transom_messages::{Message, Place, Problem, si};
use transom_types::ProgramName;

/// Most programs of one table.
pub const PROGRAMS_MAX: usize = 1_000;
/// Tables that copy tables.
const COPIES_MAX: usize = 8;
/// The entry that is no program.
const DELIMITER: &str = "DFHDELIM";
/// Beginning of the names of tables.
const TABLE: &str = "DFHPLT";

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
                other if is_without_meaning(other) => {}
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
