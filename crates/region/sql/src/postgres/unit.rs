//! Where a session is in its unit of work.
//!
//! Why savepoints: an error of a statement would end the whole transaction, and Db2 goes on. Each
//! statement has one, which is sent in front of it and let go in front of the next.

/// Name of the savepoint of a statement.
const GUARD: &str = "transom_statement";

/// A unit of work on the server.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// There is something to commit, or will be.
    pub(super) writes: bool,
    /// The server has begun it.
    pub(super) begun: bool,
    /// There is the savepoint of the last statement.
    guarded: bool,
    /// Number of its transaction.
    pub(super) number: Option<String>,
    /// The connection was lost, and the changes with it.
    pub(super) lost: bool,
}

impl Unit {
    /// What goes in front of a statement; `None`: it is committed by itself.
    pub(super) fn before(&self) -> Option<String> {
        let begin = match (self.writes, self.begun, self.guarded) {
            (false, ..) => return None,
            (true, false, _) => "BEGIN; SELECT pg_current_xact_id()::text; ".to_owned(),
            (true, true, true) => format!("RELEASE SAVEPOINT {GUARD}; "),
            (true, true, false) => String::new(),
        };
        Some(format!("{begin}SAVEPOINT {GUARD}"))
    }

    /// The server has taken what [`Unit::before`] says.
    pub(super) fn guarded(&mut self) {
        self.begun = true;
        self.guarded = true;
    }

    /// The server has forgotten all of it, and nothing was lost with it.
    pub(super) fn restart(&mut self) {
        *self = Self {
            writes: self.writes,
            ..Self::default()
        };
    }

    /// Undoes the last statement alone.
    pub(super) fn undo(&self) -> Option<String> {
        let begun = self.begun && self.guarded;
        begun.then(|| format!("ROLLBACK TO SAVEPOINT {GUARD}"))
    }

    /// What goes in front of SAVEPOINT and its kin, which are to lie below no guard.
    pub(super) fn unguard(&self) -> String {
        match (self.begun, self.guarded) {
            (false, _) => "BEGIN; SELECT pg_current_xact_id()::text; ".to_owned(),
            (true, true) => format!("RELEASE SAVEPOINT {GUARD}; "),
            (true, false) => String::new(),
        }
    }

    /// The server has taken what [`Unit::unguard`] says.
    pub(super) fn unguarded(&mut self) {
        self.begun = true;
        self.guarded = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_of_a_unit_of_work_has_its_savepoint() {
        let mut unit = Unit::default();
        assert_eq!(unit.before(), None);
        unit.writes = true;
        let first = unit.before().unwrap();
        assert!(first.starts_with("BEGIN; ") && first.ends_with("SAVEPOINT transom_statement"));
        assert_eq!(unit.undo(), None);
        unit.guarded();
        let next = "RELEASE SAVEPOINT transom_statement; SAVEPOINT transom_statement";
        assert_eq!(unit.before().as_deref(), Some(next));
        assert_eq!(unit.unguard(), "RELEASE SAVEPOINT transom_statement; ");
        unit.unguarded();
        assert_eq!(
            unit.before().as_deref(),
            Some("SAVEPOINT transom_statement")
        );
    }
}
