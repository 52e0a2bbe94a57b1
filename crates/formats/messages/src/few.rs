//! The first lines of many that say the same, and how many more there were.
//!
//! Why: a system of fifty thousand definitions, or a program that asks in vain ten thousand times a
//! second, must not bury what else the operator is told. Not here: how long lines are counted
//! together, which whoever tells them knows.

use crate::{Line, Operator, Severity};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Lines with the same id that are told before the rest is counted.
pub const TOLD: u64 = 5;

/// Lines by their ids.
#[derive(Debug, Default)]
pub struct Few {
    said: BTreeMap<String, Said>,
}

#[derive(Debug, Default)]
struct Said {
    count: u64,
    /// Of those that were only counted.
    last: String,
    level: Option<Severity>,
}

impl Few {
    /// Of each message the first few, then how many more there are.
    pub fn of(lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
        let mut few = Self::default();
        let told = lines.into_iter().filter_map(|line| few.take(line));
        let mut told: Vec<Line> = told.collect();
        told.extend(few.rest());
        told
    }

    /// The line, as long as there were few like it.
    pub fn take(&mut self, line: Line) -> Option<Line> {
        let said = self.said.entry(id(&line)).or_default();
        said.count += 1;
        if said.count <= TOLD {
            return Some(line);
        }
        said.last = line.to_string();
        said.level = Some(line.level);
        None
    }

    /// A line for each id of which there were more; counting begins again.
    pub fn rest(&mut self) -> Vec<Line> {
        let said = std::mem::take(&mut self.said).into_iter();
        let more = said.filter(|(_, said)| said.count > TOLD);
        let told = more.map(|(id, said)| {
            let line = Line::from(crate::si::more_of(said.count - TOLD, id, said.last));
            line.at(said.level.unwrap_or(Severity::Information))
        });
        told.collect()
    }
}

/// The same for many who tell lines at any time.
#[derive(Debug, Default)]
pub struct Crowd {
    /// Lines, and whether somebody will ask for the rest.
    said: Mutex<(Few, bool)>,
}

impl Crowd {
    /// Tells the line, as long as there were few like it. True for the first since the rest was
    /// told: the caller sees to it that it will be.
    pub fn tell(&self, operator: &Operator, line: Line) -> bool {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let told = said.0.take(line);
        let is_first = !std::mem::replace(&mut said.1, true);
        drop(said);
        told.into_iter().for_each(|line| operator.tell(line));
        is_first
    }

    /// Tells how many were only counted.
    pub fn tell_rest(&self, operator: &Operator) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.1 = false;
        let rest = said.0.rest();
        drop(said);
        rest.into_iter().for_each(|line| operator.tell(line));
    }
}

/// Id of the message, ours or of another product; words without one are their own.
fn id(line: &Line) -> String {
    let text = line.to_string();
    let first = text.split([' ', ':']).next().unwrap_or_default();
    let is_id =
        line.id().is_some() || (first.len() > 6 && first.contains(|c: char| c.is_ascii_digit()));
    match is_id {
        true => first.to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_are_told_and_the_rest_is_counted() {
        let mut few = Few::default();
        let line = |text: String| Line::text(Severity::Warning, text);
        let told = (0..8).filter_map(|n| few.take(line(format!("TXMSI0015W program {n}"))));
        assert_eq!(told.count(), 5);
        assert!(few.take(line("TXMSI0014W another".into())).is_some());
        let more = few.rest();
        assert_eq!(more.len(), 1);
        assert!(
            more[0].to_string().contains("3 more messages TXMSI0015W"),
            "{}",
            more[0]
        );
        assert!(
            more[0].to_string().ends_with("TXMSI0015W program 7"),
            "{}",
            more[0]
        );
        assert_eq!(more[0].level, Severity::Warning);
        assert!(few.take(line("TXMSI0015W program 9".into())).is_some());
        assert!(few.rest().is_empty());
    }
}
