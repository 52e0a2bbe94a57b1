//! What of a task a dump shows in words: its EIB by names, its last commands, what it holds.
//!
//! Not here: the dump and its areas (`dump`).

use crate::command::RegionView;
use crate::task_state::TaskState;
use std::fmt::Write as _;
use transom_region_task::eib;
use transom_trace::show;
use transom_workers::seam::Host;

/// Resources of each kind a dump names.
const NAMED_MAX: usize = 200;

/// The fields of the EIB, four to a line.
pub(super) fn eib_fields(text: &mut String, block: &[u8]) {
    for row in eib::FIELDS.chunks(4) {
        for (name, offset, bytes) in row {
            let value = block.get(*offset..offset + bytes).unwrap_or_default();
            let is_text = matches!(
                *name,
                "EIBTRNID" | "EIBTRMID" | "EIBDS" | "EIBREQID" | "EIBRSRCE"
            );
            let shown = match is_text {
                true => characters(value),
                false => value.iter().map(|byte| format!("{byte:02X}")).collect(),
            };
            let _ = write!(text, "  {name:8} {shown:12}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
}

/// The last commands, newest last.
pub(super) fn last_commands(text: &mut String, region: &RegionView) {
    let last = &region.last;
    let _ = writeln!(
        text,
        "\nLAST COMMANDS, newest last, of {}; the resource is EIBRSRCE",
        last.begun()
    );
    for entry in last.in_order() {
        let name = transom_commands::command(entry.command).map_or("?", |command| command.name);
        let _ = write!(
            text,
            "  {:7} {:8} line {:6}  {name:24}",
            entry.number, entry.program, entry.line
        );
        let _ = match entry.ended {
            None => writeln!(text, " has not ended"),
            Some((resource, resp, resp2)) => {
                let resource = characters(&resource);
                writeln!(text, " {resource:8}  {resp} {resp2}")
            }
        };
    }
}

/// What the internal trace has of the task, newest last.
pub(super) fn trace(text: &mut String, host: &dyn Host) {
    let entries = host.traced();
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\nTRACE of the task, newest last\n  {}",
        show::HEADING
    );
    for entry in &entries {
        let _ = writeln!(text, "  {}", show::line(entry, host.utc_offset_s()));
    }
}

/// Browses, records held for update, names enqueued upon, programs loaded.
pub(super) fn held(text: &mut String, task: &TaskState) {
    let files = &task.files;
    let browses = files.browses.iter().map(|browse| {
        let (file, reqid) = (browse.file, browse.reqid);
        format!("browse of {file} REQID {reqid} at {}", key(&browse.shown))
    });
    let records = files.held.iter().map(|held| {
        let token = held
            .token
            .map_or_else(String::new, |t| format!(" TOKEN {t}"));
        format!("record of {} held for update{token}", held.file)
    });
    let changed = files
        .changed
        .iter()
        .map(|base| format!("changes of {base} not committed"));
    let names = task
        .held
        .iter()
        .map(|held| format!("enqueued upon {}", key(&held.key)));
    let lines: Vec<String> = browses.chain(records).chain(changed).chain(names).collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nHELD");
    for line in lines.iter().take(NAMED_MAX) {
        let _ = writeln!(text, "  {line}");
    }
    if lines.len() > NAMED_MAX {
        let _ = writeln!(text, "  ... {} more", lines.len() - NAMED_MAX);
    }
}

fn key(bytes: &[u8]) -> String {
    let hexadecimal: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("'{}' X'{hexadecimal}'", characters(bytes))
}

fn characters(bytes: &[u8]) -> String {
    let shown = bytes.iter().map(|byte| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '.',
    });
    shown.collect::<String>().trim_end().to_owned()
}
