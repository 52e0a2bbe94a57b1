//! Numbers of identity columns and sequences.
//!
//! What: the next number of each, kept in memory for all sessions and written with the unit of work
//! that took it. A number that was given never comes again while the region runs; after a restart
//! numbers of units of work that were backed out may. Not here: DDL.

use super::code::{Code, failed};
use super::value::{Arg, all};
use crate::statements::identity_name;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use transom_recovery::guard::lock;
use transom_sql::Numbers;

/// The numbers of one database.
#[derive(Default)]
pub(in crate::sqlite) struct Sequences(Mutex<BTreeMap<String, Counter>>);

/// A sequence or identity column.
#[derive(Debug, Clone, Copy)]
pub(in crate::sqlite) struct Counter {
    /// The number that comes next.
    pub(in crate::sqlite) next: i64,
    pub(in crate::sqlite) step: i64,
    /// Least and most.
    pub(in crate::sqlite) bounds: (i64, i64),
    /// Begins again at the other bound.
    pub(in crate::sqlite) cycle: bool,
}

impl Counter {
    /// As it is defined; `next` is what the catalog has kept.
    pub(in crate::sqlite) fn of(numbers: &Numbers, next: Option<i64>) -> Self {
        Self {
            next: next.or(numbers.start).unwrap_or(1),
            step: numbers.increment.unwrap_or(1),
            bounds: (
                numbers.minimum.unwrap_or(i64::MIN),
                numbers.maximum.unwrap_or(i64::MAX),
            ),
            cycle: numbers.cycle,
        }
    }
}

/// What a session has taken.
#[derive(Debug, Default)]
pub(in crate::sqlite) struct Taken {
    /// Names whose next number is to be written.
    pub(in crate::sqlite) changed: BTreeSet<String>,
    /// The last number of an identity column.
    pub(in crate::sqlite) last_identity: Option<i64>,
    /// The last number of each sequence.
    last: BTreeMap<String, i64>,
}

impl Sequences {
    /// Takes up one, where it is not known already.
    pub(in crate::sqlite) fn define(&self, name: &str, counter: Counter) {
        lock(&self.0).entry(name.to_owned()).or_insert(counter);
    }

    pub(in crate::sqlite) fn forget(&self, name: &str) {
        lock(&self.0).remove(name);
    }

    /// The number that comes next, without taking it.
    pub(in crate::sqlite) fn next_of(&self, name: &str) -> Option<i64> {
        lock(&self.0).get(name).map(|counter| counter.next)
    }

    fn take(&self, name: &str) -> std::result::Result<i64, Code> {
        let mut all = lock(&self.0);
        let missing = || Code(-204, vec![name.to_owned()]);
        let counter = all.get_mut(name).ok_or_else(missing)?;
        let (least, most) = counter.bounds;
        let number = match counter.next {
            next if (least..=most).contains(&next) => next,
            _ if !counter.cycle => return Err(Code(-359, Vec::new())),
            _ if counter.step < 0 => most,
            _ => least,
        };
        counter.next = match number.checked_add(counter.step) {
            Some(next) => next,
            None if !counter.cycle => return Err(Code(-359, Vec::new())),
            None if counter.step < 0 => most,
            None => least,
        };
        Ok(number)
    }
}

/// Functions that are made here.
pub(super) fn has(name: &str) -> bool {
    ["nextval", "prevval", "next_identity", "identity"].contains(&name)
}

/// Registers them for a connection; `taken` is what its session asks afterwards.
pub(super) fn register(
    connection: &Connection,
    sequences: &Arc<Sequences>,
    taken: &Arc<Mutex<Taken>>,
) -> Result<()> {
    type Body = fn(&Sequences, &mut Taken, &[Arg]) -> std::result::Result<Value, Code>;
    let bodies: [(&str, i32, Body); 4] = [
        ("db2_nextval", 1, next),
        ("db2_prevval", 1, previous),
        ("db2_next_identity", 2, next_identity),
        ("db2_identity", 3, given_identity),
    ];
    for (name, count, body) in bodies {
        let (sequences, taken) = (sequences.clone(), taken.clone());
        let flags = FunctionFlags::SQLITE_UTF8;
        connection.create_scalar_function(name, count, flags, move |context| {
            let answer = body(&sequences, &mut lock(&taken), &all(context));
            answer.map_err(|code| failed(&code))
        })?;
    }
    Ok(())
}

fn text(args: &[Arg], n: usize) -> &str {
    match args.get(n) {
        Some(Arg::Text(text)) => text,
        _ => "",
    }
}

fn next(all: &Sequences, taken: &mut Taken, args: &[Arg]) -> std::result::Result<Value, Code> {
    let name = text(args, 0);
    let number = all.take(name)?;
    taken.changed.insert(name.to_owned());
    taken.last.insert(name.to_owned(), number);
    Ok(Value::Integer(number))
}

fn previous(_: &Sequences, taken: &mut Taken, args: &[Arg]) -> std::result::Result<Value, Code> {
    let name = text(args, 0);
    let number = taken.last.get(name).copied();
    number
        .map(Value::Integer)
        .ok_or_else(|| Code(-845, vec![name.to_owned()]))
}

fn next_identity(
    all: &Sequences,
    taken: &mut Taken,
    args: &[Arg],
) -> std::result::Result<Value, Code> {
    let name = identity_name(text(args, 0), text(args, 1));
    let number = all.take(&name)?;
    taken.changed.insert(name);
    taken.last_identity = Some(number);
    Ok(Value::Integer(number))
}

/// A number that was given is the last one too; as on Db2 it does not move the counter.
fn given_identity(
    _: &Sequences,
    taken: &mut Taken,
    args: &[Arg],
) -> std::result::Result<Value, Code> {
    let number = args.get(2).and_then(Arg::whole);
    taken.last_identity = number;
    Ok(number.map_or(Value::Null, Value::Integer))
}
