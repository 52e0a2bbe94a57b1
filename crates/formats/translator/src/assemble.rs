//! Puts a program together: user's words, generated data, CALLs.
//!
//! Why two passes: the data of the commands stands before the commands. Not here: layout of lines
//! (see `printer`).

use crate::Options;
use crate::api::{Coverage, ProgramInfo};
use crate::argument::Argument;
use crate::blocks::{Block, Item};
use crate::command::{Plan, plan};
use crate::eib::{self, COMMAREA};
use crate::generated::{BRANCH, Generated};
use crate::names::Names;
use crate::printer::Printer;
use crate::structure::{Program, owners};
use crate::token::{At, Kind, Session, Token};
use std::collections::BTreeMap;
use transom_messages as messages;

/// Everything one pass over the items needs.
pub(crate) struct Assembly<'a> {
    pub(crate) items: &'a [Item],
    pub(crate) programs: &'a [Program],
    ebcdic_order: bool,
    /// Program of each item.
    owner: Vec<Option<usize>>,
    plans: BTreeMap<usize, Plan>,
    generated: Vec<Generated>,
    pub(crate) infos: Vec<ProgramInfo>,
    pub(crate) coverage: Coverage,
}

impl<'a> Assembly<'a> {
    /// First pass: plans every command.
    pub(crate) fn new(
        items: &'a [Item],
        programs: &'a [Program],
        options: &Options,
        session: &mut Session,
    ) -> Self {
        let mut this = Self {
            items,
            programs,
            ebcdic_order: options.ebcdic_order,
            owner: owners(items.len(), programs),
            plans: BTreeMap::new(),
            generated: programs.iter().map(|_| Generated::default()).collect(),
            infos: Vec::new(),
            coverage: Coverage::default(),
        };
        this.plan_all(session);
        this.infos = (0..programs.len()).map(|n| this.info(n)).collect();
        for n in (0..programs.len()).rev() {
            // The outermost program owns the EIB its nested programs use.
            if let Some(outer) = programs[n].nested_in.filter(|_| this.infos[n].uses_cics) {
                this.infos[outer].uses_cics |= programs[outer].procedure.is_some();
            }
        }
        this
    }

    fn plan_all(&mut self, session: &mut Session) {
        let names: Vec<Names> = (0..self.programs.len())
            .map(|n| {
                Names::read(self.items, &self.programs[n], |at| {
                    self.owner[at] == Some(n)
                })
            })
            .collect();
        for (at, item) in self.items.iter().enumerate() {
            let Item::Block(block) = item else { continue };
            if block.kind != "CICS" {
                self.other_block(block, session);
                continue;
            }
            let owner = self.owner[at];
            let Some(owner) = owner.filter(|_| self.in_procedure(at)) else {
                session.problem(messages::tr::outside_procedure_division(), block.at);
                continue;
            };
            let generated = &mut self.generated[owner];
            let (plan, used) = plan(block, at, &names[owner], generated, session);
            self.coverage.uses.extend(used);
            if let Some(plan) = plan {
                self.plans.insert(at, plan);
            }
        }
        let of = (self.items, self.programs, &*self.owner);
        self.plans
            .extend(crate::sql::plans(of, &names, &mut self.generated, session));
        self.coverage.untranslated.append(&mut session.untranslated);
        self.coverage.sql.append(&mut session.sql);
    }

    fn other_block(&self, block: &Block, session: &mut Session) {
        let first = block.body.first().map(Token::upper).unwrap_or_default();
        // INCLUDE of what is not supplied is left; all else of SQL is planned with its program.
        if block.kind == "SQL" && first != "INCLUDE" {
            return;
        }
        let kind = format!("EXEC {} {first}", block.kind).trim_end().to_owned();
        let message = messages::tr::not_translated(&block.kind, &first);
        session.not_done(kind, message, block.at);
    }

    fn info(&self, n: usize) -> ProgramInfo {
        let program = &self.programs[n];
        let mut info = ProgramInfo {
            name: program.name.clone(),
            line: program.at.line,
            nested_in: program.nested_in,
            has_local_storage: program.local.is_some(),
            labels: self.generated[n].labels(),
            ..ProgramInfo::default()
        };
        for at in program.start..program.end {
            if self.owner[at] != Some(n) {
                continue;
            }
            match &self.items[at] {
                Item::Word(token) if token.kind == Kind::Word => {
                    info.uses_cics |= eib::is_named(token);
                    info.has_commarea |= token.is("DFHCOMMAREA") && self.is_level(at, "01");
                }
                Item::Block(block) if block.kind == "CICS" => {
                    info.uses_cics = true;
                    info.commands += 1;
                }
                _ => {}
            }
        }
        info.uses_cics &= program.procedure.is_some();
        info
    }

    /// The word before this item is this level number.
    fn is_level(&self, at: usize, level: &str) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| match &self.items[before] {
                Item::Word(token) => token.is(level) || token.is(level.trim_start_matches('0')),
                Item::Block(_) => false,
            })
    }

    fn describes(&self, n: usize, name: &str) -> bool {
        let program = &self.programs[n];
        (program.start..program.end).any(|at| {
            self.owner[at] == Some(n)
                && matches!(&self.items[at], Item::Word(t) if t.is(name))
                && self.is_level(at, "01")
        })
    }

    /// Second pass: prints everything.
    pub(crate) fn print(&self, printer: &mut Printer) {
        let mut inserts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for n in 0..self.programs.len() {
            self.inserts(n, &mut inserts);
        }
        let mut last = At {
            inclusion: 0,
            line: 1,
            column: 8,
        };
        for (at, item) in self.items.iter().enumerate() {
            if let Some(lines) = inserts.get(&at) {
                for line in lines {
                    printer.line(last, line);
                }
            }
            last = self.item(at, item, printer);
        }
        for line in inserts
            .range(self.items.len()..)
            .flat_map(|(_, lines)| lines)
        {
            printer.line(last, line);
        }
    }

    fn item(&self, at: usize, item: &Item, printer: &mut Printer) -> At {
        match item {
            // The period of a block that leaves nothing behind in the DATA DIVISION.
            Item::Word(token) if token.kind == Kind::Period && self.follows_dropped(at) => token.at,
            Item::Word(token) => {
                printer.token(token);
                token.at
            }
            Item::Block(block) => {
                self.block(at, block, printer);
                block.end_at
            }
        }
    }

    fn in_procedure(&self, at: usize) -> bool {
        let procedure = self.owner[at].and_then(|n| self.programs[n].procedure);
        procedure.is_some_and(|(_, header)| at > header)
    }

    fn follows_dropped(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|n| self.items.get(n));
        matches!(before, Some(Item::Block(_))) && !self.in_procedure(at)
    }

    fn block(&self, at: usize, block: &Block, printer: &mut Printer) {
        let Some(plan) = self.plans.get(&at) else {
            if self.in_procedure(at) {
                printer.text(block.at, "CONTINUE");
            }
            return;
        };
        for statement in &plan.before {
            printer.text(block.at, statement);
        }
        printer.text(
            block.at,
            &format!("CALL 'TXMEXEC' USING {}", plan.descriptor),
        );
        let mut content = false;
        for argument in &plan.arguments {
            let now = matches!(argument, Argument::Content(_));
            if now != content {
                printer.text(
                    printer.place(),
                    if now { "BY CONTENT" } else { "BY REFERENCE" },
                );
                content = now;
            }
            match argument {
                Argument::Generated(field) => printer.text(printer.place(), field),
                Argument::Field(words) | Argument::Content(words) => {
                    for (n, word) in words.iter().enumerate() {
                        printer.operand(word, n == 0);
                    }
                }
            }
        }
        printer.text(block.end_at, &format!("RETURNING {BRANCH} END-CALL"));
        for statement in &plan.after {
            printer.text(block.end_at, statement);
        }
        let branches = self.owner[at]
            .map(|n| self.generated[n].branches())
            .unwrap_or_default();
        if plan.may_leave {
            printer.text(block.end_at, &format!("IF {BRANCH} < 0 GOBACK END-IF"));
        }
        if !branches.is_empty() && block.kind == "CICS" {
            printer.text(block.end_at, &branches);
        }
    }

    /// Lines to insert before items, for one program.
    fn inserts(&self, n: usize, out: &mut BTreeMap<usize, Vec<String>>) {
        let program = &self.programs[n];
        if self.ebcdic_order {
            crate::collating::inserts(self.items, program, out);
        }
        if let Some(at) = program.period_before {
            out.entry(at).or_default().insert(0, ".".to_owned());
        }
        let Some((procedure, header)) = program.procedure else {
            return;
        };
        if self.infos[n].uses_cics || !self.generated[n].is_empty() {
            self.working_storage(n, procedure, out);
        }
        if !self.infos[n].uses_cics {
            return;
        }
        let mut linkage = Vec::new();
        if !self.describes(n, "DFHEIBLK") {
            linkage.extend(eib::entries().map(str::to_owned));
        }
        if !self.infos[n].has_commarea {
            linkage.push(COMMAREA.to_owned());
        }
        match program.linkage {
            Some((_, at)) => out.entry(at).or_default().extend(linkage),
            None => {
                let lines = out
                    .entry(program.late_section.unwrap_or(procedure))
                    .or_default();
                lines.push("LINKAGE SECTION.".to_owned());
                lines.extend(linkage);
            }
        }
        self.procedure_inserts(n, procedure, header, out);
    }

    /// Data of a program's commands.
    fn working_storage(&self, n: usize, procedure: usize, out: &mut BTreeMap<usize, Vec<String>>) {
        let program = &self.programs[n];
        let next_section = [
            program.local,
            program.linkage.map(|(start, _)| start),
            program.late_section,
        ]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(procedure);
        let mut data = Vec::new();
        let at = match program.working {
            Some(_) => program.working_end,
            None => {
                if program.data.is_none() {
                    data.push("DATA DIVISION.".to_owned());
                }
                data.push("WORKING-STORAGE SECTION.".to_owned());
                next_section
            }
        };
        data.extend(self.generated[n].data(&program.name));
        if self.has_nested(n) {
            data.extend(eib::GLOBAL_POINTERS.iter().map(|l| (*l).to_owned()));
        }
        out.entry(at).or_default().extend(data);
    }

    fn procedure_inserts(
        &self,
        n: usize,
        procedure: usize,
        header: usize,
        out: &mut BTreeMap<usize, Vec<String>>,
    ) {
        let program = &self.programs[n];
        let words: Vec<&Token> = self.items[procedure..header]
            .iter()
            .filter_map(|i| match i {
                Item::Word(token) => Some(token),
                Item::Block(_) => None,
            })
            .collect();
        let using = words.iter().position(|t| t.is_any(&["USING", "CHAINING"]));
        let given = |name: &str| words.iter().any(|t| t.is(name));
        let nested = program.nested_in.is_some();
        if !nested && !given("DFHEIBLK") {
            let commarea = if given("DFHCOMMAREA") {
                ""
            } else {
                " DFHCOMMAREA"
            };
            let at_word = |at: Option<usize>| at.map(|at| procedure + at);
            let returning = words.iter().position(|t| t.is("RETURNING"));
            let (at, names) = match at_word(using) {
                Some(at) => (at + 1, format!("DFHEIBLK{commarea}")),
                None => {
                    let at = at_word(returning).unwrap_or(header);
                    (at, format!("USING DFHEIBLK{commarea}"))
                }
            };
            out.entry(at).or_default().push(names);
        }
        let mut entry = Vec::new();
        let start = program.declaratives_end.unwrap_or(header + 1);
        if program.declaratives_end.is_some() {
            entry.push("TXM-ENTRY-SECTION SECTION.".to_owned());
            entry.push("TXM-ENTRY.".to_owned());
        }
        if self.has_nested(n) {
            entry.push("SET TXM-EIB-POINTER TO ADDRESS OF DFHEIBLK".to_owned());
            entry.push("SET TXM-COMMAREA-POINTER TO ADDRESS OF DFHCOMMAREA".to_owned());
        }
        if nested && !given("DFHEIBLK") {
            entry.push("SET ADDRESS OF DFHEIBLK TO TXM-EIB-POINTER".to_owned());
            if !given("DFHCOMMAREA") {
                entry.push("SET ADDRESS OF DFHCOMMAREA TO TXM-COMMAREA-POINTER".to_owned());
            }
        }
        entry.push(format!(
            "CALL 'TXMENTRY' USING TXM-NAME RETURNING {BRANCH} END-CALL"
        ));
        entry.push(self.generated[n].branches());
        entry.push(".".to_owned());
        entry.retain(|line| !line.is_empty());
        out.entry(start).or_default().extend(entry);
    }

    /// Programs nested in an outermost one use its EIB.
    fn has_nested(&self, n: usize) -> bool {
        let inner = |(m, p): (usize, &Program)| p.nested_in == Some(n) && self.infos[m].uses_cics;
        self.programs[n].nested_in.is_none() && self.programs.iter().enumerate().any(inner)
    }
}
