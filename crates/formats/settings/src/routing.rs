//! `[routing]`.

use crate::kind::{NameList, Number, Word};

settings! {
    /// Regions among which transactions with DYNAMIC(YES) are balanced when DTRPGM is EYU9XLOP.
    pub struct RoutingSettings in "[routing]" {
        /// The regions, by the names of their CONNECTION or IPCONN.
        targets: Vec<String> = Vec::new() => "none", NameList;
        /// How a region is chosen: QUEUE takes the one with the least tasks for its MXT; GOAL takes
        /// those that answer within `goal_ms` first. With LN in front, regions of other hosts
        /// count as those of this one.
        algorithm: &'static str = "QUEUE", Word(&["QUEUE", "LNQUEUE", "GOAL", "LNGOAL"]);
        /// Average response time that is wanted, {values} milliseconds.
        goal_ms: u32 = 1_000, Number(1, 600_000);
        /// Percent of abends of a transaction in a region from which its load counts twice,
        /// {values}; 0: never.
        abendthresh: u32 = 0, Number(0, 99);
        /// Percent of abends from which a region is taken only when there is no other, {values};
        /// 0: never.
        abendcrit: u32 = 0, Number(0, 99);
        /// PCONV: a pseudo-conversation stays in its region, and fails when that is away.
        affinity: &'static str = "NONE", Word(&["NONE", "PCONV"]);
    }
}
