//! A task that stops for a debugger: when it does, and what becomes of its commands.

use crate::fake::{Task, exec, region, start_by};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use transom_commands::{OptionId, cmd, opt};
use transom_region_commands::{
    Debugger, Edited, Executor, Statement, Stopped, SuppliedPrograms, Verdict,
};
use transom_types::{AbendCode, Payload, Resp, StartedBy, TermId, TransId, UserId};
use transom_wire::Module;
use transom_wire::edf::{Session, Target};
use transom_workers::seam::{Area, Commands, Host, Outcome, TaskEnd};

/// What the debugger answers before and after commands, and what it was called for.
#[derive(Default)]
struct Script {
    before: VecDeque<Verdict>,
    after: VecDeque<Verdict>,
    edited: Vec<(OptionId, Edited)>,
    seen: Vec<String>,
}

struct Scripted(Rc<RefCell<Script>>);

impl Scripted {
    fn saw(&self, what: &str) {
        self.0.borrow_mut().seen.push(what.to_owned());
    }
}

impl Debugger for Scripted {
    fn attends(&mut self, at: Stopped<'_>) -> bool {
        let target = Target::Transaction(at.task.transaction.transid);
        target.session(at.host.shared()).is_some()
    }
    fn program_begins(&mut self, at: Stopped<'_>) {
        self.saw(&format!("begin {}", at.task.program()));
    }
    fn before(&mut self, _: Stopped<'_>, _: &mut Statement<'_>) -> Verdict {
        self.saw("before");
        let next = self.0.borrow_mut().before.pop_front();
        next.unwrap_or(Verdict::GoOn)
    }
    fn edited(&mut self) -> Vec<(OptionId, Edited)> {
        std::mem::take(&mut self.0.borrow_mut().edited)
    }
    fn after(&mut self, _: Stopped<'_>, _: &mut Statement<'_>) -> Verdict {
        self.saw("after");
        let next = self.0.borrow_mut().after.pop_front();
        next.unwrap_or(Verdict::GoOn)
    }
    fn program_ends(&mut self, at: Stopped<'_>) {
        self.saw(&format!("end {}", at.task.program()));
    }
    fn link_over(&mut self, _: Stopped<'_>) -> Verdict {
        self.saw("link over");
        Verdict::GoOn
    }
    fn abended(&mut self, _: Stopped<'_>, code: AbendCode, _: &str) {
        self.saw(&format!("abend {code}"));
    }
    fn task_ends(&mut self, _: Stopped<'_>, _: &TaskEnd) {
        self.saw("task ends");
    }
    fn is_over(&self) -> bool {
        false
    }
    fn forget(&mut self, _: &mut dyn Host) {
        self.saw("forget");
    }
}

struct NoPrograms;

impl SuppliedPrograms for NoPrograms {
    fn run(&mut self, _: &mut Executor, _: &mut dyn Host, _: &Module, _: Area) -> Outcome {
        Outcome::Return
    }
    fn task_ended(&mut self) {}
}

fn target() -> Target {
    Target::Transaction(TransId::new("TRN1").unwrap())
}

fn switch_on(task: &Task) {
    let session = Session {
        terminal: TermId::new("T001").unwrap(),
        user: UserId::new("BOB").unwrap(),
        read_only: false,
    };
    assert!(target().begin(&*task.host.shared, &session));
}

fn task() -> (Task, Rc<RefCell<Script>>) {
    let script = Rc::new(RefCell::new(Script::default()));
    let debugger = Box::new(Scripted(script.clone()));
    let exec = Executor::with_supplied(Box::new(NoPrograms), debugger);
    let payload = Payload::Commarea(Vec::new());
    let started = start_by(
        exec,
        (&region(), 1, "MAIN"),
        StartedBy::Internal,
        0,
        payload,
    );
    (started.expect("the task starts"), script)
}

fn seen(script: &Rc<RefCell<Script>>) -> Vec<String> {
    std::mem::take(&mut script.borrow_mut().seen)
}

#[test]
fn a_task_stops_from_the_next_command_on_and_only_while_it_is_debugged() {
    let (mut task, script) = task();
    task.run(&mut exec(cmd::ASKTIME));
    assert_eq!(seen(&script), [""; 0]);
    switch_on(&task);
    task.run(&mut exec(cmd::ASKTIME));
    assert_eq!(seen(&script), ["before", "after"]);
    task.link("SUB");
    task.exec.program_begins(&mut task.host);
    task.back();
    assert_eq!(
        seen(&script),
        ["before", "begin SUB", "end SUB", "link over"]
    );
    assert!(target().end(&*task.host.shared));
    task.run(&mut exec(cmd::ASKTIME));
    assert_eq!(seen(&script), [""; 0]);
}

#[test]
fn the_end_of_a_task_is_shown_and_forgotten() {
    let (mut task, script) = task();
    switch_on(&task);
    task.abend(0, "ASRA");
    task.end();
    assert_eq!(seen(&script), ["abend ASRA", "task ends", "forget"]);
}

#[test]
fn a_command_is_left_out() {
    let (mut task, script) = task();
    switch_on(&task);
    script.borrow_mut().before = VecDeque::from([Verdict::Skip]);
    let link = exec(cmd::LINK).text(opt::PROGRAM, "OFF");
    assert_eq!(task.resp(link), (Resp::NORMAL, 0));
    assert_eq!(&task.host.eib[27..29], [0x0E, 0x02]);
}

#[test]
fn a_response_goes_where_the_condition_would() {
    let (mut task, script) = task();
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::NOTFND, 3));
    switch_on(&task);
    script.borrow_mut().after = VecDeque::from([
        Verdict::Respond(Resp::NOTFND),
        Verdict::Respond(Resp::NORMAL),
    ]);
    assert_eq!(task.run(&mut exec(cmd::ASKTIME)), Outcome::Branch(3));
    assert_eq!(task.eib_number(76), u32::from(Resp::NOTFND.0));
    // A condition that nobody handles, made good.
    let mut link = exec(cmd::LINK).text(opt::PROGRAM, "OFF");
    assert_eq!(task.run(&mut link), Outcome::Continue);
    assert_eq!(task.eib_number(76), 0);
}

#[test]
fn the_user_ends_the_task() {
    let (mut task, script) = task();
    switch_on(&task);
    let code = AbendCode::from_field(b"U123");
    script.borrow_mut().before = VecDeque::from([Verdict::Abend(code, "BOB".to_owned())]);
    let outcome = task.run(&mut exec(cmd::ASKTIME));
    assert_eq!(outcome, Outcome::Abend(code, "BOB".to_owned()));
    assert_eq!(seen(&script), ["before"]);
}

#[test]
fn a_constant_is_another_one_for_one_command() {
    let (mut task, script) = task();
    switch_on(&task);
    let mut link = exec(cmd::LINK).text(opt::PROGRAM, "OFF");
    let typed = (opt::PROGRAM, Edited::Text(b"SUB".to_vec()));
    script.borrow_mut().edited = vec![typed];
    assert!(matches!(task.run(&mut link), Outcome::Link(..)));
    task.back();
    assert!(matches!(task.run(&mut link), Outcome::Abend(..)));
    assert_eq!(link.got_text(opt::PROGRAM), "OFF");
}
