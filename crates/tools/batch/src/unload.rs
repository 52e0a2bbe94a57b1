//! `transom sql unload` and `transom sql load`.

use crate::beside::{Beside, not_opened, user};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use transom_copybook::CodePage;
use transom_region_sql::{Files, Records, Unloads};
use transom_unload::{Coding, Style};

#[derive(Debug, Args)]
#[command(
    after_help = "Numbers are binary and packed, FLOAT is that of System/390, VARCHAR has its length in front, records are
equally long. Style dsntiaul has a ? behind a field that is NULL, style unload X'FF' in front of it (HEADER NONE).

Examples:
  transom sql unload my-system EMP --data emp.unl --control emp.load
  transom sql unload my-system DSN8C10.EMP --rows \"WHERE WORKDEPT = 'A00' ORDER BY EMPNO\" --data a00.unl --control a00.load"
)]
pub(crate) struct UnloadArgs {
    /// The system directory
    dir: PathBuf,
    /// The table, with its schema where it has one
    table: String,
    /// File for the records (SYSREC)
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// File for the LOAD statement (SYSPUNCH)
    #[arg(long, value_name = "FILE")]
    control: PathBuf,
    /// Which rows: what stands behind the table, WHERE and ORDER BY
    #[arg(long, value_name = "TEXT", default_value = "")]
    rows: String,
    /// Whose records they are
    #[arg(long, default_value = "dsntiaul")]
    style: StyleName,
    /// CCSID of characters, 1208 for UTF-8; default: `[cobol] source_codepage`
    #[arg(long, value_name = "NUMBER")]
    ccsid: Option<u32>,
    /// Authorization ID; default: the environment's USER
    #[arg(long, value_name = "ID")]
    user: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StyleName {
    Dsntiaul,
    Unload,
}

#[derive(Debug, Args)]
#[command(
    after_help = "CONTROL is what DSNTIAUL or UNLOAD wrote to SYSPUNCH: LOAD with INTO TABLE and its fields. RESUME YES, RESUME NO,
REPLACE, EBCDIC, ASCII, UNICODE, CCSID, FLOAT, WHEN, IGNOREFIELDS and NULLIF are done. The first record that is wrong
ends the command, and nothing of it stays.

Examples:
  transom sql load my-system emp.load emp.unl
  transom sql load my-system dept.load dept.vb --format variable"
)]
pub(crate) struct LoadArgs {
    /// The system directory
    dir: PathBuf,
    /// File with the LOAD statement
    control: PathBuf,
    /// File with the records
    data: PathBuf,
    /// fixed:LENGTH, or variable for records behind their lengths; default: as the statement says
    #[arg(long, value_name = "FORMAT", value_parser = records)]
    format: Option<Records>,
    /// Authorization ID; default: the environment's USER
    #[arg(long, value_name = "ID")]
    user: Option<String>,
}

fn records(text: &str) -> Result<Records, String> {
    let fixed = || text.strip_prefix("fixed:")?.parse().ok();
    match (text, fixed()) {
        ("variable", _) => Ok(Records::Variable),
        (_, Some(length @ 1..=32_760)) => Ok(Records::Fixed(length)),
        _ => Err("fixed:LENGTH or variable is expected".to_owned()),
    }
}

pub(crate) fn unload(args: &UnloadArgs, beside: Beside<'_>) -> Result<(), String> {
    let database = (beside.database)(&args.dir)?;
    let user = user(args.user.as_ref());
    let unloads = Unloads::on(&*database.engine, &user, database.page);
    let style = match args.style {
        StyleName::Dsntiaul => Style::Dsntiaul,
        StyleName::Unload => Style::Unload,
    };
    let is_ebcdic = |ccsid| CodePage::by_ccsid(ccsid).is_none_or(|page| page.ebcdic);
    let coding = match args.ccsid {
        Some(1208) => Coding::Unicode,
        Some(ccsid) if !is_ebcdic(ccsid) => Coding::Ascii(Some(ccsid)),
        given => Coding::Ebcdic(given),
    };
    let files = Files {
        data: &args.data,
        control: &args.control,
    };
    let mut unloads = unloads.map_err(not_opened)?;
    let done = unloads.unload(&args.table, &args.rows, (style, coding), files);
    (beside.print)(done.map_err(|message| message.to_string())?.as_ref());
    Ok(())
}

pub(crate) fn load(args: &LoadArgs, beside: Beside<'_>) -> Result<(), String> {
    let database = (beside.database)(&args.dir)?;
    let user = user(args.user.as_ref());
    let texts = (beside.texts)(std::slice::from_ref(&args.control), database.page)?;
    let mut unloads = Unloads::on(&*database.engine, &user, database.page).map_err(not_opened)?;
    for (name, text) in &texts {
        let records = args.format.unwrap_or_default();
        let done = unloads.load((name, text), &args.data, records);
        let told = done.map_err(|problem| problem.place_first().to_string())?;
        for line in told {
            (beside.print)(line.as_ref());
        }
    }
    Ok(())
}
