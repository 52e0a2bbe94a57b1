//! Definitions of decks that were read again, installed while tasks run.
//!
//! Why beside CEDA INSTALL: the next start reads these decks too, so nothing of them is kept, and
//! what earlier installs and discards have kept of the same names goes. Not here: which definitions
//! have changed, and who asks (`tools/reload`).

use super::DefinitionFile;
use super::install::{NotInstalled, Way};
use crate::LocalRegion;
use crate::replier::lock;
use transom_csd::{Definition, ResourceKind};
use transom_messages::{self as messages, Line, Message};

impl LocalRegion {
    /// Installs definitions as CEDA INSTALL does; why one was not, in their order.
    ///
    /// # Errors
    /// The region cannot tell what has become of them.
    pub async fn install_renewed(
        &self,
        definitions: Vec<Definition>,
    ) -> Result<Vec<Option<String>>, Message> {
        let service = self.services.definitions.clone();
        let done = tokio::task::spawn_blocking(move || service.renew(&definitions));
        done.await.map_err(messages::rl::not_reloaded)
    }
}

impl DefinitionFile {
    fn renew(&self, definitions: &[Definition]) -> Vec<Option<String>> {
        let mut order: Vec<usize> = (0..definitions.len()).collect();
        // DB2ENTRY and DB2TRAN need it.
        order.sort_by_key(|at| definitions[*at].kind != ResourceKind::Db2Conn);
        let mut why = vec![None; definitions.len()];
        let mut installed = Vec::new();
        for at in order {
            let definition = &definitions[at];
            match self.one(definition, Way::Now) {
                Ok(true) => {}
                Ok(false) => {
                    why[at] = Some(messages::am::at_next_start().to_string());
                    continue;
                }
                // The file is there; what is wrong with its data set is told.
                Err(NotInstalled::File(text)) => self.kernel.tell(Line::heard(text)),
                Err(wrong) => {
                    why[at] = Some(wrong.to_string());
                    continue;
                }
            }
            installed.push((definition.kind.keyword(), &*definition.name));
        }
        if let Some(names) = self.of_decks.get() {
            let names_of_decks = installed.iter().map(|(kind, name)| (*kind, (*name).into()));
            lock(names).extend(names_of_decks);
        }
        if let Err(error) = self.catalog.forget_all(&installed) {
            self.kernel
                .tell(messages::am::not_cataloged("transom reload", &error));
        }
        why
    }
}
