//! Tables from and to unload files.
//!
//! What: [`Unloads`], one session that writes the rows of a table to a file, or loads a file by a
//! LOAD statement, as a whole or not at all. Why here: both engines are reached by the session of
//! scripts, and rows come and go in blocks. Not here: bytes of a record, the statement
//! (formats/unload).

mod load;
mod records;
mod write;

pub use records::Records;

use crate::session::{SqlEngine, SqlSession};
use crate::statements::{coded, reason};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use transom_copybook::CodePage;
use transom_recovery::StoreError;
use transom_sql::Name;
use transom_unload::{Characters, Coding};
use transom_wire::sql::{SqlAnswer, SqlFrom};

/// Unloads and loads of one user.
pub struct Unloads {
    session: Box<dyn SqlSession>,
    from: SqlFrom,
    /// Of characters whose CCSID is not said, in EBCDIC.
    page: &'static CodePage,
}

/// Where data and LOAD statement of an unload go.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    pub data: &'a Path,
    pub control: &'a Path,
}

impl Unloads {
    /// A session of a user on a database; the code page is that of EBCDIC without a CCSID.
    pub fn on(
        engine: &dyn SqlEngine,
        user: &str,
        page: &'static CodePage,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            session: engine.session(Arc::default())?,
            from: SqlFrom {
                program: "SCRIPT".to_owned(),
                user: user.to_owned(),
                dynamic: true,
            },
            page,
        })
    }

    /// Characters of a coding; the error is a CCSID nobody knows.
    fn characters(&self, coding: Coding) -> Result<Characters, u32> {
        Ok(match coding {
            Coding::Unicode | Coding::Ascii(Some(1208)) => Characters::Utf8,
            Coding::Ebcdic(None) => Characters::Page(self.page),
            Coding::Ascii(None) => page(819)?,
            Coding::Ebcdic(Some(ccsid)) | Coding::Ascii(Some(ccsid)) => page(ccsid)?,
        })
    }
}

fn page(ccsid: u32) -> Result<Characters, u32> {
    let page = CodePage::by_ccsid(ccsid).ok_or(ccsid)?;
    Ok(Characters::Page(page))
}

/// Why a table is not loaded or unloaded.
#[derive(Debug)]
struct Why(String);

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `"OWN"."EMP"`
fn quoted(name: &Name) -> String {
    match &name.qualifier {
        Some(own) => format!("{}.{}", delimited(own), delimited(&name.name)),
        None => delimited(&name.name),
    }
}

fn delimited(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// SQLCODE and words of an answer.
fn said(answer: &SqlAnswer) -> String {
    format!("SQLCODE {}: {}", answer.code, reason(answer))
}

fn failed(error: &StoreError) -> String {
    let tokens = ["00C90083", "00000300", "COMMIT"].map(str::to_owned);
    said(&SqlAnswer {
        text: error.to_string(),
        ..coded(-904, tokens.to_vec())
    })
}
