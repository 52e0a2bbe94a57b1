//! Displays at the terminal of the task that is debugged.
//!
//! What: the program's screen is read from the terminal before the first display and written back
//! before the program uses the terminal again, with what its user has typed. Why read: only the
//! terminal knows all that is on it. Not here: the displays.

use super::lost::Lost;
use crate::panel::{Key, Panel, Reply};
use transom_datastream::WriteCommand;
use transom_datastream::{Command, Outbound, ReplyMode, ScreenSize, StructuredFields, Wcc};
use transom_region_commands::{Stopped, ask_region};
use transom_region_task::text::stream_to_device;
use transom_types::Resp;
use transom_wire::inbound::InboundRecord;
use transom_wire::terminal::{Asked, Request};

/// The one terminal.
#[derive(Default)]
pub(super) struct OwnScreen {
    /// What the program had on it, as a record; `None`: it is on it now.
    kept: Option<Vec<u8>>,
}

impl OwnScreen {
    pub(super) fn show(&mut self, at: &mut Stopped<'_>, panel: &Panel) -> Result<Reply, Lost> {
        self.keep(at)?;
        let record = device_record(at, panel)?;
        let answer = ask(at, Request::Read(vec![record], 0))?;
        reply(at, &answer)
    }

    pub(super) fn user_display(&mut self, at: &mut Stopped<'_>) -> Result<(), Lost> {
        self.keep(at)?;
        let mut record = self.kept.clone().unwrap_or_default();
        if let Some(control) = record.get_mut(1) {
            *control = Wcc::UNLOCK.byte();
        }
        ask(at, Request::Read(vec![record], 0)).map(drop)
    }

    pub(super) fn give_back(&mut self, at: &mut Stopped<'_>) {
        if let Some(record) = self.kept.take() {
            // A terminal that is gone shows at the next command that uses it.
            let _gone = ask(at, Request::Write(vec![record]));
        }
    }

    pub(super) fn wrote(&mut self, at: &mut Stopped<'_>) -> Result<(), Lost> {
        let Some(terminal) = at.task.terminal.get_mut() else {
            return Err(Lost::Gone);
        };
        if terminal.outputs.is_empty() {
            return Ok(());
        }
        terminal.output_bytes = 0;
        terminal.alternate_sent = terminal.alternate;
        let records = std::mem::take(&mut terminal.outputs);
        self.kept = None;
        ask(at, Request::Read(records, 0)).map(drop)
    }

    /// Reads the program's screen, once.
    fn keep(&mut self, at: &mut Stopped<'_>) -> Result<(), Lost> {
        if self.kept.is_some() {
            return Ok(());
        }
        let Some(terminal) = at.task.terminal.get_mut() else {
            return Err(Lost::Gone);
        };
        terminal.output_bytes = 0;
        terminal.alternate_sent = terminal.alternate;
        let mut records = std::mem::take(&mut terminal.outputs);
        let (extended, alternate) = (terminal.facts.device.extended, terminal.alternate);
        let size = terminal.size();
        // Colours and highlighting come in this mode only.
        if extended {
            records.push(reply_mode(ReplyMode::ExtendedField));
        }
        records.push(vec![Command::ReadBuffer.byte()]);
        let buffer = ask(at, Request::Fetch(records))?;
        if extended {
            ask(at, Request::Write(vec![reply_mode(ReplyMode::Field)]))?;
        }
        let buffer = InboundRecord::decode(&buffer).ok_or(Lost::Gone)?;
        self.kept = Some(written_back(&buffer, alternate, size));
        Ok(())
    }
}

fn reply_mode(mode: ReplyMode) -> Vec<u8> {
    let mut fields = StructuredFields::new();
    fields.set_reply_mode(mode, &[]);
    fields.into_bytes()
}

/// A record that makes the screen what was read.
fn written_back(buffer: &InboundRecord, alternate: bool, size: ScreenSize) -> Vec<u8> {
    let command = match alternate {
        true => WriteCommand::EraseWriteAlternate,
        false => WriteCommand::EraseWrite,
    };
    // The keyboard stays locked: the program unlocks it when it reads.
    let stream = || Outbound::new(command, Wcc::default(), size);
    let (mut begin, mut end) = (stream(), stream());
    begin.set_buffer_address(0);
    let cursor = buffer.cursor.unwrap_or(0);
    end.set_buffer_address(cursor).insert_cursor();
    [begin.bytes(), buffer.data(), &end.into_application().1].concat()
}

/// A panel in the code of the device.
fn device_record(at: &mut Stopped<'_>, panel: &Panel) -> Result<Vec<u8>, Lost> {
    let terminal = at.task.terminal.get().ok_or(Lost::Gone)?;
    let (control, stream) = panel.stream().into_application();
    let data = stream_to_device(terminal.page_of_device(), &stream, panel.size());
    let record = Outbound::from_application(WriteCommand::EraseWrite, control, &data, panel.size());
    record.map(Outbound::into_bytes).map_err(|_| Lost::Gone)
}

/// The key and fields of a record, in the code of programs.
fn reply(at: &Stopped<'_>, answer: &[u8]) -> Result<Reply, Lost> {
    let record = InboundRecord::decode(answer).ok_or(Lost::Gone)?;
    let terminal = at.task.terminal.get().ok_or(Lost::Gone)?;
    let page = terminal.page_of_device();
    let fields = record.fields().map(|field| {
        let text = field.characters.text();
        let text = text.iter().map(|byte| page.to_latin1[usize::from(*byte)]);
        (field.position, text.collect())
    });
    Ok(Reply {
        key: Key::of(record.aid().map_or(0, |aid| aid.0)),
        cursor: usize::from(record.cursor.unwrap_or(0)),
        fields: fields.collect(),
        text: String::new(),
    })
}

fn ask(at: &mut Stopped<'_>, request: Request) -> Result<Vec<u8>, Lost> {
    let own = at.task.terminal.get().ok_or(Lost::Gone)?.facts.terminal;
    let answer = ask_region(at.host, &Asked { own, request });
    match (answer.abend, answer.resp) {
        (Some(_), _) => Err(Lost::Purged),
        (None, Resp::NORMAL) => Ok(answer.data),
        _ => Err(Lost::Gone),
    }
}
