//! What the phrases of JSON PARSE say of each item.
//!
//! Not here: reading the phrases (`parsing`), what comes of them (`filling`, `nulls`).

use super::parsing::{Indicator, Parse, Truths};
use super::record::Record;
use std::collections::HashMap;
use transom_copybook::FieldId;

/// What the phrases say of one item.
#[derive(Default)]
pub(super) struct Said<'a> {
    pub(super) name: Option<&'a Option<String>>,
    pub(super) suppressed: bool,
    pub(super) truths: Option<&'a Truths>,
    pub(super) ignored: bool,
    /// The figurative constant for null.
    pub(super) null: Option<&'static str>,
    pub(super) indicator: Option<&'a Indicator>,
}

pub(super) type All<'a> = HashMap<FieldId, Said<'a>>;

/// Of all items that a phrase names.
pub(super) fn said<'a>(record: &Record, parse: &'a Parse) -> Result<All<'a>, String> {
    let mut all = All::new();
    for (item, name) in &parse.names {
        let id = record.inside(item)?;
        if name.is_none() && id != record.item {
            return Err("NAME OMITTED of an item that is not the receiver".to_owned());
        }
        all.entry(id).or_default().name = Some(name);
    }
    for item in &parse.suppress {
        let id = record.inside(item)?;
        if id == record.item {
            return Err("SUPPRESS of the receiver itself".to_owned());
        }
        all.entry(id).or_default().suppressed = true;
    }
    for (item, truths) in &parse.truths {
        let id = record.alone(item, "CONVERTING")?;
        all.entry(id).or_default().truths = Some(truths);
    }
    for item in &parse.ignored {
        let id = record.inside(item)?;
        all.entry(id).or_default().ignored = true;
    }
    for (item, figure) in &parse.nulls {
        let id = record.alone(item, "CONVERTING")?;
        all.entry(id).or_default().null = Some(figure);
    }
    for (item, indicator) in &parse.indicators {
        let id = record.alone(item, "INDICATING")?;
        all.entry(id).or_default().indicator = Some(indicator);
        // The statement fills it, and no value of the text does.
        for name in indicator.names() {
            if let Some(own) = record.variable(name)? {
                all.entry(own).or_default().suppressed = true;
            }
        }
    }
    Ok(all)
}
