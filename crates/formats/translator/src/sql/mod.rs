//! EXEC SQL of one program: what each block becomes.
//!
//! What: reads all statements of a program, resolves cursors and host variables, and plans the CALL
//! of each with its static descriptor (`transom_commands::sql`). Not here: SQL (`transom_sql`),
//! running it, INCLUDE (`copying`), printing (`assemble`).

mod cursors;
mod hosts;
mod items;
mod made;
mod rewritten;
mod statement;
mod text;

use crate::blocks::Item;
use crate::command::Plan;
use crate::generated::Generated;
use crate::names::Names;
use crate::structure::Program;
use crate::token::{At, Session, Token};
use cursors::{Declared, cursors, fetches};
use items::Items;
use made::Made;
use statement::Ask;
use std::collections::{BTreeMap, HashMap};
use text::Text;
use transom_commands::sql::{FLAG_NATIVE, MAX_ITEMS, Role, Statement as Descriptor, Verb};
use transom_messages as messages;
use transom_sql::{Action, CursorSource, Kind, SqlProblem, Statement, Whenever};

/// A statement of the program.
struct Read {
    /// Item of its block.
    at: usize,
    place: At,
    text: Text,
    statement: Statement,
}

/// What WHENEVER says at a place of the program.
#[derive(Default)]
struct Handlers {
    not_found: Option<String>,
    error: Option<String>,
    warning: Option<String>,
}

/// Plans all EXEC SQL of a file's programs, items and owner of each; blocks without a plan leave
/// nothing behind.
pub(crate) fn plans(
    (items, programs, owner): (&[Item], &[Program], &[Option<usize>]),
    names: &[Names],
    generated: &mut [Generated],
    session: &mut Session,
) -> BTreeMap<usize, Plan> {
    let mut out = BTreeMap::new();
    for (n, ((program, names), generated)) in programs.iter().zip(names).zip(generated).enumerate()
    {
        let own = |at: &usize| owner[*at] == Some(n);
        let all = program.start..program.end.min(items.len());
        let statements = read(items, all.clone().filter(own), session);
        if statements.is_empty() {
            continue;
        }
        let header = program.procedure.map_or(program.end, |(first, _)| first);
        let data = program.start..header.min(all.end);
        let mut planner = Planner {
            items: Items::read(items, data.filter(own)),
            cursors: cursors(statements.iter().map(|read| &read.statement)),
            statements: &statements,
            program: &program.name,
            generated,
            session,
        };
        planner.all(program, names, &mut out);
    }
    out
}

/// All statements that can be read; what is wrong with the others is told.
fn read(items: &[Item], own: impl Iterator<Item = usize>, session: &mut Session) -> Vec<Read> {
    let mut out = Vec::new();
    for at in own {
        let Item::Block(block) = &items[at] else {
            continue;
        };
        if block.kind != "SQL" {
            continue;
        }
        let text = Text::of(&block.body);
        match transom_sql::statement(&text.text) {
            Ok(statement) => out.push(Read {
                at,
                place: block.at,
                text,
                statement,
            }),
            Err(problem) => {
                let place = text.place(problem.at.offset, block.at);
                session.problem(messages::sq::refused(&problem), place);
            }
        }
    }
    out
}

impl Handlers {
    /// Statements behind each CALL.
    fn branches(&self) -> Vec<String> {
        let all = [
            (&self.not_found, "SQLCODE = 100"),
            (&self.error, "SQLCODE < 0"),
            (&self.warning, "SQLCODE > 0 AND SQLCODE NOT = 100"),
        ];
        let branch = |(label, when): (&Option<String>, &str)| {
            let label = label.as_ref()?;
            Some(format!("IF {when} GO TO {label} END-IF"))
        };
        all.into_iter().filter_map(branch).collect()
    }
}

struct Planner<'a> {
    items: Items,
    cursors: HashMap<String, Declared>,
    statements: &'a [Read],
    program: &'a str,
    generated: &'a mut Generated,
    session: &'a mut Session,
}

impl Planner<'_> {
    fn all(&mut self, program: &Program, names: &Names, out: &mut BTreeMap<usize, Plan>) {
        let mut handlers = Handlers::default();
        for read in self.statements {
            if let Kind::Whenever { condition, action } = &read.statement.kind {
                self.handle(&mut handlers, (*condition, action), read, names);
                continue;
            }
            if program.procedure.is_none_or(|(_, period)| read.at < period) {
                self.check(read);
                continue;
            }
            if let Some(mut plan) = self.plan(read) {
                plan.after.extend(handlers.branches());
                out.insert(read.at, plan);
            }
        }
    }

    fn handle(
        &mut self,
        handlers: &mut Handlers,
        (condition, action): (Whenever, &Action),
        read: &Read,
        names: &Names,
    ) {
        let label = match action {
            Action::Continue => None,
            Action::GoTo(name) => {
                let word = Token {
                    kind: crate::token::Kind::Word,
                    text: name.as_str().into(),
                    at: read.place,
                    glued: false,
                    debug: false,
                };
                Some(names.label(read.at, &[word]))
            }
            Action::Do(name) => {
                let why = format!("WHENEVER has no DO {name} in COBOL");
                self.session.problem(messages::sq::refused(why), read.place);
                None
            }
        };
        let place = match condition {
            Whenever::NotFound => &mut handlers.not_found,
            Whenever::SqlError => &mut handlers.error,
            Whenever::SqlWarning => &mut handlers.warning,
        };
        *place = label;
    }

    /// A statement outside of the PROCEDURE DIVISION is a declaration.
    fn check(&mut self, read: &Read) {
        if !statement::is_declaration(&read.statement.kind) {
            self.session
                .problem(messages::tr::outside_procedure_division(), read.place);
        }
    }

    fn plan(&mut self, read: &Read) -> Option<Plan> {
        let ask = match statement::ask(&read.statement, read.text.text.as_str()) {
            Ok(Some(ask)) => ask,
            Ok(None) => return None,
            Err(what) => {
                let message = messages::sq::refused(format!("{what} is not done"));
                self.session
                    .not_done(format!("EXEC SQL {what}"), message, read.place);
                return None;
            }
        };
        let mut made = Made {
            verb: ask.verb,
            flags: 0,
            text: ask.text.clone().unwrap_or_default(),
            roles: Vec::new(),
            elements: Vec::new(),
            arguments: Vec::new(),
        };
        if let Some(name) = ask.cursor.as_ref().filter(|_| ask.is_of_cursor()) {
            let Some(declared) = self.cursors.get(name) else {
                self.session
                    .problem(messages::sq::no_cursor(name), read.place);
                return None;
            };
            made.flags = declared.flags();
            let problem = match ask.verb {
                Verb::Open => declared.refused(),
                _ => fetches(&declared.cursor, &read.statement.kind),
            };
            if let Some(problem) = problem {
                self.refuse(format!("CURSOR {name}"), &problem, read.place);
                return None;
            }
            if ask.verb == Verb::Open {
                self.open(declared.read, &mut made)?;
            }
        }
        self.hosts(read, &ask, &mut made)?;
        self.look_at(read, &made);
        self.finish(read, &ask, made)
    }

    /// Tells what Db2 would refuse, or what is not done.
    fn refuse(&mut self, what: String, problem: &SqlProblem, place: At) {
        let message = messages::sq::refused(problem);
        match problem.refused {
            Some(_) => self
                .session
                .not_done(format!("EXEC SQL {what}"), message, place),
            None => self.session.problem(message, place),
        }
    }

    /// OPEN: the text of the cursor with its host variables.
    fn open(&mut self, declared: usize, made: &mut Made) -> Option<()> {
        let read = &self.statements[declared];
        let Kind::DeclareCursor(cursor) = &read.statement.kind else {
            return None;
        };
        if let CursorSource::Prepared(name) = &cursor.source {
            made.verb = Verb::OpenPrepared;
            made.text.clone_from(name);
            return Some(());
        }
        let whole = Ask::whole();
        self.hosts(read, &whole, made)
    }

    fn finish(&mut self, read: &Read, ask: &Ask, mut made: Made) -> Option<Plan> {
        if self.items.has("SQLCA") {
            made.item(Role::Sqlca, "SQLCA".to_owned());
            let native = self.items.is_native("SQLCODE");
            made.flags |= if native { FLAG_NATIVE } else { 0 };
        } else {
            for (role, name) in [(Role::Sqlcode, "SQLCODE"), (Role::Sqlstate, "SQLSTATE")] {
                if self.items.has(name) {
                    made.item(role, name.to_owned());
                }
            }
        }
        if made.roles.len() > MAX_ITEMS {
            let message = messages::sq::too_many_items(made.roles.len(), MAX_ITEMS);
            self.session.problem(message, read.place);
            return None;
        }
        let descriptor = Descriptor {
            verb: made.verb,
            flags: made.flags,
            line: read.place.line,
            roles: made.roles,
            elements: made.elements,
            cursor: ask.cursor.clone().unwrap_or_default(),
            program: self.program.to_owned(),
            text: made.text,
        };
        Some(Plan {
            descriptor: self.generated.descriptor(descriptor.encode()?),
            arguments: made.arguments,
            ..Plan::default()
        })
    }
}
