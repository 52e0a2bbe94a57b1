//! What the trace of a region starts from.

use crate::data_sets::FOLDER;
use std::path::{Path, PathBuf};
use transom_settings::{RegionSettings, TraceSettings};
use transom_trace::Flags;
use transom_trace::file::Head;
use transom_types::{Applid, SysId};
use transom_wire::system::Switching;

/// As the system initialization parameters and `[trace]` say.
#[derive(Debug, Clone)]
pub struct TraceConfig {
    /// Folder of the data sets; `None`: there is no auxiliary trace.
    pub folder: Option<PathBuf>,
    /// Longest data set.
    pub bytes_max: u64,
    /// INTTR, SYSTR, USERTR and AUXTR.
    pub flags: Flags,
    /// AUXTRSW.
    pub switching: Switching,
}

impl Default for TraceConfig {
    fn default() -> Self {
        Self {
            folder: None,
            bytes_max: 64 << 20,
            flags: Flags::default(),
            switching: Switching::No,
        }
    }
}

impl TraceConfig {
    /// As the settings of a system directory say.
    pub fn of(root: &Path, sit: &RegionSettings, table: &TraceSettings) -> Self {
        Self {
            folder: Some(root.join(FOLDER)),
            bytes_max: table.dataset_megabytes << 20,
            flags: Flags::default()
                .with_internal(sit.inttr == "ON")
                .with_auxiliary(sit.auxtr == "ON")
                .with_system(sit.systr == "ON")
                .with_user(sit.usertr == "ON"),
            switching: match sit.auxtrsw {
                "ALL" => Switching::All,
                "NEXT" => Switching::Next,
                _ => Switching::No,
            },
        }
    }

    /// How its data sets begin.
    pub(crate) fn head(
        (applid, sysid): (Applid, SysId),
        started_ns: u64,
        utc_offset_s: i32,
    ) -> Head {
        Head {
            applid,
            sysid,
            started_ns,
            utc_offset_s,
        }
    }
}
