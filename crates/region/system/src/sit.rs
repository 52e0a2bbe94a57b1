//! System initialization parameters as the region takes them.

use std::time::{SystemTime, UNIX_EPOCH};
use transom_settings::RegionSettings;
use transom_types::{Applid, ProgramName, SysId, TransId, UserId};
use transom_wire::definitions::{DateForm, SystemEntry};

/// Seconds from 1900, where ABSTIME begins, to 1970.
const UNIX_EPOCH_ABSTIME_S: u64 = 2_208_988_800;

/// Identity and limits as the SIT has them.
pub fn system_entry(sit: &RegionSettings) -> SystemEntry {
    let mut facts = SystemEntry::new(
        Applid::from_field(sit.applid.as_bytes()),
        SysId::from_field(sit.sysidnt.as_bytes()),
    );
    facts.max_tasks = sit.mxt;
    facts.local_ccsid = sit.localccsid;
    facts.default_user = UserId::from_field(sit.dfltuser.as_bytes());
    facts.gm_transid = TransId::from_field(sit.gmtran.as_bytes());
    facts.cwa_bytes = sit.wrkarea;
    facts.runaway_ms = sit.icvr;
    facts.program_autoinstall = sit.pgaipgm == "ACTIVE";
    facts.date_form = DateForm::of(sit.datform);
    facts.languages.clone_from(&sit.natlang);
    facts.command_protection = sit.cmdprot == "YES";
    facts.storage_protection = sit.stgprot == "YES";
    facts.cics_messages = sit.msgprefix == "DFH";
    facts.dump = sit.dump == "YES";
    facts.priority_aging_ms = sit.prtyage;
    facts.shared_bytes = (sit.edsalim as u64) << 20;
    facts.plt_user = UserId::from_field(sit.pltpiusr.as_bytes());
    facts.group_lists.clone_from(&sit.grplist);
    facts.initparm = sit
        .initparm
        .iter()
        .map(|(program, text)| (ProgramName::from_field(program.as_bytes()), text.clone()))
        .collect();
    facts.routing_program = ProgramName::from_field(sit.dtrpgm.as_bytes());
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    facts.started_abstime_ms = (UNIX_EPOCH_ABSTIME_S + since_1970.as_secs()) * 1000;
    facts
}
