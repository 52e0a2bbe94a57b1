//! What each session of a region has committed last.
//!
//! What: a COMMIT that decides nothing for others writes the number of the unit of work into the
//! row of its session; when the answer is lost, the row tells whether it was carried out. Why not
//! by the number of the server's transaction: a server that dies gives numbers again that it had
//! not written to its log, and another transaction has committed under it. Not here: marks of
//! units of work with others (`marks`), who asks (`ends`).

use super::errors;
use super::owner::text;
use tokio_postgres::Client;
use transom_recovery::StoreError;

/// A session, and its unit of work, of those that were committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// Name of the region's sessions: nobody else has it.
    pub(super) name: String,
    pub(super) session: u64,
    pub(super) number: u64,
}

impl Note {
    /// Goes in front of the COMMIT.
    pub(super) fn text(&self) -> String {
        let Self {
            session, number, ..
        } = self;
        format!(
            "INSERT INTO transom_sql.session VALUES ('{}', {session}, {number}) \
             ON CONFLICT (name, session) DO UPDATE SET number = excluded.number; ",
            quoted(&self.name)
        )
    }

    /// Whether it was carried out; its session must have ended.
    pub(super) async fn is_there(&self, client: &Client) -> Result<bool, StoreError> {
        let ask = format!(
            "SELECT number::text FROM transom_sql.session WHERE name = '{}' AND session = {}",
            quoted(&self.name),
            self.session
        );
        let found = text(client, &ask).await?;
        Ok(found == Some(self.number.to_string()))
    }
}

/// Those of earlier runs, whose sessions have ended: numbers begin anew.
pub(super) async fn forget(name: &str, client: &Client) -> Result<(), StoreError> {
    let all = format!(
        "DELETE FROM transom_sql.session WHERE name = '{}'",
        quoted(name)
    );
    let forgotten = client.batch_execute(&all).await;
    forgotten.map_err(|e| errors::of_store(&e))
}

fn quoted(text: &str) -> String {
    text.replace('\'', "''")
}
