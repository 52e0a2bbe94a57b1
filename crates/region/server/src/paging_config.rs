//! What a user types or presses to turn pages, as a region is told it.
//!
//! Not here: the commands (`terminal/paging`).

/// Bytes of pages in the region when nothing else is said; more raise TSIOERR.
const PAGE_BYTES_MAX: usize = 64 << 20;

/// What a user types or presses to turn pages.
#[derive(Debug, Clone)]
pub struct PagingConfig {
    /// PGRET: code in front of page retrieval commands.
    pub retrieve: String,
    /// PGPURGE: code in front of purge commands.
    pub purge: String,
    /// PGCHAIN: code of page chaining, which is answered with a message.
    pub chain: String,
    /// PGCOPY: code of page copying, which is answered with a message.
    pub copy: String,
    /// SKRxxxx: attention identifier (as 3270s send it) and the command it stands for, or what
    /// follows the code of `retrieve` in it.
    pub keys: Vec<(u8, String)>,
    /// Bytes of pages the region keeps; more raise TSIOERR.
    pub bytes_max: usize,
}

impl Default for PagingConfig {
    /// The codes IBM's books use; no keys.
    fn default() -> Self {
        Self {
            retrieve: "P/".into(),
            purge: "T/".into(),
            chain: "X/".into(),
            copy: "C/".into(),
            keys: Vec::new(),
            bytes_max: PAGE_BYTES_MAX,
        }
    }
}
