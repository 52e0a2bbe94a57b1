//! Chosen fields of a layout as items of an interface file.

use crate::problem::Result;
use crate::sar::Field as Item;
use crate::toolkit::layout::Choice;
use crate::yaml::Keys;
use transom_copybook::layout::{FieldId, FieldKind};
use transom_messages as messages;
use transom_messages::Problem;

impl Choice<'_> {
    pub(super) fn top(&self, keys: &Keys<'_>, member: &str) -> Result<Vec<Item>> {
        let record = keys.text("record")?;
        let root = match &record {
            Some(name) => Some(self.find(keys, "record", name)?),
            None => match self.layout.roots.as_slice() {
                [one] if self.layout[*one].level == 1 => Some(*one),
                roots if roots.iter().all(|r| self.layout[*r].level != 1) => None,
                _ => {
                    return Err(keys.bad(
                        "record",
                        &format!("is missing; {member} has several records"),
                    ));
                }
            },
        };
        if let Some(root) = root {
            return Ok(vec![self.item(root, Some(0))?]);
        }
        // Without a record the document's member is named like the copybook.
        let stem = member.rsplit('/').next().unwrap_or(member);
        let name = stem.split('.').next().unwrap_or(stem).replace('-', "_");
        let children = self
            .layout
            .roots
            .iter()
            .map(|id| self.item(*id, Some(0)))
            .collect::<Result<Vec<_>>>()?;
        Ok(vec![Item {
            original: name.clone(),
            bytes: self.layout.max_bytes,
            children,
            ..group(name)
        }])
    }

    /// `base` is where the record starts, `None` inside tables.
    fn item(&self, id: FieldId, base: Option<usize>) -> Result<Item> {
        let field = &self.layout[id];
        let mut item = group(self.names[id.0 as usize].clone());
        item.original = if field.is_filler() {
            "FILLER".to_owned()
        } else {
            field.name.replace('-', "_")
        };
        item.included = self.included[id.0 as usize];
        item.start = base.map(|b| field.offset - b);
        item.bytes = field.extent();
        item.redefines = field
            .redefines
            .map(|r| self.layout[r].name.replace('-', "_"));
        item.default.clone_from(&self.defaults[id.0 as usize]);
        if let Some(occurs) = &field.occurs {
            item.occurs = Some((occurs.min as usize, occurs.max as usize));
            item.datatype = "ARRAY".to_owned();
            if occurs.is_variable() {
                let counter = occurs.depends_on.ok_or_else(|| {
                    let name = occurs.depends_on_name.as_deref().unwrap_or_default();
                    self.bad(
                        id,
                        format!("it depends on {name}, which is not in this copybook"),
                    )
                })?;
                item.depends_on = Some(self.path(counter));
            }
            if !matches!(field.kind, FieldKind::Group) {
                let mut element = Item {
                    included: item.included,
                    original: item.original.clone(),
                    bytes: field.len,
                    ..group(item.name.clone())
                };
                self.elementary(id, &mut element)?;
                element.default = item.default.take();
                item.children.push(element);
                return Ok(item);
            }
        }
        if matches!(field.kind, FieldKind::Group) {
            let base = if field.occurs.is_some() { None } else { base };
            item.children = field
                .children
                .iter()
                .map(|c| self.item(*c, base))
                .collect::<Result<_>>()?;
        } else {
            self.elementary(id, &mut item)?;
        }
        Ok(item)
    }

    fn elementary(&self, id: FieldId, item: &mut Item) -> Result<()> {
        let field = &self.layout[id];
        let digits = |d: u16| Some(u8::try_from(d).unwrap_or(u8::MAX));
        let (datatype, converter) = match &field.kind {
            FieldKind::Alphanumeric { .. }
            | FieldKind::AlphanumericEdited { .. }
            | FieldKind::NumericEdited { .. } => ("CHAR", None),
            FieldKind::Zoned {
                digits: d,
                scale,
                signed,
                sign,
            } => {
                (item.precision, item.scale, item.signed) = (digits(*d), *scale, Some(*signed));
                item.sign_leading = *signed && sign.is_leading();
                item.sign_separate = *signed && sign.is_separate();
                ("DECIMAL", Some("ZONEDDECIMAL"))
            }
            FieldKind::Packed {
                digits: d,
                scale,
                signed,
                sign_nibble: true,
            } => {
                (item.precision, item.scale, item.signed) = (digits(*d), *scale, Some(*signed));
                ("DECIMAL", Some("PACKEDDECIMAL"))
            }
            FieldKind::Binary {
                digits: d,
                scale,
                signed,
                native,
                len: len @ (1 | 2 | 4 | 8),
            } => {
                (item.precision, item.scale, item.signed, item.native) =
                    (digits(*d), *scale, Some(*signed), *native);
                binary(*scale, *len)
            }
            FieldKind::Float4 => ("FLOAT", None),
            FieldKind::Float8 => ("DOUBLE", None),
            FieldKind::National { .. } | FieldKind::NationalEdited { .. } => {
                item.encoding = Some("UTF-16BE".to_owned());
                ("CHAR", None)
            }
            FieldKind::Pointer | FieldKind::Index | FieldKind::Dbcs { .. } => ("BINARY", None),
            FieldKind::Packed { .. } => {
                return Err(self.bad(id, "COMP-6 has no form in an interface file".to_owned()));
            }
            FieldKind::Binary { .. } => {
                return Err(self.bad(
                    id,
                    "a binary number of this length has no form in an interface file".to_owned(),
                ));
            }
            FieldKind::Group => return Ok(()),
        };
        item.datatype = datatype.to_owned();
        item.converter = converter.map(str::to_owned);
        Ok(())
    }

    /// Names from the record down, as `dependsOnPath` has them.
    fn path(&self, id: FieldId) -> String {
        let mut parts = Vec::new();
        let mut at = Some(id);
        while let Some(here) = at {
            parts.push(self.names[here.0 as usize].as_str());
            at = self.layout[here].parent;
        }
        parts.reverse();
        parts.join(".")
    }

    fn bad(&self, id: FieldId, text: String) -> Problem {
        let field = &self.layout[id];
        Problem::new(
            messages::ad::copybook(format_args!("{}: {text}", field.name)),
            self.member,
        )
        .at(field.line, 1)
    }
}

/// Datatype and converter of a binary number.
fn binary(scale: i16, len: u8) -> (&'static str, Option<&'static str>) {
    match (scale, len) {
        (0, 1) => ("BYTE", None),
        (0, 2) => ("SHORT", None),
        (0, 4) => ("INT", None),
        (0, _) => ("LONG", None),
        _ => ("DECIMAL", Some("BINARY")),
    }
}

fn group(name: String) -> Item {
    Item {
        original: name.clone(),
        name,
        included: true,
        default: None,
        redefines: None,
        depends_on: None,
        occurs: None,
        start: Some(0),
        bytes: 0,
        datatype: "STRUCT".to_owned(),
        precision: None,
        scale: 0,
        converter: None,
        signed: None,
        sign_leading: false,
        sign_separate: false,
        native: false,
        encoding: None,
        converted: true,
        children: Vec::new(),
        line: 0,
        column: 0,
    }
}
