//! The toolkit: what somebody makes or looks at before there is a region.
//!
//! What: `transom copybook` ([`CopybookCommand`]), `ls2js`, `service build` and `api build`
//! ([`Ls2jsArgs`], [`ServiceCommand`], [`ApiCommand`]), `dclgen` ([`DclgenArgs`]): their options,
//! and the way from files to files. Not here: conversion and archives themselves
//! (`formats/copybook`, `formats/apidef`), how results are shown ([`Output`] is handed in),
//! anything that needs a system directory: a database is handed in.

#![forbid(unsafe_code)]

mod archives;
mod copybook;
mod dclgen;
mod files;
mod import;
mod output;

pub use archives::{ApiCommand, Ls2jsArgs, ServiceCommand, api, ls2js, service};
pub use copybook::{CopybookCommand, run as copybook};
pub use dclgen::{DclgenArgs, dclgen};
pub use output::Output;
