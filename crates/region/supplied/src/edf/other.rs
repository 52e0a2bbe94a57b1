//! Displays at another terminal than that of the task.
//!
//! What: a display goes to shared memory, CEDF is started at the other terminal, shows it and
//! leaves the key there; both wake each other. Why no request of the region: two workers can do
//! it alone. What can be lost is looked at each second: the terminal, the task that shows
//! displays, EDF itself. Not here: that task (`control`).

use super::lost::Lost;
use crate::panel::{Panel, Reply};
use transom_region_commands::{Stopped, ask_region};
use transom_types::{Resp, TermId, TransId, UserId};
use transom_wire::definitions::{TaskEntry, TerminalEntry};
use transom_wire::edf::{DISPLAYS, Display, Target};
use transom_wire::interval::{self, NO_REQID, StartData, StartRequest};
use transom_wire::terminal::{Asked, Request};
use transom_workers::seam::Waited;

/// Between two looks.
const LOOK_MS: u64 = 1_000;
/// A display task that was started takes its time; then another one is started.
const START_LOOKS: u32 = 30;

/// Another terminal.
pub(super) struct OtherScreen {
    pub(super) target: Target,
    pub(super) terminal: TermId,
    /// Displays so far.
    number: u32,
}

impl OtherScreen {
    pub(super) fn new(target: Target, terminal: TermId) -> Self {
        Self {
            target,
            terminal,
            number: 0,
        }
    }

    pub(super) fn show(&mut self, at: &mut Stopped<'_>, panel: &Panel) -> Result<Reply, Lost> {
        let (control, stream) = panel.stream().into_application();
        self.number += 1;
        let display = Display {
            number: self.number,
            control,
            stream,
        };
        if !self.target.show(at.host.shared(), &display) {
            return Err(self.off_or_gone(at));
        }
        let mut looks = 0;
        loop {
            self.wake(at, looks)?;
            if let Waited::Purged(_) = at.host.wait(Some(LOOK_MS)) {
                return Err(Lost::Purged);
            }
            let pressed = self.target.pressed(at.host.shared());
            if let Some(pressed) = pressed.filter(|pressed| pressed.number == self.number) {
                return Ok(Reply::new(pressed.aid, pressed.cursor, &pressed.data));
            }
            if self.target.session(at.host.shared()).is_none() {
                return Err(Lost::Off);
            }
            looks += 1;
        }
    }

    fn off_or_gone(&self, at: &Stopped<'_>) -> Lost {
        match self.target.session(at.host.shared()) {
            None => Lost::Off,
            Some(_) => Lost::Gone,
        }
    }

    /// Somebody must show the display.
    fn wake(&self, at: &mut Stopped<'_>, looks: u32) -> Result<(), Lost> {
        let shows = self.target.display_task(at.host.shared());
        if shows != 0 {
            if TaskEntry::find(at.host.shared(), shows).is_none() {
                return Err(Lost::Gone);
            }
            at.host.post(shows);
            return Ok(());
        }
        self.is_there(at)?;
        if looks.is_multiple_of(START_LOOKS) {
            self.start(at)?;
        }
        Ok(())
    }

    /// The terminal is logged on.
    fn is_there(&self, at: &mut Stopped<'_>) -> Result<(), Lost> {
        let request = Asked {
            own: TermId::BLANK,
            request: Request::Inquire(self.terminal),
        };
        let answer = ask_region(at.host, &request);
        if answer.abend.is_some() {
            return Err(Lost::Purged);
        }
        let entry = TerminalEntry::decode(&answer.data);
        match entry.filter(|entry| answer.resp == Resp::NORMAL && entry.is_acquired()) {
            Some(_) => Ok(()),
            None => Err(Lost::Gone),
        }
    }

    fn start(&self, at: &mut Stopped<'_>) -> Result<(), Lost> {
        let request = StartRequest {
            reqid: NO_REQID,
            transid: TransId::from_field(&DISPLAYS),
            termid: Some(self.terminal),
            userid: UserId::BLANK,
            protect: false,
            attach: false,
            due_ms: 0,
            data: StartData {
                from: Some(self.target.encode()),
                ..StartData::default()
            },
            channel: None,
            inherited: None,
        };
        let answer = ask_region(at.host, &interval::Request::Start(0, request));
        match (answer.abend, answer.resp) {
            (Some(_), _) => Err(Lost::Purged),
            (None, Resp::NORMAL) => Ok(()),
            _ => Err(Lost::Gone),
        }
    }
}
