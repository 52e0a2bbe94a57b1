//! When an item is left out of a document, and when it is null.
//!
//! Not here: what is written for it (`emit`).

use super::emit::{Emitter, Said};
use super::statement::{Indicator, Suppress};
use transom_copybook::{Field, FieldId, FieldKind};

impl Emitter<'_> {
    /// The condition under which the item is null.
    pub(super) fn null_when(
        &self,
        id: FieldId,
        item: &str,
        subscripts: &str,
        said: Option<&Said<'_>>,
    ) -> Result<Option<String>, String> {
        let kind = &self.record.layout[id].kind;
        match said.map(|said| (said.null, said.indicator)) {
            None | Some((None, None)) => Ok(None),
            Some((Some(_), Some(_))) => {
                Err("CONVERTING TO JSON NULL and INDICATING of one item".to_owned())
            }
            Some((Some(figure), None)) if !comparable(kind, figure) => {
                Err(format!("CONVERTING TO JSON NULL of {item} USING {figure}"))
            }
            Some((Some(figure), None)) => Ok(Some(format!("{item} = {figure}"))),
            Some((None, Some(indicator))) => {
                let inside = subscripts.trim_matches([' ', '(', ')']);
                let name = self.record.beside(id, indicator.name(), inside)?;
                Ok(Some(match indicator {
                    Indicator::Condition(_) => name,
                    Indicator::Literal(literal, _) => format!("{name} = {literal}"),
                }))
            }
        }
    }

    /// Relations that leave the item out.
    pub(super) fn suppressed_when(
        &self,
        field: &Field,
        item: &str,
        attribute: bool,
        said: Option<&Said<'_>>,
    ) -> Vec<String> {
        let mut figures: Vec<&str> = Vec::new();
        let numeric = is_numeric(&field.kind);
        for one in &self.statement.suppress {
            if let Suppress::Every {
                numeric: of_class,
                attribute: of_form,
                when,
            } = one
                && of_class.is_none_or(|class| class == numeric)
                && of_form.is_none_or(|form| form == attribute)
            {
                figures.extend(when.iter().filter(|figure| comparable(&field.kind, figure)));
            }
        }
        figures.extend(said.and_then(|said| said.when).into_iter().flatten());
        figures.sort_unstable();
        figures.dedup();
        figures
            .iter()
            .map(|figure| format!("{item} = {figure}"))
            .collect()
    }
}

fn is_numeric(kind: &FieldKind) -> bool {
    matches!(
        kind,
        FieldKind::Zoned { .. }
            | FieldKind::Packed { .. }
            | FieldKind::Binary { .. }
            | FieldKind::Float4
            | FieldKind::Float8
    )
}

/// SUPPRESS EVERY compares an item with ZERO; with other constants where it is characters, or a
/// whole number in them.
fn comparable(kind: &FieldKind, figure: &str) -> bool {
    match kind {
        FieldKind::Zoned { scale, .. } => figure == "ZERO" || *scale == 0,
        _ => figure == "ZERO" || !is_numeric(kind),
    }
}
