//! Definitions of decks -> what a region installs, at its start or while it runs.
//!
//! Not here: deck syntax (`transom_csd`), the fields of a record (the table of resource kinds), and
//! what a running region checks before it installs something (`region/server`).

use super::{Entry, NotUsable, TerminalDefinition, TransactionEntry};
use transom_csd::{Definition, ResourceKind};
use transom_messages::si;
use transom_types::TransId;

/// What decks define, as a region starts with it.
#[derive(Debug, Default)]
pub struct Definitions {
    /// Resources by their records.
    pub entries: Vec<Entry>,
    /// TERMINAL with its TYPETERM.
    pub terminals: Vec<TerminalDefinition>,
    /// TASKREQ: attention identifiers that start a transaction.
    pub keys: Vec<(u8, TransId)>,
}

/// What is to be said about a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// It cannot be installed.
    pub is_error: bool,
    /// Deck, line, message.
    pub text: String,
}

impl Definitions {
    /// Takes definitions in the order of their decks as the region of this SYSIDNT sees them, and
    /// says what cannot be done with them.
    pub fn of(all: Vec<Definition>, sysid: &str) -> (Self, Vec<Remark>) {
        let mut taken = Self::default();
        let mut remarks = Vec::new();
        let all: Vec<Definition> = all.into_iter().map(|d| d.at(sysid)).collect();
        let has_connection = all.iter().any(|d| d.kind == ResourceKind::Db2Conn);
        for definition in &all {
            let place = format!("{}:{}", definition.deck, definition.line);
            match Entry::of(definition) {
                Ok(None) if definition.kind == ResourceKind::Transaction => remarks.push(Remark {
                    is_error: false,
                    text: format!(
                        "{place}: {}",
                        si::transaction_without_program(&definition.name)
                    ),
                }),
                Ok(Some(Entry::Db2Entry(_) | Entry::Db2Tran(_))) if !has_connection => {
                    let why = NotUsable::NoDb2Conn;
                    remarks.push(Remark {
                        is_error: false,
                        text: format!(
                            "{place}: {}",
                            si::definition_left_out(&definition.name, why)
                        ),
                    });
                }
                Ok(entry) => taken.take(entry),
                Err(why) => {
                    let message = match why.stops_a_start() {
                        true => si::definition_not_usable(&definition.name, why),
                        false => si::definition_left_out(&definition.name, why),
                    };
                    remarks.push(Remark {
                        is_error: why.stops_a_start(),
                        text: format!("{place}: {message}"),
                    });
                }
            }
            if definition.kind == ResourceKind::Terminal {
                let terminal = TerminalDefinition::from_definition(definition, &all);
                taken.terminals.extend(terminal);
            }
            if definition.kind != ResourceKind::Transaction {
                continue;
            }
            match TransactionEntry::key(definition) {
                Some(Ok(key)) => {
                    let transid = TransId::from_field(definition.name.as_bytes());
                    taken.keys.push((key, transid));
                }
                Some(Err(message)) => remarks.push(Remark {
                    is_error: false,
                    text: format!("{place}: {message}"),
                }),
                None => {}
            }
        }
        (taken, remarks)
    }

    /// A record, with the DB2TRAN that comes with TRANSID of a DB2ENTRY.
    fn take(&mut self, entry: Option<Entry>) {
        let of_entry = match &entry {
            Some(Entry::Db2Entry(entry)) => entry.own_transaction(),
            _ => None,
        };
        self.entries.extend(entry);
        self.entries.extend(of_entry.map(Entry::Db2Tran));
    }
}
