//! `[log]`.

use crate::kind::{Inside, Number, Word, YesNo};

settings! {
    /// Lines of `transom run` and `transom gateway` for the operator, on standard error and in a
    /// file.
    pub struct LogSettings in "[log]" {
        /// How lines on standard error look, {values}. PLAIN: as they are, for a terminal or a
        /// journal that adds time and level; TEXT: with time (UTC), level and all that is known;
        /// JSON: an object each.
        format: &'static str = "PLAIN", Word(&["PLAIN", "TEXT", "JSON"]);
        /// File below the directory that lines are also written to, as TEXT, or as JSON where
        /// format says so.
        file: Option<String> = None, Inside;
        /// File below the directory with a line for each request of the gateway and of `[dbrest]`,
        /// in the combined format with microseconds, API and task number behind it, or JSON
        /// objects where format says so.
        access: Option<String> = None, Inside;
        /// Lines of requests tell the part of an address behind `?` too, {values}. It may hold
        /// secrets.
        access_query: bool = false, YesNo;
        /// Messages of this severity and worse are written, {values}. What programs DISPLAY is
        /// written always, and so is what no message is. `transom reload` changes it while the
        /// region runs.
        level: &'static str = "INFORMATION", Word(&["INFORMATION", "WARNING", "ERROR"]);
        /// A file that has become longer gets `.1` behind its name, {values} megabytes.
        file_megabytes: u64 = 64, Number(1, 4_096);
        /// Files that are kept, {values}; the oldest goes.
        files: usize = 8, Number(1, 1_000);
    }
}
