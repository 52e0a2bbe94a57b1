//! An installed program.

use super::{get, put};
use crate::codec::{Reader, Writer};
use crate::module::Module;
use crate::shared::{Shared, Space};
use transom_types::{ProgramName, SysId, TransId};

/// Source language of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Language {
    /// Not known before the first use.
    #[default]
    NotDefined = 0,
    /// COBOL.
    Cobol = 1,
    /// C or C++.
    C = 2,
    /// Java in a JVM server.
    Java = 3,
    /// PL/I.
    Pli = 4,
    /// Assembler.
    Assembler = 5,
}

/// CONCURRENCY of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Concurrency {
    /// Runs only with the region's QR token.
    #[default]
    Quasirent = 0,
    /// Runs on any core.
    Threadsafe = 1,
    /// As threadsafe, from the start.
    Required = 2,
}

/// An installed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramEntry {
    /// Name.
    pub program: ProgramName,
    /// Shared object of the newest version; empty: no module, the program cannot be loaded.
    pub path: String,
    /// LANGUAGE.
    pub language: Language,
    /// CONCURRENCY.
    pub concurrency: Concurrency,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// RESIDENT(YES).
    pub resident: bool,
    /// CEDF(YES).
    pub cedf: bool,
    /// DATALOCATION(ANY).
    pub data_any: bool,
    /// EXECKEY(CICS).
    pub cics_key: bool,
    /// API(OPENAPI).
    pub openapi: bool,
    /// EXECUTIONSET(DPLSUBSET).
    pub dpl_subset: bool,
    /// DYNAMIC(YES).
    pub dynamic: bool,
    /// RELOAD(YES).
    pub reload: bool,
    /// Made by program autoinstall, not by a definition.
    pub autoinstalled: bool,
    /// REMOTESYSTEM; blank: local.
    pub remote_system: SysId,
    /// REMOTENAME.
    pub remote_name: ProgramName,
    /// TRANSID for remote use.
    pub transid: TransId,
    /// Size of the module in bytes, 0 when not known.
    pub length: u32,
}

impl ProgramEntry {
    /// A local COBOL program with CICS's defaults.
    pub fn new(program: ProgramName, path: &str) -> Self {
        Self {
            program,
            path: path.to_owned(),
            language: Language::NotDefined,
            concurrency: Concurrency::Quasirent,
            enabled: true,
            resident: false,
            cedf: true,
            data_any: true,
            cics_key: false,
            openapi: false,
            dpl_subset: false,
            dynamic: false,
            reload: false,
            autoinstalled: false,
            remote_system: SysId::BLANK,
            remote_name: ProgramName::BLANK,
            transid: TransId::BLANK,
            length: 0,
        }
    }

    /// How the worker loads it.
    pub fn module(&self) -> Module {
        Module {
            program: self.program,
            path: self.path.clone(),
            quasirent: self.concurrency == Concurrency::Quasirent,
        }
    }

    /// Bytes for [`Space::Program`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64 + self.path.len());
        out.raw(self.program.as_bytes())
            .u8(self.language as u8)
            .u8(self.concurrency as u8);
        for flag in [
            self.enabled,
            self.resident,
            self.cedf,
            self.data_any,
            self.cics_key,
            self.openapi,
            self.dpl_subset,
            self.dynamic,
            self.reload,
            self.autoinstalled,
        ] {
            out.flag(flag);
        }
        out.raw(self.remote_system.as_bytes())
            .raw(self.remote_name.as_bytes());
        out.raw(self.transid.as_bytes())
            .u32(self.length)
            .bytes(self.path.as_bytes());
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            program: ProgramName::from_field(from.raw(8)?),
            language: language(from.u8()?),
            concurrency: concurrency(from.u8()?),
            enabled: from.flag()?,
            resident: from.flag()?,
            cedf: from.flag()?,
            data_any: from.flag()?,
            cics_key: from.flag()?,
            openapi: from.flag()?,
            dpl_subset: from.flag()?,
            dynamic: from.flag()?,
            reload: from.flag()?,
            autoinstalled: from.flag()?,
            remote_system: SysId::from_field(from.raw(4)?),
            remote_name: ProgramName::from_field(from.raw(8)?),
            transid: TransId::from_field(from.raw(4)?),
            length: from.u32()?,
            path: from.text()?,
        })
    }

    /// Installs or replaces the program, keeping its use count. `false`: shared storage is full.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Program,
            self.program.as_bytes(),
            &self.encode(),
        )
    }

    /// The installed program.
    pub fn find(shared: &dyn Shared, program: ProgramName) -> Option<Self> {
        get(shared, Space::Program, program.as_bytes(), Self::decode)
    }
}

fn language(code: u8) -> Language {
    match code {
        1 => Language::Cobol,
        2 => Language::C,
        3 => Language::Java,
        4 => Language::Pli,
        5 => Language::Assembler,
        _ => Language::NotDefined,
    }
}

fn concurrency(code: u8) -> Concurrency {
    match code {
        1 => Concurrency::Threadsafe,
        2 => Concurrency::Required,
        _ => Concurrency::Quasirent,
    }
}
