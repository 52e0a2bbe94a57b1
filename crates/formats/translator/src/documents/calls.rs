//! CALLs of steps, as words at the place of the user's statement.
//!
//! Not here: which steps there are for a statement.

use super::words::words;
use crate::token::{At, Token};
use transom_documents::{Step, descriptor};

/// Generated text of one statement.
#[derive(Debug)]
pub(super) struct Calls {
    pub(super) at: At,
    pub(super) text: Vec<Token>,
}

impl Calls {
    pub(super) fn new(at: At) -> Self {
        Self {
            at,
            text: Vec::new(),
        }
    }

    /// A step with these items.
    pub(super) fn step(&mut self, step: &Step, items: &[&str]) {
        self.answered(step, items, "TXM-DOC-CODE");
    }

    /// A step whose answer goes to this item.
    pub(super) fn answered(&mut self, step: &Step, items: &[&str], answer: &str) {
        let items: Vec<String> = items
            .iter()
            .map(|item| format!("BY REFERENCE {item}"))
            .collect();
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        self.call(step, &items, answer);
    }

    /// A step with arguments as they stand.
    pub(super) fn call(&mut self, step: &Step, items: &[&str], answer: &str) {
        let count = u8::try_from(items.len()).unwrap_or(u8::MAX);
        let bytes = descriptor(step, count, self.at.line);
        let bytes: String = bytes.iter().map(|b| format!("{b:02X}")).collect();
        let items = items.join(" ");
        self.write(&format!(
            "CALL 'TXMEXEC' USING BY CONTENT X'{bytes}' {items} RETURNING {answer} END-CALL"
        ));
    }

    /// Other COBOL.
    pub(super) fn write(&mut self, text: &str) {
        words(text, self.at, &mut self.text);
    }
}
