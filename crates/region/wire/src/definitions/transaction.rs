//! An installed transaction.

use super::{get, put};
use crate::codec::{Reader, Writer};
use crate::shared::{Shared, Space};
use transom_types::{ProgramName, TransClass, TransId};

/// An installed transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionEntry {
    /// Name.
    pub transid: TransId,
    /// First program.
    pub program: ProgramName,
    /// TRANCLASS; blank: none.
    pub class: TransClass,
    /// PROFILE.
    pub profile: ProgramName,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// PRIORITY, 0 to 255.
    pub priority: u8,
    /// TWASIZE in bytes.
    pub twa_bytes: u32,
    /// DTIMOUT in milliseconds; 0: no limit.
    pub dtimout_ms: u64,
    /// RUNAWAY in milliseconds; 0: no limit; `None`: the region's ICVR.
    pub runaway_ms: Option<u64>,
    /// DUMP(YES).
    pub dump: bool,
    /// TRACE(YES).
    pub trace: bool,
    /// SPURGE(YES).
    pub spurge: bool,
    /// TPURGE(YES).
    pub tpurge: bool,
    /// STORAGECLEAR(YES).
    pub storage_clear: bool,
    /// ISOLATE(YES).
    pub isolate: bool,
    /// SHUTDOWN(ENABLED).
    pub shutdown_enabled: bool,
    /// TASKDATAKEY(CICS).
    pub cics_key: bool,
    /// TASKDATALOC(ANY).
    pub data_any: bool,
    /// RESTART(YES).
    pub restart: bool,
    /// CMDSEC(YES).
    pub cmdsec: bool,
    /// RESSEC(YES).
    pub ressec: bool,
}

impl TransactionEntry {
    /// A transaction with CICS's defaults.
    pub fn new(transid: TransId, program: ProgramName) -> Self {
        Self {
            transid,
            program,
            class: TransClass::BLANK,
            profile: ProgramName::from_field(b"DFHCICST"),
            enabled: true,
            priority: 1,
            twa_bytes: 0,
            dtimout_ms: 0,
            runaway_ms: None,
            dump: true,
            trace: true,
            spurge: false,
            tpurge: false,
            storage_clear: false,
            isolate: true,
            shutdown_enabled: false,
            cics_key: false,
            data_any: false,
            restart: false,
            cmdsec: false,
            ressec: false,
        }
    }

    /// Bytes for [`Space::Transaction`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(96);
        out.raw(self.transid.as_bytes())
            .raw(self.program.as_bytes())
            .raw(self.class.as_bytes());
        out.raw(self.profile.as_bytes())
            .u8(self.priority)
            .u32(self.twa_bytes);
        out.u64(self.dtimout_ms)
            .u64(self.runaway_ms.unwrap_or(u64::MAX));
        for flag in [
            self.enabled,
            self.dump,
            self.trace,
            self.spurge,
            self.tpurge,
            self.storage_clear,
            self.isolate,
            self.shutdown_enabled,
            self.cics_key,
            self.data_any,
            self.restart,
            self.cmdsec,
            self.ressec,
        ] {
            out.flag(flag);
        }
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            transid: TransId::from_field(from.raw(4)?),
            program: ProgramName::from_field(from.raw(8)?),
            class: TransClass::from_field(from.raw(8)?),
            profile: ProgramName::from_field(from.raw(8)?),
            priority: from.u8()?,
            twa_bytes: from.u32()?,
            dtimout_ms: from.u64()?,
            runaway_ms: Some(from.u64()?).filter(|ms| *ms != u64::MAX),
            enabled: from.flag()?,
            dump: from.flag()?,
            trace: from.flag()?,
            spurge: from.flag()?,
            tpurge: from.flag()?,
            storage_clear: from.flag()?,
            isolate: from.flag()?,
            shutdown_enabled: from.flag()?,
            cics_key: from.flag()?,
            data_any: from.flag()?,
            restart: from.flag()?,
            cmdsec: from.flag()?,
            ressec: from.flag()?,
        })
    }

    /// Installs or replaces the transaction, keeping its use count.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Transaction,
            self.transid.as_bytes(),
            &self.encode(),
        )
    }

    /// The installed transaction.
    pub fn find(shared: &dyn Shared, transid: TransId) -> Option<Self> {
        get(shared, Space::Transaction, transid.as_bytes(), Self::decode)
    }
}
