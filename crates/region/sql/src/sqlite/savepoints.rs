//! Savepoints of a unit of work.
//!
//! What: Db2's rules of names over the engine's own savepoints, which are a stack. Not here: the
//! end of a unit of work (`session`).

use super::errors;
use super::session::Session;
use transom_wire::sql::SqlAnswer;

impl Session {
    /// SAVEPOINT: a name that is set again means the new one from then on.
    pub(super) fn set_savepoint(&mut self, name: &str, unique: bool) -> Result<(), SqlAnswer> {
        let known = self.savepoints.iter().position(|known| known == name);
        if unique && known.is_some() {
            return Err(errors::coded(-881, vec![name.to_owned()]));
        }
        self.begin()?;
        self.tell(&format!("SAVEPOINT {}", quoted(name)))?;
        // The engine goes by the last of a name.
        if let Some(known) = known {
            self.savepoints.remove(known);
        }
        self.savepoints.push(name.to_owned());
        Ok(())
    }

    /// ROLLBACK TO SAVEPOINT: those that were set later are gone.
    pub(super) fn back_to_savepoint(&mut self, name: Option<&str>) -> Result<(), SqlAnswer> {
        let at = match name {
            Some(name) => self.savepoint(name)?,
            None => {
                let last = self.savepoints.len().checked_sub(1);
                last.ok_or_else(|| errors::coded(-882, Vec::new()))?
            }
        };
        let name = quoted(&self.savepoints[at]);
        self.tell(&format!("ROLLBACK TO {name}"))?;
        self.savepoints.truncate(at + 1);
        // Definitions may be gone.
        self.schema = -1;
        Ok(())
    }

    /// RELEASE SAVEPOINT: with those that were set later.
    pub(super) fn release_savepoint(&mut self, name: &str) -> Result<(), SqlAnswer> {
        let at = self.savepoint(name)?;
        self.tell(&format!("RELEASE {}", quoted(name)))?;
        self.savepoints.truncate(at);
        Ok(())
    }

    fn savepoint(&self, name: &str) -> Result<usize, SqlAnswer> {
        let at = self.savepoints.iter().position(|known| known == name);
        at.ok_or_else(|| errors::coded(-880, vec![name.to_owned()]))
    }

    fn tell(&self, text: &str) -> Result<(), SqlAnswer> {
        let told = self.connection.execute_batch(text);
        told.map_err(|e| errors::answer(&e, false))
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
