//! EDF: a task under CEDF or CEDX, stop by stop.
//!
//! What: [`Edf`], the debugger of a worker. The task that is debugged makes its displays itself and
//! waits for the keys, so no other task waits for it and the region process has no part in it
//! ([decision](../../../../../docs/decisions/0070-edf-lives-in-workers.md)). Reading order: here,
//! `conversation` (keys), `page` and `statement` (what is shown), `storage`, `conditions`, `screen`
//! with `own` and `other` (where), `control` (CEDF and CEDX themselves). A display that cannot be
//! shown ends EDF, never the task. Not here: where tasks stop (`region/commands`).

mod conditions;
pub(crate) mod control;
mod conversation;
mod keys;
mod lost;
mod other;
mod own;
mod page;
mod records;
mod screen;
mod statement;
mod storage;
mod task;
mod text;

use conversation::{Step, converse};
use lost::Lost;
use other::OtherScreen;
use page::{Kind, Page, facts};
use screen::Screen;
use statement::Shown;
use task::Task;
use transom_commands::OptionId;
use transom_messages::ed;
use transom_region_commands::{Debugger, Edited, Statement, Stopped, Verdict, eib};
use transom_types::{AbendCode, ProgramName, Resp, TermId};
use transom_wire::Space;
use transom_wire::definitions::{ProgramEntry, TaskEntry};
use transom_wire::edf::{Session, Target};
use transom_workers::seam::{Host, TaskEnd};

/// Commands that use the terminal begin with these words.
const AT_TERMINAL: [&str; 7] = [
    "SEND",
    "RECEIVE",
    "CONVERSE",
    "ISSUE",
    "ROUTE",
    "PURGE MESSAGE",
    "WAIT TERMINAL",
];

/// The debugger.
#[derive(Default)]
pub(crate) struct Edf {
    task: Option<Task>,
    /// What is under EDF, and what `Shared::changes` said when it was read.
    known: (Option<u64>, Vec<(Target, Session)>),
    /// The task goes on without it.
    over: bool,
}

impl Debugger for Edf {
    fn attends(&mut self, mut at: Stopped<'_>) -> bool {
        if let Some(task) = &self.task
            && task.number == at.task.number
        {
            if !self.over && task.target.session(at.host.shared()).as_ref() == Some(&task.session) {
                return true;
            }
            self.leave(&mut at);
            return false;
        }
        self.over = false;
        let changes = at.host.shared().changes(Space::Edf);
        if self.known.0 != Some(changes) {
            self.known = (Some(changes), Target::all(at.host.shared()));
        }
        self.task = find(&mut at, &self.known.1);
        self.task.is_some()
    }

    fn program_begins(&mut self, at: Stopped<'_>) {
        let program = at.task.program();
        self.show(at, None, |_, at| {
            let mut page = Page::new(Kind::Initiation, program);
            page.rows = facts(at);
            Some(page)
        });
    }

    fn before(&mut self, at: Stopped<'_>, statement: &mut Statement<'_>) -> Verdict {
        let program = at.task.program();
        self.show(at, Some(statement), |task, _| {
            task.edited.clear();
            Some(Page::new(Kind::Before, program))
        })
    }

    fn edited(&mut self) -> Vec<(OptionId, Edited)> {
        let task = self.task.as_mut();
        task.map_or_else(Vec::new, |task| std::mem::take(&mut task.edited))
    }

    fn after(&mut self, at: Stopped<'_>, statement: &mut Statement<'_>) -> Verdict {
        let program = at.task.program();
        self.show(at, Some(statement), |_, at| {
            let mut page = Page::new(Kind::After, program);
            let (_, (resp, _)) = eib::outcome(at.host.eib_mut());
            page.resp = Some(resp);
            page.responds = true;
            Some(page)
        })
    }

    fn program_ends(&mut self, at: Stopped<'_>) {
        let program = at.task.program();
        self.show(at, None, |_, _| Some(Page::new(Kind::ProgramEnd, program)));
    }

    fn link_over(&mut self, at: Stopped<'_>) -> Verdict {
        let program = at.task.program();
        self.show(at, None, |task, at| {
            let mut shown = task.links.pop()?;
            shown.again(at.host);
            let mut page = Page::new(Kind::After, program);
            page.resp = Some(Resp::NORMAL);
            page.shown = Some(shown);
            Some(page)
        })
    }

    fn abended(&mut self, at: Stopped<'_>, code: AbendCode, text: &str) {
        if code == AbendCode::AKC3 || code == AbendCode::AICA {
            // A task that is purged waits for nobody.
            self.over = true;
            return;
        }
        let text = text.to_owned();
        self.show(at, None, |task, at| {
            task.links.clear();
            let program = at.task.abend.program.unwrap_or(at.task.program());
            Some(abend_page(Kind::Abend, program, (code, &text), at))
        });
    }

    fn task_ends(&mut self, at: Stopped<'_>, end: &TaskEnd) {
        let program = at.task.program();
        let next = at.task.terminal.get().is_some_and(|own| own.next.is_some());
        let reply = if next { "YES" } else { "NO" };
        let again = Stopped {
            host: &mut *at.host,
            task: &mut *at.task,
        };
        if *end == TaskEnd::Normal && !program.is_blank() {
            self.program_ends(again);
        }
        let mut at = at;
        if !self.over {
            let end = end.clone();
            self.show(
                Stopped {
                    host: &mut *at.host,
                    task: &mut *at.task,
                },
                None,
                |_, at| {
                    let mut page = match &end {
                        TaskEnd::Normal => Page::new(Kind::TaskEnd, ProgramName::BLANK),
                        TaskEnd::Abend(code, text) => {
                            let kind = Kind::AbnormalEnd;
                            abend_page(kind, ProgramName::BLANK, (*code, text), at)
                        }
                    };
                    page.reply = Some(reply);
                    Some(page)
                },
            );
        }
        self.leave(&mut at);
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn forget(&mut self, host: &mut dyn Host) {
        let Some(task) = self.task.take() else {
            return;
        };
        let shows = task.target.release(host.shared(), task.number);
        if shows != 0 {
            host.post(shows);
        }
    }
}

impl Edf {
    /// Shows a display, unless displays are suppressed or the program has none.
    fn show(
        &mut self,
        mut at: Stopped<'_>,
        statement: Option<&mut Statement<'_>>,
        make: impl FnOnce(&mut Task, &mut Stopped<'_>) -> Option<Page>,
    ) -> Verdict {
        let Some(task) = self.task.as_mut().filter(|_| !self.over) else {
            return Verdict::GoOn;
        };
        let Some(page) = make(task, &mut at) else {
            return Verdict::GoOn;
        };
        let verdict = stop(task, &mut at, statement, page);
        let step = match verdict {
            Ok(step) => step,
            Err(lost) => return self.lost(&mut at, lost),
        };
        match step {
            Step::GoOn => Verdict::GoOn,
            Step::Skip => Verdict::Skip,
            Step::Respond(resp) => Verdict::Respond(resp),
            Step::Abend(code) => {
                let user = &task.session.user;
                Verdict::Abend(code, format!("EDF user {user} asked for it"))
            }
            Step::End => {
                task.target.end(at.host.shared());
                self.leave(&mut at);
                Verdict::GoOn
            }
        }
    }

    /// A display could not be shown.
    fn lost(&mut self, at: &mut Stopped<'_>, lost: Lost) -> Verdict {
        if let (Some(task), Lost::Gone) = (&self.task, lost) {
            task.target.end(at.host.shared());
            let text = ed::goes_on(task.number, task.session.terminal);
            at.host.log(text.line());
        }
        self.leave(at);
        Verdict::GoOn
    }

    /// The task goes on without displays, with its own screen.
    fn leave(&mut self, at: &mut Stopped<'_>) {
        if let Some(task) = &mut self.task {
            task.screen.leave(at);
        }
        self.over = true;
    }
}

/// Stops a task at a display.
fn stop(
    task: &mut Task,
    at: &mut Stopped<'_>,
    mut statement: Option<&mut Statement<'_>>,
    mut page: Page,
) -> Result<Step, Lost> {
    if let Some(statement) = statement.as_deref_mut() {
        page.shown = Some(Shown::of(at.host, statement));
        page.responds &= matches!(statement, Statement::Command(_));
    }
    let name = page.shown.as_ref().map(|shown| shown.name.clone());
    let name = name.unwrap_or_default();
    let uses = AT_TERMINAL.iter().any(|words| name.starts_with(words));
    if page.kind == Kind::After && uses {
        task.screen.wrote(at)?;
    }
    let step = match is_shown(task, at, &page) {
        false => Step::GoOn,
        true => {
            task.suppressed = false;
            converse(task, at, &mut page, statement)?
        }
    };
    if matches!(page.kind, Kind::Before | Kind::After) {
        task.remember(page.as_rows(task.hex));
    }
    if page.kind == Kind::Before && step == Step::GoOn {
        if uses {
            task.screen.give_back(at);
        }
        if name == "LINK"
            && let Some(shown) = page.shown
        {
            task.links.push(shown);
        }
    }
    if page.kind == Kind::After && name == "LINK" {
        task.links.pop();
    }
    Ok(step)
}

/// The task stops at this display.
fn is_shown(task: &Task, at: &Stopped<'_>, page: &Page) -> bool {
    let program = at.task.program();
    let hidden = !program.is_blank()
        && ProgramEntry::find(at.host.shared(), program).is_some_and(|entry| !entry.cedf);
    if hidden
        && matches!(
            page.kind,
            Kind::Initiation | Kind::Before | Kind::After | Kind::ProgramEnd
        )
    {
        return false;
    }
    if !task.suppressed {
        return true;
    }
    let stop = &task.conditions;
    let shown = page.shown.as_ref();
    match page.kind {
        Kind::Before => shown.is_some_and(|shown| stop.before(&shown.name, shown.line)),
        Kind::After => page.resp.is_some_and(|resp| stop.after(resp)),
        Kind::Abend => stop.abend,
        Kind::TaskEnd => stop.normal_end,
        Kind::AbnormalEnd => stop.abnormal_end,
        Kind::Initiation | Kind::ProgramEnd => false,
    }
}

/// What an abend says of itself.
fn abend_page(
    kind: Kind,
    program: ProgramName,
    (code, text): (AbendCode, &str),
    at: &mut Stopped<'_>,
) -> Page {
    let mut page = Page::new(kind, program);
    page.rows = facts(at);
    let place = at.task.abend.place.filter(|_| at.task.abend.program_check);
    let place = place.map_or(String::new(), |place| {
        let (offset, line, code) = (place.offset(), place.line, place.interruption);
        format!("   OFFSET:X'{offset:06X}' LINE:{line:05} INTERRUPT: S0C{code:X}")
    });
    page.place = Some(format!("ABEND :    {code}{place}"));
    page.message = text.to_owned();
    page
}

/// The session a task belongs to, if there is one and no other task has it.
fn find(at: &mut Stopped<'_>, all: &[(Target, Session)]) -> Option<Task> {
    let (number, transid) = (at.task.number, at.task.transaction.transid);
    let own = at.task.terminal.get().map(|own| own.facts.terminal);
    let is = |target: &Target| match target {
        Target::Terminal(terminal) => Some(*terminal) == own,
        Target::Transaction(name) => *name == transid,
    };
    let (target, session) = all.iter().find(|(target, _)| is(target)).cloned()?;
    let program = at.task.transaction.program;
    if ProgramEntry::find(at.host.shared(), program).is_some_and(|p| p.module().is_supplied()) {
        return None;
    }
    let runs = |task: u32| TaskEntry::find(at.host.shared(), task).is_some();
    if !target.claim(at.host.shared(), number, &runs) {
        return None;
    }
    let screen = screen_of(target, &session, own);
    Some(Task::new(number, target, session, screen))
}

fn screen_of(target: Target, session: &Session, own: Option<TermId>) -> Screen {
    match own == Some(session.terminal) {
        true => Screen::Own(own::OwnScreen::default()),
        false => Screen::Other(OtherScreen::new(target, session.terminal)),
    }
}
