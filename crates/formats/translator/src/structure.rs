//! Divisions and sections of each program in a file.
//!
//! Why: generated data and parameters must be put at the right places. Not here: putting them.

use crate::blocks::Item;
use crate::token::{At, Kind, Session, Token};
use transom_messages as messages;

/// Where the parts of one program stand; all numbers are indexes of items.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) nested_in: Option<usize>,
    /// First item.
    pub(crate) start: usize,
    /// After the last item; items of nested programs lie between.
    pub(crate) end: usize,
    pub(crate) data: Option<usize>,
    /// After `WORKING-STORAGE SECTION.`
    pub(crate) working: Option<usize>,
    /// Where the next section or division begins after WORKING-STORAGE, the place to add data.
    pub(crate) working_end: usize,
    pub(crate) local: Option<usize>,
    /// `LINKAGE SECTION.`: first item, and the item after it.
    pub(crate) linkage: Option<(usize, usize)>,
    /// REPORT or SCREEN SECTION.
    pub(crate) late_section: Option<usize>,
    /// `PROCEDURE DIVISION`: first item, index of its period.
    pub(crate) procedure: Option<(usize, usize)>,
    /// After `END DECLARATIVES.`
    pub(crate) declaratives_end: Option<usize>,
    /// A period is missing before this item (PROGRAM-ID paragraph).
    pub(crate) period_before: Option<usize>,
}

/// Programs in one file.
pub(crate) const MAX_PROGRAMS: usize = 1_000;

/// Finds all programs.
pub(crate) fn programs(items: &[Item], session: &mut Session) -> Vec<Program> {
    let mut scan = Scan {
        items,
        session,
        programs: Vec::new(),
        open: Vec::new(),
        at: 0,
    };
    while scan.at < items.len() && scan.programs.len() < MAX_PROGRAMS {
        scan.step();
    }
    for n in std::mem::take(&mut scan.open) {
        scan.programs[n].end = items.len();
    }
    if scan.programs.is_empty() {
        // What else was found wrong in a copybook is judged where it is copied.
        scan.session.problems.clear();
        let at = At {
            inclusion: 0,
            line: 1,
            column: 0,
        };
        scan.session.problem(messages::tr::taken_for_copybook(), at);
    }
    for program in &mut scan.programs {
        let end = program.end;
        if program.working.is_some() && program.working_end == 0 {
            program.working_end = end;
        }
    }
    scan.programs
}

/// The program each item belongs to.
pub(crate) fn owners(len: usize, programs: &[Program]) -> Vec<Option<usize>> {
    let mut owner = vec![None; len];
    // Nested programs come after their outer one and overwrite its entries.
    for (n, program) in programs.iter().enumerate() {
        for slot in owner
            .iter_mut()
            .take(program.end.min(len))
            .skip(program.start)
        {
            *slot = Some(n);
        }
    }
    owner
}

struct Scan<'a> {
    items: &'a [Item],
    session: &'a mut Session,
    programs: Vec<Program>,
    /// Numbers of the programs that are not ended yet, innermost last.
    open: Vec<usize>,
    at: usize,
}

impl Scan<'_> {
    fn word(&self, ahead: usize) -> Option<&Token> {
        match self.items.get(self.at + ahead) {
            Some(Item::Word(token)) => Some(token),
            _ => None,
        }
    }

    fn is(&self, ahead: usize, word: &str) -> bool {
        self.word(ahead).is_some_and(|t| t.is(word))
    }

    fn current(&mut self) -> Option<&mut Program> {
        let n = *self.open.last()?;
        self.programs.get_mut(n)
    }

    fn step(&mut self) {
        let division = self.is(1, "DIVISION");
        let section = self.is(1, "SECTION");
        match self.word(0).map(Token::upper).as_deref() {
            Some("IDENTIFICATION" | "ID") if division => self.begin(),
            Some("PROGRAM-ID") => self.program_id(),
            Some("DATA") if division => self.data(),
            Some("PROCEDURE") if division => self.procedure(),
            Some(name) if section && self.in_data() => {
                let name = name.to_owned();
                self.section(&name);
            }
            Some("END") if self.is(1, "DECLARATIVES") => {
                let after = self.after_period(2);
                if let Some(program) = self.current() {
                    program.declaratives_end = Some(after);
                }
                self.at += 1;
            }
            Some("END") if self.is(1, "PROGRAM") => self.end(),
            _ => self.at += 1,
        }
    }

    /// Index after the period that closes a header of `words` words.
    fn after_period(&self, words: usize) -> usize {
        match self.word(words) {
            Some(token) if token.kind == Kind::Period => self.at + words + 1,
            _ => self.at + words,
        }
    }

    fn begin(&mut self) {
        // A program still in its identification division is not begun twice.
        self.programs.push(Program {
            nested_in: self.open.last().copied(),
            start: self.at,
            at: self.word(0).map(|t| t.at).unwrap_or_default(),
            ..Program::default()
        });
        self.open.push(self.programs.len() - 1);
        self.at += 2;
    }

    fn program_id(&mut self) {
        let named = self
            .current()
            .is_some_and(|p| !p.name.is_empty() && p.procedure.is_none());
        if named || self.current().is_none_or(|p| p.procedure.is_some()) {
            self.begin();
            self.at -= 2;
        }
        let at = self.word(0).map(|t| t.at).unwrap_or_default();
        let mut ahead = 1 + usize::from(self.word(1).is_some_and(|t| t.kind == Kind::Period));
        let name = self
            .word(ahead)
            .map(|t| t.text.trim_matches(['\'', '"']).to_ascii_uppercase());
        ahead += 1;
        while self.word(ahead).is_some_and(|t| {
            t.is_any(&["IS", "COMMON", "INITIAL", "RECURSIVE", "PROGRAM", "LIBRARY"])
        }) {
            ahead += 1;
        }
        let period = self.word(ahead).is_some_and(|t| t.kind == Kind::Period);
        let next = self.at + ahead;
        if !period {
            self.session
                .problem(messages::tr::program_id_without_period(), at);
        }
        if let Some(program) = self.current() {
            program.name = name.unwrap_or_default();
            program.at = at;
            program.period_before = (!period).then_some(next);
        }
        self.at = next.max(self.at + 1);
    }

    fn in_data(&mut self) -> bool {
        self.current()
            .is_some_and(|p| p.data.is_some() && p.procedure.is_none())
    }

    fn close_working(&mut self) {
        let at = self.at;
        if let Some(program) = self.current()
            && program.working.is_some()
            && program.working_end == 0
        {
            program.working_end = at;
        }
    }

    fn data(&mut self) {
        let at = self.at;
        if let Some(program) = self.current() {
            program.data = Some(at);
        }
        self.at += 2;
    }

    fn section(&mut self, name: &str) {
        let after = self.after_period(2);
        let at = self.at;
        match name {
            "WORKING-STORAGE" | "LOCAL-STORAGE" | "LINKAGE" | "REPORT" | "SCREEN" | "FILE" => {
                self.close_working();
            }
            _ => {}
        }
        if let Some(program) = self.current() {
            match name {
                "WORKING-STORAGE" => program.working = Some(after),
                "LOCAL-STORAGE" => program.local = Some(at),
                "LINKAGE" => program.linkage = Some((at, after)),
                "REPORT" | "SCREEN" => program.late_section = program.late_section.or(Some(at)),
                _ => {}
            }
        }
        self.at += 2;
    }

    fn procedure(&mut self) {
        self.close_working();
        let start = self.at;
        let words = self.items[start..].iter();
        let period = words.take(MAX_HEADER).position(|i| match i {
            Item::Word(token) => token.kind == Kind::Period,
            Item::Block(_) => true,
        });
        let period = start + period.unwrap_or(2);
        if let Some(program) = self.current() {
            program.procedure = Some((start, period.min(start + MAX_HEADER)));
        }
        self.at = period.max(start + 2);
    }

    fn end(&mut self) {
        self.at += 2 + usize::from(self.word(2).is_some());
        self.at += usize::from(self.word(0).is_some_and(|t| t.kind == Kind::Period));
        let end = self.at.min(self.items.len());
        if let Some(n) = self.open.pop() {
            self.programs[n].end = end;
        }
    }
}

/// Words of a PROCEDURE DIVISION header.
const MAX_HEADER: usize = 2_000;
