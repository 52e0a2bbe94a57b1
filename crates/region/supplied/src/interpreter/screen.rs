//! Screens of the command interpreter: command and values, the EIB, the variables.

use super::command::{VARIABLE_BYTES_MAX, Variables};
use super::conversation::{Interpreter, Stage};
use crate::latin::latin;
use crate::panel::{Key, Panel, Reply};
use crate::session::Session;
use transom_region_commands::eib::FIELDS;

/// Rows of options and values.
pub(super) const BODY_ROWS: usize = 16;
const FIRST_ROW: usize = 5;
/// Characters in each of the two rows of the command line.
const LINE_CHARS: usize = 78;
/// Variables on their screen.
const VARIABLES_MAX: usize = 18;
/// Characters of a variable that can be typed.
const VALUE_CHARS: usize = 50;

/// Command, status, values, response.
pub(super) fn main(session: &Session<'_>, shown: &Interpreter) -> Panel {
    let mut panel = Panel::new();
    command_line(&mut panel, &shown.line);
    let status = match (shown.stage, shown.check_only) {
        (_, true) | (Stage::Check, _) => "STATUS:  COMMAND SYNTAX CHECK",
        (Stage::About, _) => "STATUS:  ABOUT TO EXECUTE COMMAND - press ENTER",
        (Stage::Done, _) => "STATUS:  COMMAND EXECUTION COMPLETE",
    };
    panel.bright(3, 2, status);
    let facts = session.facts();
    let size = shown.body.len();
    if shown.top + BODY_ROWS < size {
        panel.text(FIRST_ROW + BODY_ROWS, 2, "+");
    }
    panel.text(
        22,
        57,
        format!("SYSID={} APPLID={}", facts.sysid, facts.applid),
    );
    let body = shown.body.iter().skip(shown.top).take(BODY_ROWS);
    for (at, line) in body.enumerate() {
        panel.text(FIRST_ROW + at, 2, line);
    }
    panel.bright(23, 2, &shown.message).text(
        24,
        2,
        "PF 1 HELP 2 HEX 3 END 4 EIB 5 VAR 6 USER 7 SBH 8 SFH 9 MSG 10 SB 11 SF",
    );
    panel
}

fn command_line(panel: &mut Panel, line: &str) {
    let chars: Vec<char> = line.chars().collect();
    let (first, second) = chars.split_at(chars.len().min(LINE_CHARS));
    let text = |part: &[char]| part.iter().collect::<String>();
    panel.input("LINE", (1, 2), LINE_CHARS, &text(first)).input(
        "LINE2",
        (2, 2),
        LINE_CHARS,
        &text(second),
    );
    panel.text(3, 58, "NAME=").input("NAME", (3, 64), 10, "");
}

/// The name under which the command line shall be kept.
pub(super) fn named(line: &str, reply: &Reply) -> Option<String> {
    let mut panel = Panel::new();
    command_line(&mut panel, line);
    let name = panel.read(reply, "NAME")?;
    let name = name.trim().trim_start_matches('&').to_ascii_uppercase();
    (!name.is_empty()).then_some(name)
}

/// The command line as it is now.
pub(super) fn typed(line: &str, reply: &Reply) -> String {
    let mut panel = Panel::new();
    command_line(&mut panel, line);
    let first = panel.read(reply, "LINE").unwrap_or_default();
    let second = panel.read(reply, "LINE2").unwrap_or_default();
    match second.is_empty() {
        true => first.trim().to_owned(),
        false => format!("{first:LINE_CHARS$}{second}").trim().to_owned(),
    }
}

/// F4: the exec interface block, until the next key.
pub(super) fn eib(session: &mut Session<'_>, eib: &[u8]) {
    let mut panel = Panel::new();
    panel.bright(1, 2, "EXEC INTERFACE BLOCK");
    for (at, (name, start, bytes)) in FIELDS.iter().enumerate() {
        let field = eib.get(*start..start + bytes).unwrap_or_default();
        let hex: String = field.iter().map(|b| format!("{b:02X}")).collect();
        let text: String = field
            .iter()
            .map(|b| {
                if b.is_ascii_graphic() {
                    char::from(*b)
                } else {
                    '.'
                }
            })
            .collect();
        panel.text(3 + at, 4, format!("{name:10} X'{hex}'"));
        panel.text(3 + at, 40, format!("'{text}'"));
    }
    panel
        .input("ANY", (22, 2), 1, "")
        .text(24, 2, "Press ENTER to go back.");
    session.show(&panel);
    session.wait();
}

/// F1.
pub(super) const HELP: &[&str] = &[
    "Type an EXEC CICS command without EXEC CICS. ENTER checks it, ENTER again runs it.",
    "Keywords may be cut short. A ? in front only checks.",
    "",
    "Values    QUEUE(NAMES)  FROM('two words')  FROM(X'C1C2')",
    "Variables INTO(&DATA): an ampersand and a name; F5 shows and changes them.",
    "Commands  a name typed at NAME= keeps the command line as a variable;",
    "          that name typed on the command line brings it back.",
    "",
    "F2 values in hexadecimal        F4 the EXEC interface block",
    "F6 the screen as a user sees it F9 all messages of the check",
    "F7 and F8 half a page back and forward, F10 and F11 a page",
    "",
    "The session is one task: a browse, an enqueue or a record read for update",
    "lasts from command to command. SYNCPOINT commits, F3 ends and commits.",
];

/// Lines on a screen of their own, until the next key.
pub(super) fn lines(session: &mut Session<'_>, title: &str, lines: &[impl AsRef<str>]) {
    let mut panel = Panel::new();
    panel.bright(1, 2, title);
    for (at, line) in lines.iter().take(BODY_ROWS + 2).enumerate() {
        panel.text(3 + at, 2, line);
    }
    panel
        .input("ANY", (23, 2), 1, "")
        .text(24, 2, "Press ENTER to go back.");
    session.show(&panel);
    session.wait();
}

/// F5: names, lengths and values of the variables.
pub(crate) fn variables(session: &mut Session<'_>, variables: &mut Variables) {
    loop {
        let panel = variables_panel(variables);
        session.show(&panel);
        let Some(reply) = session.wait() else { return };
        let mut next = Variables::new();
        for at in 0..VARIABLES_MAX {
            let read = |what: &str| {
                panel
                    .read(&reply, &format!("{what}{at}"))
                    .unwrap_or_default()
            };
            let name = read("NAME")
                .trim()
                .trim_start_matches('&')
                .to_ascii_uppercase();
            if name.is_empty() {
                continue;
            }
            let value = read("VALUE");
            let old = variables.get(&name).filter(|old| shown(old) == value);
            let mut bytes = old.cloned().unwrap_or_else(|| latin(&value));
            let length = read("LENGTH").trim().parse().unwrap_or(bytes.len());
            bytes.resize(length.clamp(1, VARIABLE_BYTES_MAX), b' ');
            next.insert(name, bytes);
        }
        *variables = next;
        if reply.key != Key::Enter {
            return;
        }
    }
}

fn variables_panel(variables: &Variables) -> Panel {
    let mut panel = Panel::new();
    panel
        .bright(1, 2, "VARIABLES")
        .text(2, 2, "&Name")
        .text(2, 15, "Length")
        .text(2, 24, "Value")
        .text(24, 2, "ENTER=Keep  any other key=Back");
    let mut known = variables.iter();
    for at in 0..VARIABLES_MAX {
        let (name, bytes) = known.next().map_or(("", &[][..]), |(n, b)| (n, b));
        let length = if name.is_empty() {
            String::new()
        } else {
            bytes.len().to_string()
        };
        panel
            .input(&format!("NAME{at}"), (3 + at, 2), 10, name)
            .input(&format!("LENGTH{at}"), (3 + at, 15), 5, &length)
            .input(
                &format!("VALUE{at}"),
                (3 + at, 24),
                VALUE_CHARS,
                &shown(bytes),
            );
    }
    panel
}

fn shown(bytes: &[u8]) -> String {
    let chars = bytes.iter().take(VALUE_CHARS);
    let text: String = chars
        .map(|b| if *b < b' ' { '.' } else { char::from(*b) })
        .collect();
    text.trim_end().to_owned()
}
