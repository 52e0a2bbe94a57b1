//! One EXEC CICS command: checks it against the table and plans its CALL.
//!
//! Not here: arguments in detail (see `argument`), printing (see `assemble`).

use crate::api::CommandUse;
use crate::argument::{Argument, Temporaries, argument};
use crate::blocks::Block;
use crate::clauses::{Clause, clauses};
use crate::generated::{Generated, MAX_LABELS};
use crate::names::Names;
use crate::token::{Kind, Session, Token};
use std::collections::HashSet;
use transom_commands::abi::{Descriptor, FLAG_GOBACK, FLAG_NOHANDLE};
use transom_commands::{ArgKind, Command, OptionId, OptionSpec, Status, by_words, opt};
use transom_messages as messages;
use transom_types::nearest;

/// What to print for a command.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Field of the descriptor.
    pub(crate) descriptor: String,
    /// Statements before the CALL.
    pub(crate) before: Vec<String>,
    pub(crate) arguments: Vec<Argument>,
    /// Statements after the CALL.
    pub(crate) after: Vec<String>,
    /// The run time may ask to leave the program.
    pub(crate) may_leave: bool,
}

/// Plans one command, which is this item of the program with these names; `None` when it is wrong
/// (problems say why).
pub(crate) fn plan(
    block: &Block,
    item: usize,
    names: &Names,
    generated: &mut Generated,
    session: &mut Session,
) -> (Option<Plan>, Option<CommandUse>) {
    let clauses = clauses(&block.body, session);
    let words: Vec<&str> = clauses.iter().map(|c| c.word.as_str()).collect();
    let Some(command) = by_words(&words) else {
        unknown_command(block, &words, session);
        return (None, None);
    };
    let place = session.place(block.at);
    let mut used = CommandUse {
        command: command.id,
        name: command.name,
        status: command.status,
        options: Vec::new(),
        literals: Vec::new(),
        file: place.file,
        line: place.line,
    };
    let errors = session.problems.len();
    let mut planner = Planner {
        command,
        item,
        names,
        generated,
        session,
        temporaries: Temporaries::default(),
        descriptor: Descriptor {
            command: command.id,
            line: block.at.line,
            ..Descriptor::default()
        },
        plan: Plan::default(),
        given: HashSet::new(),
    };
    for (n, clause) in clauses.iter().enumerate() {
        if let Some(option) = planner.clause(clause, n) {
            used.options.push((option.keyword, option.status));
            if let Some(text) = literal(clause) {
                used.literals.push((option.keyword, text));
            }
        }
    }
    planner.default_map_area(&clauses);
    planner.check_required(block);
    let plan = planner.finish(block);
    let failed = session.problems[errors..].iter().any(|p| p.is_error());
    (plan.filter(|_| !failed), Some(used))
}

/// The argument, where it is one literal.
fn literal(clause: &Clause) -> Option<String> {
    match clause.argument.as_deref() {
        Some([one]) if one.kind == Kind::Literal => {
            Some(one.text.trim_matches(['\'', '"']).trim_end().to_owned())
        }
        _ => None,
    }
}

fn unknown_command(block: &Block, words: &[&str], session: &mut Session) {
    let Some(first) = words.first() else {
        session.problem(messages::tr::no_command(), block.at);
        return;
    };
    let written = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let names = transom_commands::all().iter().map(|c| c.name);
    let near = nearest(&written, names.clone()).or_else(|| nearest(first, names));
    let message = match near {
        Some(name) => messages::tr::not_a_command_but(written, name),
        None => messages::tr::not_a_command(written),
    };
    session.problem(message, block.at);
}

struct Planner<'a> {
    command: &'static Command,
    item: usize,
    names: &'a Names,
    generated: &'a mut Generated,
    session: &'a mut Session,
    temporaries: Temporaries,
    descriptor: Descriptor,
    plan: Plan,
    given: HashSet<OptionId>,
}

impl Planner<'_> {
    fn clause(&mut self, clause: &Clause, n: usize) -> Option<&'static OptionSpec> {
        let word = clause.word.as_str();
        let in_name = |words: &&[&str]| words.contains(&word);
        let named = n == 0 || in_name(&self.command.words) || self.command.also.iter().any(in_name);
        let option = self
            .command
            .option(word)
            .filter(|_| n > 0 || clause.argument.is_some());
        let Some(option) = option else {
            if named && clause.argument.is_none() {
                return None;
            }
            self.unknown_option(clause);
            return None;
        };
        if named && clause.argument.is_none() && needs_argument(option) {
            return None;
        }
        if !self.given.insert(option.id) {
            self.session.problem(
                messages::tr::option_again(self.command.name, word),
                clause.at,
            );
            return None;
        }
        self.option(clause, option);
        Some(option)
    }

    fn unknown_option(&mut self, clause: &Clause) {
        let (word, name) = (&clause.word, self.command.name);
        if self.command.open_options {
            self.session
                .problem(messages::tr::option_ignored(name, word), clause.at);
            return;
        }
        let known = self.command.options.iter().map(|o| o.keyword);
        let common = transom_commands::common_options().iter().map(|o| o.keyword);
        let message = match nearest(word, known.chain(common)) {
            Some(near) => messages::tr::not_an_option_but(word, name, near),
            None => messages::tr::not_an_option(word, name),
        };
        self.session.problem(message, clause.at);
    }

    fn option(&mut self, clause: &Clause, option: &'static OptionSpec) {
        if option.id == opt::NOHANDLE || option.id == opt::RESP {
            self.descriptor.flags |= FLAG_NOHANDLE;
        }
        let name = self.command.name;
        match (&clause.argument, option.argument) {
            (None, _) if needs_argument(option) => {
                self.session.problem(
                    messages::tr::argument_missing(name, &clause.word),
                    clause.at,
                );
            }
            (None, ArgKind::Label) => self.descriptor.labels.push((option.id, 0)),
            (None, _) => self.descriptor.keywords.push(option.id),
            (Some(words), ArgKind::None) => {
                let at = words.first().map_or(clause.at, |t| t.at);
                self.session
                    .problem(messages::tr::argument_not_taken(name, &clause.word), at);
            }
            (Some(words), ArgKind::Label) => {
                let label = self.label(clause, words);
                self.descriptor.labels.push((option.id, label));
            }
            (Some(words), kind) => self.argument(clause, option.id, words, kind),
        }
    }

    fn label(&mut self, clause: &Clause, words: &[Token]) -> u16 {
        if words.is_empty() {
            self.session.problem(
                messages::tr::label_missing(self.command.name, &clause.word),
                clause.at,
            );
            return 0;
        }
        self.generated
            .label(self.names.label(self.item, words))
            .unwrap_or_else(|| {
                self.session
                    .problem(messages::tr::too_many_labels(MAX_LABELS), clause.at);
                0
            })
    }

    fn argument(&mut self, clause: &Clause, id: OptionId, words: &[Token], kind: ArgKind) {
        let made = argument(words, kind, self.generated, &mut self.temporaries);
        match made {
            Ok(made) => {
                self.plan.before.extend(made.before);
                self.plan.after.extend(made.after);
                self.plan.arguments.push(made.argument);
                self.descriptor.arguments.push(id);
            }
            Err(why) => {
                let at = words.first().map_or(clause.at, |t| t.at);
                self.session.problem(
                    messages::tr::argument_not_valid(self.command.name, &clause.word, &why),
                    at,
                );
            }
        }
    }

    /// SEND MAP('M') and RECEIVE MAP('M') without an area use the symbolic map MO or MI.
    fn default_map_area(&mut self, clauses: &[Clause]) {
        let (area, suffix, instead) = match self.command.name {
            "SEND MAP" | "SEND MAP MAPPINGDEV" => (opt::FROM, 'O', opt::MAPONLY),
            "RECEIVE MAP" | "RECEIVE MAP MAPPINGDEV" => (opt::INTO, 'I', opt::SET),
            _ => return,
        };
        let map = clauses
            .iter()
            .find(|c| c.word == "MAP")
            .and_then(|c| c.argument.as_deref());
        let Some([name]) = map.filter(|_| !self.given.contains(&area)) else {
            return;
        };
        if name.kind != Kind::Literal || self.given.contains(&instead) {
            return;
        }
        let field = format!("{}{suffix}", name.text.trim_matches(['\'', '"']).trim_end());
        if self.names.has_data(&field.to_ascii_uppercase()) {
            self.given.insert(area);
            self.descriptor.arguments.push(area);
            self.plan.arguments.push(Argument::Generated(field));
        }
    }

    fn check_required(&mut self, block: &Block) {
        let name = self.command.name;
        let mut seen = HashSet::new();
        for option in self.command.options.iter().filter(|o| o.required) {
            // A synonym has the number of its main keyword; one message for both.
            if !self.given.contains(&option.id) && seen.insert(option.id) {
                let keyword = transom_commands::option_name(option.id);
                self.session
                    .problem(messages::tr::option_missing(name, keyword), block.at);
            }
        }
        for set in self.command.needs_one_of {
            if !set.iter().any(|id| self.given.contains(id)) {
                let names: Vec<&str> = set
                    .iter()
                    .map(|id| transom_commands::option_name(*id))
                    .collect();
                self.session.problem(
                    messages::tr::one_option_missing(name, names.join(", ")),
                    block.at,
                );
            }
        }
    }

    fn finish(mut self, block: &Block) -> Option<Plan> {
        let name = self.command.name;
        if self.command.status == Status::Invreq {
            self.session
                .problem(messages::tr::answers_invreq(name), block.at);
        }
        let may_leave = matches!(name, "RETURN" | "XCTL" | "XCTL PROGRAM" | "ABEND");
        if may_leave {
            self.descriptor.flags |= FLAG_GOBACK;
        }
        let Some(bytes) = self.descriptor.encode() else {
            self.session
                .problem(messages::tr::too_many_options(name), block.at);
            return None;
        };
        let mut plan = self.plan;
        plan.descriptor = self.generated.descriptor(bytes);
        plan.may_leave = may_leave;
        Some(plan)
    }
}

fn needs_argument(option: &OptionSpec) -> bool {
    option.argument != ArgKind::None && !option.argument_optional
}
