//! A display of EDF: header, body, message, keys.
//!
//! What: [`Page`], what is shown where a task stops, and the panel it makes. Not here: taking a
//! statement apart (`statement`), what keys do (`conversation`).

use super::keys::{self, Functions};
use super::statement::{Row, Shown};
use super::text::{hex_of, printable};
use crate::panel::Panel;
use transom_region_commands::Stopped;
use transom_region_commands::eib::FIELDS;
use transom_types::{Applid, ProgramName, Resp};
use transom_wire::definitions::SystemEntry;

/// Rows of the body, from this one on.
const BODY_ROW: usize = 4;
pub(super) const BODY_ROWS: usize = 12;
pub(super) const MESSAGE_ROW: usize = 19;
/// Characters of a COMMAREA that are shown.
const COMMAREA_SHOWN: usize = 56;
const WIDTH: usize = 78;

/// Where a task stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Initiation,
    Before,
    After,
    ProgramEnd,
    TaskEnd,
    Abend,
    AbnormalEnd,
}

/// A display.
pub(super) struct Page {
    pub(super) kind: Kind,
    pub(super) program: ProgramName,
    /// The statement, if it is about one.
    pub(super) shown: Option<Shown>,
    /// Other rows of the body.
    pub(super) rows: Vec<String>,
    /// What the command answered.
    pub(super) resp: Option<Resp>,
    /// The response can be typed over.
    pub(super) responds: bool,
    /// Behind the body: where a program was left.
    pub(super) place: Option<String>,
    /// CONTINUE EDF? as it stands at first.
    pub(super) reply: Option<&'static str>,
    /// ABEND CODE is asked for.
    pub(super) asks_code: bool,
    /// First row of the body that is shown.
    pub(super) top: usize,
    pub(super) message: String,
}

impl Page {
    pub(super) fn new(kind: Kind, program: ProgramName) -> Self {
        Self {
            kind,
            program,
            shown: None,
            rows: Vec::new(),
            resp: None,
            responds: false,
            place: None,
            reply: None,
            asks_code: false,
            top: 0,
            message: String::new(),
        }
    }

    pub(super) fn functions(&self) -> &'static Functions {
        match self.kind {
            Kind::Before => &keys::BEFORE,
            Kind::After => &keys::AFTER,
            Kind::Initiation => &keys::INITIATION,
            Kind::ProgramEnd | Kind::TaskEnd | Kind::Abend | Kind::AbnormalEnd => {
                &keys::TERMINATION
            }
        }
    }

    fn status(&self) -> &'static str {
        match self.kind {
            Kind::Initiation => "PROGRAM INITIATION",
            Kind::Before => "ABOUT TO EXECUTE COMMAND",
            Kind::After => "COMMAND EXECUTION COMPLETE",
            Kind::ProgramEnd => "PROGRAM TERMINATION",
            Kind::TaskEnd => "TASK TERMINATION",
            Kind::Abend => "AN ABEND HAS OCCURRED",
            Kind::AbnormalEnd => "ABNORMAL TASK TERMINATION",
        }
    }

    /// All rows of the body.
    pub(super) fn body(&self, hex: bool) -> Vec<Row> {
        let plain = |text: &String| Row {
            text: text.clone(),
            value: None,
            behind: String::new(),
        };
        let statement = self.shown.iter().flat_map(|shown| shown.rows(hex));
        statement.chain(self.rows.iter().map(plain)).collect()
    }

    /// The panel. Values of a statement can be typed over where `change` says so.
    pub(super) fn panel(
        &self,
        (hex, changes): (bool, bool),
        at: &Stopped<'_>,
        skipped: bool,
    ) -> Panel {
        let mut panel = header(at, self.program, 0);
        panel.bright(2, 2, format!("STATUS:  {}", self.status()));
        if let Some(shown) = &self.shown {
            let verb = if skipped { "NOOP" } else { &shown.verb };
            match self.kind == Kind::Before && changes {
                true => panel.input("VERB", (3, 2), WIDTH, verb),
                false => panel.bright(3, 2, verb),
            };
        }
        let body = self.body(hex);
        for (at, row) in body.iter().skip(self.top).take(BODY_ROWS).enumerate() {
            body_row(&mut panel, BODY_ROW + at, row, changes);
        }
        if self.top + BODY_ROWS < body.len() {
            panel.text(BODY_ROW + BODY_ROWS - 1, 79, "+");
        }
        self.place_and_response(&mut panel, changes);
        if self.asks_code {
            panel
                .text(18, 2, "ABEND CODE (NODUMP: NO DUMP):")
                .input("CODE", (18, 33), 4, "");
            panel.cursor("CODE");
        }
        if let Some(reply) = self.reply {
            panel
                .text(18, 2, "CONTINUE EDF? (ENTER YES OR NO)")
                .text(18, 65, "REPLY:")
                .input("REPLY", (18, 72), 3, reply);
        }
        panel.bright(MESSAGE_ROW, 2, &self.message);
        keys::show(&mut panel, "CONTINUE", self.functions());
        panel
    }

    fn place_and_response(&self, panel: &mut Panel, changes: bool) {
        if let Some(shown) = &self.shown {
            let function = shown
                .function
                .map_or(String::new(), |code| format!("EIBFN={}", hex_of(&code)));
            let line = shown.line;
            panel.text(16, 2, format!("LINE:{line:05}          {function}"));
        }
        if let Some(place) = &self.place {
            panel.text(16, 2, place);
        }
        if let Some(resp) = self.resp {
            let name = resp.to_string();
            panel.text(17, 2, "RESPONSE:");
            match self.responds && changes {
                true => panel.input("RESPONSE", (17, 12), 16, &name),
                false => panel.text(17, 12, name),
            };
            panel.text(17, 50, format!("EIBRESP={}", resp.0));
        }
    }

    /// The display as it is remembered.
    pub(super) fn as_rows(&self, hex: bool) -> Vec<String> {
        let mut rows = vec![format!("STATUS:  {}", self.status())];
        rows.extend(self.shown.as_ref().map(|shown| shown.verb.clone()));
        let body = self.body(hex).into_iter().take(BODY_ROWS);
        rows.extend(body.map(|row| {
            let value = row
                .value
                .map_or(String::new(), |(_, value)| format!(" {value}"));
            format!("{}{value}{}", row.text, row.behind)
        }));
        if let Some(shown) = &self.shown {
            rows.push(format!("LINE:{:05}", shown.line));
        }
        if let Some(resp) = self.resp {
            rows.push(format!("RESPONSE: {resp}   EIBRESP={}", resp.0));
        }
        rows.extend(self.place.clone());
        rows
    }
}

/// A row of a body: what can be typed over stands behind its keyword.
fn body_row(panel: &mut Panel, at: usize, row: &Row, changes: bool) {
    panel.text(at, 2, &row.text);
    let mut column = 2 + row.text.chars().count() + 1;
    if let Some((n, value)) = &row.value {
        match changes {
            true => panel.input(
                &format!("ARG{n}"),
                (at, column),
                value.chars().count(),
                value,
            ),
            false => panel.text(at, column, value),
        };
        column += value.chars().count() + 1;
    }
    if !row.behind.is_empty() {
        panel.text(at, column, row.behind.trim_start());
    }
}

/// The first row of each display. `back`: how many displays ago it was.
pub(super) fn header(at: &Stopped<'_>, program: ProgramName, back: usize) -> Panel {
    let applid = SystemEntry::find(at.host.shared()).map_or(Applid::BLANK, |facts| facts.applid);
    let transid = at.task.transaction.transid;
    let number = at.task.number;
    let display = match back {
        0 => "00".to_owned(),
        back => format!("-{back:02}"),
    };
    let mut panel = Panel::new();
    panel.text(
        1,
        2,
        format!(
            "TRANSACTION: {transid:4} PROGRAM: {program:8} TASK: {number:07} APPLID: {applid:8} DISPLAY: {display}"
        ),
    );
    panel
}

/// COMMAREA and EIB.
pub(super) fn facts(at: &mut Stopped<'_>) -> Vec<String> {
    let area = at.task.level().map(|level| level.area).unwrap_or_default();
    let bytes = area.bytes.min(COMMAREA_SHOWN);
    let commarea = match at.host.reach(area.address, bytes, false) {
        0 => String::new(),
        bytes => {
            let text = printable(at.host.memory(area.address, bytes));
            format!("COMMAREA     = '{text}'")
        }
    };
    let mut rows = vec![commarea];
    rows.extend(eib_rows(at.host.eib_mut()));
    rows
}

/// Fields of the exec interface block.
pub(super) fn eib_rows(eib: &[u8]) -> Vec<String> {
    let row = |(name, start, bytes): &(&str, usize, usize)| {
        let field = eib.get(*start..start + bytes).unwrap_or_default();
        let address = field.as_ptr() as usize;
        let value = match *name {
            "EIBTIME" | "EIBDATE" | "EIBTASKN" => packed(field),
            "EIBCPOSN" | "EIBCALEN" | "EIBRESP" | "EIBRESP2" => binary(field),
            "EIBAID" | "EIBFN" | "EIBRCODE" | "EIBEOC" => {
                format!("{} AT X'{address:08X}'", hex_of(field))
            }
            _ => format!("'{}'", printable(field)),
        };
        format!("{name:12} = {value}")
    };
    FIELDS.iter().map(row).collect()
}

fn binary(field: &[u8]) -> String {
    let value = field
        .iter()
        .fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    value.to_string()
}

fn packed(field: &[u8]) -> String {
    let digits: String = field.iter().map(|byte| format!("{byte:02X}")).collect();
    let digits = digits.get(..digits.len().saturating_sub(1)).unwrap_or("");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0" } else { digits }.to_owned()
}
