//! Data the translator adds to a program: descriptors, constants, temporaries, labels.
//!
//! Why: CALL takes fields, so every literal and expression of a command needs one.

use std::collections::HashMap;
use std::fmt::Write as _;

/// Everything generated for one program.
#[derive(Debug, Default)]
pub(crate) struct Generated {
    descriptors: Vec<Vec<u8>>,
    constants: Vec<(String, String)>,
    known: HashMap<String, usize>,
    /// Highest number of temporaries any command needs.
    numbers: usize,
    pointers: usize,
    labels: Vec<(String, String)>,
}

/// Labels of one program: each command of the program lists them all.
pub(crate) const MAX_LABELS: usize = 255;

/// Field every CALL answers its branch in.
pub(crate) const BRANCH: &str = "TXM-BRANCH";

impl Generated {
    /// No command needs anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.descriptors.is_empty()
    }

    /// Registers a descriptor and answers its field.
    pub(crate) fn descriptor(&mut self, bytes: Vec<u8>) -> String {
        self.descriptors.push(bytes);
        format!("TXM-D{:04}", self.descriptors.len())
    }

    /// A constant of this description (`PIC X(3) VALUE 'ABC'`).
    pub(crate) fn constant(&mut self, description: String) -> String {
        let next = self.constants.len();
        let at = *self.known.entry(description.clone()).or_insert(next);
        if at == next {
            self.constants
                .push((format!("TXM-K{:04}", next + 1), description));
        }
        self.constants[at].0.clone()
    }

    /// The `n`th (from 1) number temporary of a command.
    pub(crate) fn number(&mut self, n: usize) -> String {
        self.numbers = self.numbers.max(n);
        format!("TXM-N{n:02}")
    }

    /// The `n`th (from 1) pointer temporary of a command.
    pub(crate) fn pointer(&mut self, n: usize) -> String {
        self.pointers = self.pointers.max(n);
        format!("TXM-P{n:02}")
    }

    /// Number (from 1) of a label; `None` when there are [`MAX_LABELS`] others.
    pub(crate) fn label(&mut self, text: String) -> Option<u16> {
        let key = text.to_ascii_uppercase();
        let known = self.labels.iter().position(|(known, _)| *known == key);
        let at = match known {
            Some(at) => at,
            None if self.labels.len() >= MAX_LABELS => return None,
            None => {
                self.labels.push((key, text));
                self.labels.len() - 1
            }
        };
        u16::try_from(at + 1).ok()
    }

    /// Names of the labels as the user wrote them.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.labels.iter().map(|(_, text)| text.clone()).collect()
    }

    /// `GO TO a b DEPENDING ON TXM-BRANCH`, empty without labels.
    pub(crate) fn branches(&self) -> String {
        if self.labels.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = self.labels.iter().map(|(_, text)| text.as_str()).collect();
        format!("GO TO {} DEPENDING ON {BRANCH}", names.join(" "))
    }

    /// Data description entries for WORKING-STORAGE, one per line.
    pub(crate) fn data(&self, program: &str) -> Vec<String> {
        let program: String = program
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || "-_#@$".contains(*c))
            .collect();
        let program = if program.is_empty() { "?" } else { &program };
        let mut out = vec![
            format!("01  {BRANCH} PIC S9(9) COMP-5."),
            format!("01  TXM-NAME PIC X({}) VALUE '{program}'.", program.len()),
        ];
        for n in 1..=self.numbers {
            out.push(format!("01  TXM-N{n:02} PIC S9(18) COMP-5."));
        }
        for n in 1..=self.pointers {
            out.push(format!("01  TXM-P{n:02} POINTER."));
        }
        for (name, description) in &self.constants {
            out.push(format!("01  {name} {description}."));
        }
        for (n, bytes) in self.descriptors.iter().enumerate() {
            let name = format!("TXM-D{:04}", n + 1);
            out.push(format!("01  {name} PIC X({}) VALUE", bytes.len()));
            let chunks: Vec<String> = bytes.chunks(HEX_PER_LINE).map(hex_literal).collect();
            let last = chunks.len() - 1;
            for (n, chunk) in chunks.into_iter().enumerate() {
                out.push(format!("    {chunk}{}", if n == last { "." } else { " &" }));
            }
        }
        out
    }
}

/// Bytes of one hexadecimal literal; cobc takes 160 digits and more, the eye fewer.
const HEX_PER_LINE: usize = 40;

fn hex_literal(bytes: &[u8]) -> String {
    let mut out = String::from("X'");
    for byte in bytes {
        let _ = write!(out, "{byte:02X}");
    }
    out.push('\'');
    out
}
