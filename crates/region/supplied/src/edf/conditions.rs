//! Stop conditions: where displays that were suppressed begin again.
//!
//! Not here: suppressing them.

use super::keys;
use super::page::header;
use crate::panel::{Panel, Reply};
use transom_messages::{Message, ed};
use transom_region_commands::Stopped;
use transom_types::Resp;

/// Conditions of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StopConditions {
    /// A command, or its first words; empty: none.
    command: String,
    /// A line of the source; 0: none.
    line: u32,
    /// A condition; ERROR: each whose default is an abend.
    condition: Option<Resp>,
    any_condition: bool,
    pub(super) abend: bool,
    pub(super) normal_end: bool,
    pub(super) abnormal_end: bool,
}

impl Default for StopConditions {
    fn default() -> Self {
        Self {
            command: String::new(),
            line: 0,
            condition: Some(Resp::ERROR),
            any_condition: false,
            abend: true,
            normal_end: true,
            abnormal_end: true,
        }
    }
}

impl StopConditions {
    /// A task about to run this command stops.
    pub(super) fn before(&self, name: &str, line: u32) -> bool {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let (wanted, is): (Vec<String>, Vec<String>) = (words(&self.command), words(name));
        (!wanted.is_empty() && is.starts_with(&wanted)) || (self.line != 0 && self.line == line)
    }

    /// A task whose command answered this stops.
    pub(super) fn after(&self, resp: Resp) -> bool {
        let named = match self.condition {
            Some(Resp::ERROR) => resp.default_abend().is_some(),
            Some(condition) => condition == resp,
            None => false,
        };
        resp != Resp::NORMAL && (named || self.any_condition)
    }

    /// The display in which they are changed.
    pub(super) fn panel(&self, at: &Stopped<'_>, message: &str) -> Panel {
        let mut panel = header(at, at.task.program(), 0);
        let yes = |on| if on { "YES" } else { "NO " };
        let line = match self.line {
            0 => String::new(),
            line => format!("{line:05}"),
        };
        let condition = self
            .condition
            .map_or(String::new(), |resp| resp.to_string());
        panel.text(2, 2, "DISPLAY ON CONDITION:-");
        panel
            .text(4, 4, "COMMAND:                     EXEC CICS")
            .input("COMMAND", (4, 44), 30, &self.command);
        let mut row = |at, text: &str, name: &str, width, value: &str| {
            panel.text(at, 4, text).input(name, (at, 34), width, value);
        };
        row(5, "LINE NUMBER:", "LINE", 8, &line);
        row(6, "CICS EXCEPTION CONDITION:", "CONDITION", 16, &condition);
        row(7, "ANY CICS CONDITION", "ANY", 3, yes(self.any_condition));
        row(8, "TRANSACTION ABEND", "ABEND", 3, yes(self.abend));
        row(
            9,
            "NORMAL TASK TERMINATION",
            "NORMAL",
            3,
            yes(self.normal_end),
        );
        row(
            10,
            "ABNORMAL TASK TERMINATION",
            "ABNORMAL",
            3,
            yes(self.abnormal_end),
        );
        panel.bright(19, 2, message);
        keys::show(&mut panel, "CURRENT DISPLAY", &keys::CONDITIONS);
        panel
    }

    /// Takes over what was typed.
    ///
    /// # Errors
    /// What is no condition or number; nothing is taken over then.
    pub(super) fn read(&mut self, panel: &Panel, reply: &Reply) -> Result<(), Message> {
        let typed = |name: &str| {
            let text = panel.read(reply, name).unwrap_or_default();
            text.trim().to_ascii_uppercase()
        };
        let condition = match typed("CONDITION") {
            name if name.is_empty() => None,
            name => Some(Resp::by_name(&name).ok_or_else(|| ed::no_condition(&name))?),
        };
        let line = match typed("LINE") {
            text if text.is_empty() => 0,
            text => text.parse().map_err(|_| ed::no_value("LINE NUMBER"))?,
        };
        let yes = |name: &str, keyword: &'static str| match typed(name).as_str() {
            "YES" | "Y" => Ok(true),
            "NO" | "N" | "" => Ok(false),
            _ => Err(ed::no_value(keyword)),
        };
        *self = Self {
            command: typed("COMMAND"),
            line,
            condition,
            any_condition: yes("ANY", "ANY CICS CONDITION")?,
            abend: yes("ABEND", "TRANSACTION ABEND")?,
            normal_end: yes("NORMAL", "NORMAL TASK TERMINATION")?,
            abnormal_end: yes("ABNORMAL", "ABNORMAL TASK TERMINATION")?,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_stops_where_it_was_told_to() {
        let mut stop = StopConditions::default();
        assert!(!stop.before("READ", 12));
        stop.command = "READQ TS".to_owned();
        stop.line = 12;
        assert!(stop.before("READQ TS", 1));
        assert!(!stop.before("READQ TD", 1));
        assert!(stop.before("READ", 12));
        // ERROR is each condition that would end the task; EOC is none.
        assert!(stop.after(Resp::NOTFND));
        assert!(!stop.after(Resp::EOC));
        assert!(!stop.after(Resp::NORMAL));
        stop.condition = Some(Resp::ENDFILE);
        assert!(!stop.after(Resp::NOTFND));
        assert!(stop.after(Resp::ENDFILE));
        stop.any_condition = true;
        assert!(stop.after(Resp::EOC));
    }
}
