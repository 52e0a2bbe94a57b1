//! EXEC CICS CREATE: one definition, installed as CEDA INSTALL does it and kept for the next start.
//!
//! Not here: what installing checks (`install`), where it is kept (`catalog`), what the next start
//! does with it (`taken_up`).

use super::DefinitionFile;
use super::install::{NotInstalled, Way};
use transom_csd::{Definition, ResourceKind, attributes_resp2};
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;

/// RESP2 of what does not install.
const NOT_INSTALLED: u32 = 500;
/// Nothing was attempted.
const EARLY: u8 = 1;

impl DefinitionFile {
    /// CREATE.
    pub(super) fn create(&self, kind: &str, name: &str, text: &str, log: bool) -> RegionAnswer {
        let Some(kind) = ResourceKind::by_keyword(kind) else {
            return RegionAnswer::damaged();
        };
        let definition = match Definition::of_text(kind, name, text) {
            Ok(definition) => definition,
            Err(wrong) => {
                self.kernel.tell(wrong.message.clone());
                let resp2 = attributes_resp2(wrong.fault, wrong.at);
                let mut answer = RegionAnswer::refused(Resp::INVREQ, resp2, wrong.message);
                answer.data = vec![EARLY];
                return answer;
            }
        };
        let what = format!("{}({})", kind.keyword(), definition.name);
        if let Err(why) = self.install_created(&definition, Way::Now) {
            let message = messages::am::not_created(&what, &why);
            self.kernel.tell(message.clone());
            return RegionAnswer::refused(Resp::INVREQ, NOT_INSTALLED, message);
        }
        if let Err(error) = self.catalog.keep(&[&definition]) {
            self.kernel.tell(messages::am::not_cataloged(&what, &error));
        }
        if log {
            let given = definition.attributes();
            let given: Vec<String> = given.map(|(k, v)| format!("{k}({v})")).collect();
            self.kernel
                .tell(messages::am::created(&what, given.join(" ")));
        }
        RegionAnswer::normal()
    }

    /// Installs it; a kind that is only installed by a start is not.
    pub(super) fn install_created(
        &self,
        definition: &Definition,
        way: Way,
    ) -> Result<(), NotInstalled> {
        match self.one(definition, way) {
            Ok(true) => Ok(()),
            Ok(false) => Err(messages::am::at_next_start().into()),
            // The file is there; what it says of its data set was told.
            Err(NotInstalled::File(text)) => {
                self.kernel.tell(transom_messages::Line::heard(text));
                Ok(())
            }
            Err(why) => Err(why),
        }
    }
}
