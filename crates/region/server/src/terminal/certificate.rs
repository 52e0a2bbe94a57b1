//! Sessions that begin with a certificate.
//!
//! Not here: whether the certificate is one to believe (the door), what its user may do.

use super::Terminals;
use transom_messages as messages;
use transom_region_api::LogonRefused;
use transom_types::{ClientCertificate, UserId};

impl Terminals {
    /// Whose certificate a client has shown, where there are users.
    pub(super) fn certified(
        &self,
        shown: &ClientCertificate,
        peer: &str,
    ) -> Result<Option<UserId>, LogonRefused> {
        if !self.authority.checks().on {
            return Ok(None);
        }
        self.authority
            .certified(shown, peer)
            .map(Some)
            .map_err(|why| {
                self.kernel.tell(why);
                self.directory.table().refused += 1;
                LogonRefused {
                    in_use: false,
                    text: messages::xs::certificate_not_known().into(),
                }
            })
    }
}
