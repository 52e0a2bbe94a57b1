//! EXEC CICS CREATE: one definition, installed as CEDA INSTALL does it and kept for the next start.
//!
//! Not here: what installing checks (`install`), where it is kept (`catalog`).

use super::DefinitionFile;
use super::catalog::GROUP;
use super::install::{NotInstalled, Way};
use crate::config::StartMode;
use transom_csd::{Csd, Definition, Fault, ResourceKind};
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;

/// RESP2 of what does not install.
const NOT_INSTALLED: u32 = 500;
/// Nothing was attempted.
const EARLY: u8 = 1;
/// Definitions a start names of those it has taken up.
const SHOWN_MAX: usize = 10;

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
                let resp2 = resp2(wrong.fault, wrong.at);
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
    fn install_created(&self, definition: &Definition, way: Way) -> Result<(), NotInstalled> {
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

    /// A definition is gone: the next start does not bring it back.
    pub(super) fn discarded(&self, kind: &str, name: &str) -> RegionAnswer {
        if let Err(error) = self.catalog.forget(kind, name) {
            let what = format!("{kind}({name})");
            self.kernel.tell(messages::am::not_cataloged(&what, &error));
        }
        RegionAnswer::normal()
    }

    /// What earlier runs created or installed: installed again, in place of what decks say, or
    /// forgotten by a cold or initial start.
    pub(crate) fn take_up(&self, start: StartMode) {
        let statements = match start {
            StartMode::Auto => self.catalog.all(),
            StartMode::Cold | StartMode::Initial { .. } => {
                self.catalog.empty().map(|()| Vec::new())
            }
        };
        let statements = statements.unwrap_or_else(|error| {
            self.kernel.tell(messages::am::catalog_not_readable(&error));
            Vec::new()
        });
        let mut taken: Vec<String> = Vec::new();
        for statement in statements {
            let mut csd = Csd::new();
            for problem in csd.parse_deck("CREATE", &statement) {
                self.kernel.tell(problem.message);
            }
            for definition in csd.group(GROUP).unwrap_or_default() {
                let what = format!("{}({})", definition.kind.keyword(), definition.name);
                match self.install_created(definition, Way::Start) {
                    Ok(()) => taken.push(what),
                    Err(why) => self.kernel.tell(messages::am::not_created(&what, &why)),
                }
            }
        }
        if !taken.is_empty() {
            let more = taken.len().saturating_sub(SHOWN_MAX);
            taken.truncate(SHOWN_MAX);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            let shown = format!("{}{more}", taken.join(", "));
            self.kernel.tell(messages::am::taken_up(shown));
        }
    }
}

/// The mistake in the low halfword; in the high one the offset, where CICS has one.
fn resp2(fault: Fault, at: usize) -> u32 {
    let offset = (at as u32 & 0x7FFF) << 16;
    match fault {
        Fault::Delimiter => offset | 400,
        Fault::Keyword => offset | 401,
        Fault::Twice => 406,
        Fault::Value | Fault::Name => 410,
        Fault::NoValue => 412,
    }
}
