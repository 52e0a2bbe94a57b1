//! POINTER and FUNCTION-POINTER of four bytes, as on z/OS.
//!
//! Why: cobc's have eight, so everything behind one would lie elsewhere than in a record of the
//! host. What: such an item becomes a binary item of four bytes, first byte first (`PIC X(4)
//! COMP-X`), and the statements that set, compare or pass addresses go through a field of cobc's
//! own size that no program sees. Storage a program can see lies below 2 GiB, so nothing is lost;
//! an address that does not ends the task (`TXMHIGH`). What cannot be said exactly is refused.
//! Not here: arguments of commands, which the run time takes in either size.

mod calls;
mod conditions;
mod data;
mod edits;
mod operand;
mod statements;

use crate::blocks::Item;
use crate::structure::owners;
use crate::structure::{Program, programs};
use crate::token::{At, Kind, Session, Token};
use data::Table;
use edits::{Edits, words};

/// Rewrites all programs of a file.
pub(crate) fn four_bytes(items: Vec<Item>, session: &mut Session) -> Vec<Item> {
    let words = |list: &[&str]| {
        items
            .iter()
            .any(|i| matches!(i, Item::Word(t) if t.is_any(list)))
    };
    if !words(&["POINTER", "POINTER-32", "FUNCTION-POINTER", "ADDRESS"]) {
        return items;
    }
    // What is wrong with the structure is told when it is read for good.
    let programs = programs(&items, &mut Session::default());
    let owner = owners(items.len(), &programs);
    let keep = words(&["INITIALIZE", "CORRESPONDING", "CORR"]);
    let tables: Vec<Table> = (0..programs.len())
        .map(|n| Table::read(&items, &programs[n], |at| owner[at] == Some(n)))
        .collect();
    let mut edits = Edits::default();
    for (n, table) in tables.iter().enumerate() {
        table.rewrite(&items, keep, &mut edits, session);
        let mut work = Work {
            items: &items,
            owner: &owner,
            me: n,
            programs: &programs,
            tables: &tables,
            edits: &mut edits,
            session,
            addresses: 0,
            temporaries: false,
        };
        work.procedure();
        let (used, addresses) = (work.temporaries, work.addresses);
        if used {
            declare(&programs[n], addresses, &items, &mut edits);
        }
    }
    edits.apply(items)
}

/// One program's statements.
struct Work<'a> {
    items: &'a [Item],
    owner: &'a [Option<usize>],
    me: usize,
    programs: &'a [Program],
    tables: &'a [Table],
    edits: &'a mut Edits,
    session: &'a mut Session,
    /// Addresses that are kept in fields of their own, `TXM-ADDRESS-1` and so on.
    addresses: usize,
    /// `TXM-POINTER` is used.
    temporaries: bool,
}

impl Work<'_> {
    fn procedure(&mut self) {
        let program = &self.programs[self.me];
        let Some((start, header)) = program.procedure else {
            return;
        };
        self.parameters(start, header);
        let mut at = header;
        while at < program.end.min(self.items.len()) {
            if self.owner[at] != Some(self.me) {
                at += 1;
                continue;
            }
            at = match self.word(at).map(Token::upper).as_deref() {
                Some("SET") => self.set(at),
                Some("CALL") => self.call(at),
                Some("ALLOCATE") => self.allocate(at),
                Some("FREE") => self.free(at),
                Some("NULL" | "NULLS") => self.null(at),
                Some("ADDRESS") => self.address(at),
                _ => at + 1,
            };
        }
    }

    fn word(&self, at: usize) -> Option<&Token> {
        match self.items.get(at) {
            Some(Item::Word(token)) => Some(token),
            _ => None,
        }
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        self.word(at).is_some_and(|t| t.is_any(words))
    }

    fn at(&self, at: usize) -> At {
        self.word(at).map(|t| t.at).unwrap_or_default()
    }

    /// The name at the start of an operand is a pointer of four bytes.
    fn is_pointer(&self, operand: (usize, usize)) -> bool {
        self.kind_of(operand).is_some()
    }

    fn kind_of(&self, (from, to): (usize, usize)) -> Option<data::Usage> {
        let name = self.word(from)?.upper();
        let mut qualifiers = Vec::new();
        for at in from + 1..to {
            if self.is(at, &["OF", "IN"]) {
                qualifiers.push(self.word(at + 1)?.upper());
            } else if self.word(at).is_some_and(|t| t.kind == Kind::Open) {
                break;
            }
        }
        let mut program = Some(self.me);
        while let Some(n) = program {
            if let Some(found) = self.tables[n].usage(&name, &qualifiers) {
                return found;
            }
            program = self.programs[n].nested_in;
        }
        None
    }
}

/// Fields of the program that addresses go through.
fn declare(program: &Program, addresses: usize, items: &[Item], edits: &mut Edits) {
    let Some((procedure, _)) = program.procedure else {
        return;
    };
    let mut text = String::new();
    let at = match program.working {
        Some(at) => at,
        None => {
            if program.data.is_none() {
                text.push_str("DATA DIVISION . ");
            }
            text.push_str("WORKING-STORAGE SECTION . ");
            let linkage = program.linkage.map(|(start, _)| start);
            let next = [program.local, linkage, program.late_section];
            next.into_iter().flatten().min().unwrap_or(procedure)
        }
    };
    text.push_str(
        "01 TXM-POINTER POINTER . 01 TXM-POINTER-PARTS REDEFINES TXM-POINTER . \
         05 TXM-POINTER-LOW PIC 9(9) COMP-5 . 05 TXM-POINTER-HIGH PIC 9(9) COMP-5 . ",
    );
    for n in 1..=addresses {
        text.push_str(&format!("01 TXM-ADDRESS-{n} PIC X(4) COMP-X . "));
    }
    let place = items[..at.min(items.len())]
        .iter()
        .rev()
        .find_map(|i| match i {
            Item::Word(token) => Some(token.at),
            Item::Block(_) => None,
        });
    edits.insert(at, words(&text, place.unwrap_or_default()));
}
