//! Savepoints of a unit of work.
//!
//! What: Db2's rules of names over the engine's own savepoints, which are a stack. Not here: the
//! end of a unit of work (`session`).

use super::answers::coded;
use super::driver::Driver;
use super::session::Session;
use transom_wire::sql::SqlAnswer;

impl<D: Driver> Session<D> {
    /// SAVEPOINT: a name that is set again means the new one from then on.
    pub(super) fn set_savepoint(&mut self, name: &str, unique: bool) -> Result<(), SqlAnswer> {
        let known = self.savepoints.iter().position(|known| known == name);
        if unique && known.is_some() {
            return Err(coded(-881, vec![name.to_owned()]));
        }
        self.driver.begin()?;
        self.driver.tell(&format!("SAVEPOINT {}", quoted(name)))?;
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
                last.ok_or_else(|| coded(-882, Vec::new()))?
            }
        };
        let name = quoted(&self.savepoints[at]);
        self.driver.tell(&format!("ROLLBACK TO SAVEPOINT {name}"))?;
        self.savepoints.truncate(at + 1);
        // Definitions may be gone.
        self.schema = -1;
        Ok(())
    }

    /// RELEASE SAVEPOINT: with those that were set later.
    pub(super) fn release_savepoint(&mut self, name: &str) -> Result<(), SqlAnswer> {
        let at = self.savepoint(name)?;
        self.driver
            .tell(&format!("RELEASE SAVEPOINT {}", quoted(name)))?;
        self.savepoints.truncate(at);
        Ok(())
    }

    fn savepoint(&self, name: &str) -> Result<usize, SqlAnswer> {
        let at = self.savepoints.iter().position(|known| known == name);
        at.ok_or_else(|| coded(-880, vec![name.to_owned()]))
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
