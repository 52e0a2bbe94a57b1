//! Layouts of copybooks as shapes.

use super::{
    Arm, Array, Binary, BytesForm, CharVarying, Count, Counter, Kind, Literal, Node, Op, Packed,
    Presence, Rule, Select, Shape, Sign, Text, Zoned,
};
use crate::layout::{self, Field, FieldId, FieldKind, Figurative, Layout, SignStyle};
use transom_messages as messages;
use transom_messages::Problem;

/// How a copybook becomes a document.
pub struct LayoutOptions<'a> {
    /// JSON name of each field, indexed by [`FieldId`].
    pub names: &'a [String],
    /// False takes a field out of the body. FILLER, pointers and indexes are never in it.
    pub include: &'a dyn Fn(FieldId) -> bool,
    /// What to do with an item that is redefined.
    pub redefines: &'a dyn Fn(FieldId) -> Redefinition,
    /// A table of elementary items has elements that are objects with one member of the table's
    /// name, as before mapping level 4.1.
    pub wrap_simple_arrays: bool,
    /// Treatment of PIC X and A.
    pub characters: Characters,
    /// VALUE clauses become defaults (BAQLS2JS ignores them).
    pub values: bool,
}

/// Treatment of character fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Characters {
    /// Text whose end is marked in this way.
    Text(CharVarying),
    /// Bytes as base 64 (CHAR-VARYING=BINARY).
    Binary,
}

/// Which of the items that share storage are members.
#[derive(Debug, Clone, PartialEq)]
pub enum Redefinition {
    /// The item that is redefined; its redefinitions are no members.
    First,
    /// Only this redefinition.
    Only(FieldId),
    /// All of them, side by side; meant for looking at records, not for requests.
    All,
    /// The first one whose test of a field holds; without a test: always.
    Choose(Vec<Choice>),
}

/// One redefinition that may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The item, redefined or redefining.
    pub item: FieldId,
    /// Field, operator and constant; `None`: always.
    pub test: Option<(FieldId, Op, String)>,
}

impl Shape {
    /// The members of a record, without a wrapper around them; `record` is an 01 item, or `None`
    /// for all items of a copybook without one. Problems: `TXMCB0505E` for items that cannot be
    /// converted, `TXMCB0506E` where a counter or tested field is not in an enclosing element.
    pub fn from_layout(
        layout: &Layout,
        record: Option<FieldId>,
        options: &LayoutOptions<'_>,
    ) -> Result<Shape, Problem> {
        let mut out = Vec::new();
        let build = Build { layout, options };
        let (fields, len) = match record {
            Some(id)
                if matches!(layout[id].kind, FieldKind::Group) && layout[id].occurs.is_none() =>
            {
                (&layout[id].children[..], layout[id].extent())
            }
            Some(id) => (&[id][..], layout[id].extent()),
            None => (&layout.roots[..], layout.max_bytes),
        };
        build.group(fields, 0, &mut out)?;
        Ok(Shape::new(out).with_len(len))
    }
}

struct Build<'a> {
    layout: &'a Layout,
    options: &'a LayoutOptions<'a>,
}

impl Build<'_> {
    /// `origin` is where the enclosing element starts in the record.
    fn group(&self, fields: &[FieldId], origin: usize, out: &mut Vec<Node>) -> Result<(), Problem> {
        for id in fields {
            let field = &self.layout[*id];
            if field.redefines.is_some() {
                continue;
            }
            if field.redefined_by.is_empty() {
                out.push(self.node(*id, origin)?);
            } else {
                self.redefined(*id, origin, out)?;
            }
        }
        Ok(())
    }

    fn redefined(&self, id: FieldId, origin: usize, out: &mut Vec<Node>) -> Result<(), Problem> {
        let arms = match (self.options.redefines)(id) {
            Redefinition::First => {
                out.push(self.node(id, origin)?);
                return Ok(());
            }
            Redefinition::Only(arm) => {
                out.push(self.node(arm, origin)?);
                return Ok(());
            }
            Redefinition::All => {
                out.push(self.node(id, origin)?);
                for arm in &self.layout[id].redefined_by {
                    out.push(self.node(*arm, origin)?);
                }
                return Ok(());
            }
            Redefinition::Choose(arms) => arms,
        };
        let mut select = Select {
            arms: Vec::with_capacity(arms.len()),
        };
        for Choice { item, test } in arms {
            let rule = match test {
                Some((tested, op, value)) => Some(self.rule(id, tested, op, value)?),
                None => None,
            };
            select.arms.push(Arm {
                rule,
                node: self.node(item, origin)?,
            });
        }
        let field = &self.layout[id];
        let node = Node::new("", field.offset - origin, Kind::Select(Box::new(select)));
        out.push(node.of_field(field.name.as_str()));
        Ok(())
    }

    fn node(&self, id: FieldId, origin: usize) -> Result<Node, Problem> {
        let field = &self.layout[id];
        let name = self
            .options
            .names
            .get(id.0 as usize)
            .cloned()
            .unwrap_or_default();
        let hidden = field.is_filler() && field.kind != FieldKind::Group
            || matches!(field.kind, FieldKind::Pointer | FieldKind::Index)
            || !(self.options.include)(id);
        let offset = field.offset - origin;
        let mut node = match &field.occurs {
            None => Node::new(name, offset, self.kind(id, origin)?),
            Some(occurs) => {
                let inner = Node::new(name.clone(), 0, self.kind(id, field.offset)?);
                let simple = !matches!(inner.kind, Kind::Object(_));
                let element = if simple && self.options.wrap_simple_arrays {
                    Node::object(name.clone(), 0, vec![self.described(inner, field)])
                } else {
                    self.described(inner, field)
                };
                let count = match occurs.depends_on {
                    Some(counter) => Count::DependsOn(self.counter(id, counter)?),
                    None => Count::Fixed,
                };
                let (min, max, stride) = (occurs.min as usize, occurs.max as usize, occurs.stride);
                let array = Array {
                    element,
                    stride,
                    min,
                    max,
                    count,
                };
                Node::new(name, offset, Kind::Array(Box::new(array)))
            }
        };
        if hidden {
            node.presence = Presence::Hidden;
        }
        Ok(self.described(node, field))
    }

    fn described(&self, mut node: Node, field: &Field) -> Node {
        node.field = if field.is_filler() {
            "FILLER".to_owned()
        } else {
            field.name.clone()
        };
        if self.options.values
            && let Some(value) = &field.value
            && !matches!(
                node.kind,
                Kind::Object(_) | Kind::Array(_) | Kind::Select(_)
            )
        {
            node.default = default(value, &node.kind);
        }
        node
    }

    fn kind(&self, id: FieldId, origin: usize) -> Result<Kind, Problem> {
        let field = &self.layout[id];
        let text = |justified| match self.options.characters {
            Characters::Text(varying) => Kind::Text(Text {
                justified,
                varying,
                ..Text::new(field.len)
            }),
            Characters::Binary => Kind::Bytes {
                len: field.len,
                form: BytesForm::Base64,
            },
        };
        if let Some(number) = number(&field.kind) {
            return Ok(number);
        }
        Ok(match &field.kind {
            FieldKind::Group => {
                let mut members = Vec::new();
                self.group(&field.children, origin, &mut members)?;
                Kind::Object(members)
            }
            FieldKind::Alphanumeric { justified } => text(*justified),
            FieldKind::Float4 => Kind::Float { len: 4 },
            FieldKind::Float8 => Kind::Float { len: 8 },
            FieldKind::National { chars } => Kind::National {
                chars: *chars as usize,
            },
            FieldKind::NationalEdited { .. } => Kind::National {
                chars: field.len / 2,
            },
            FieldKind::Dbcs { .. } | FieldKind::Pointer | FieldKind::Index => Kind::Bytes {
                len: field.len,
                form: BytesForm::Hex,
            },
            // Edited items; BAQLS2JS takes them as characters.
            _ => text(false),
        })
    }

    fn counter(&self, table: FieldId, counter: FieldId) -> Result<Counter, Problem> {
        let (up, offset) = self.way(table, counter)?;
        let kind = self.kind(counter, 0)?;
        Ok(Counter {
            up,
            offset,
            kind,
            field: self.layout[counter].name.clone(),
        })
    }

    fn rule(&self, item: FieldId, tested: FieldId, op: Op, value: String) -> Result<Rule, Problem> {
        let (up, offset) = self.way(item, tested)?;
        let kind = self.kind(tested, 0)?;
        Ok(Rule {
            up,
            offset,
            kind,
            op,
            value,
            field: self.layout[tested].name.clone(),
        })
    }

    /// From an item to a field of an enclosing element: elements to step out of, offset there.
    fn way(&self, from: FieldId, to: FieldId) -> Result<(u8, usize), Problem> {
        let here = self.tables_around(from);
        let there = self.tables_around(to);
        if self.layout[to].occurs.is_some() || !here.ends_with(&there) {
            return Err(Problem::new(
                messages::cb::counter_not_around(&self.layout[to].name),
                (self.layout[from].line, 0),
            ));
        }
        let origin = there.first().map_or(0, |table| self.layout[*table].offset);
        let up = u8::try_from(here.len() - there.len()).unwrap_or(u8::MAX);
        Ok((up, self.layout[to].offset - origin))
    }

    /// Tables around an item, innermost first, without itself.
    fn tables_around(&self, id: FieldId) -> Vec<FieldId> {
        let mut tables = Vec::new();
        let mut at = self.layout[id].parent;
        while let Some(parent) = at {
            if self.layout[parent].occurs.is_some() {
                tables.push(parent);
            }
            at = self.layout[parent].parent;
        }
        tables
    }
}

/// The kind of a fixed-point number.
pub(crate) fn number(kind: &FieldKind) -> Option<Kind> {
    let (digits, scale, signed) = kind.number()?;
    // More digits than fit are refused when the shape is compiled.
    let digits = u8::try_from(digits).unwrap_or(u8::MAX);
    Some(match *kind {
        FieldKind::Zoned { sign, .. } => {
            let sign = if signed { sign_of(sign) } else { Sign::None };
            Kind::Zoned(Zoned {
                digits,
                scale,
                sign,
            })
        }
        FieldKind::Packed { sign_nibble, .. } => Kind::Packed(Packed {
            digits,
            scale,
            signed,
            sign_nibble,
        }),
        FieldKind::Binary { native, len, .. } => Kind::Binary(Binary {
            len,
            digits,
            scale,
            signed,
            native,
            full_range: native,
        }),
        _ => return None,
    })
}

fn sign_of(style: SignStyle) -> Sign {
    match style {
        SignStyle::Trailing => Sign::Trailing,
        SignStyle::Leading => Sign::Leading,
        SignStyle::TrailingSeparate => Sign::TrailingSeparate,
        SignStyle::LeadingSeparate => Sign::LeadingSeparate,
    }
}

/// The initial value a VALUE clause gives.
fn default(value: &layout::Literal, kind: &Kind) -> Option<Literal> {
    let len = kind.leaf_len();
    Some(match value {
        layout::Literal::Text(text) | layout::Literal::Number(text) => Literal::Text(text.clone()),
        layout::Literal::Hex(bytes) => Literal::Bytes(bytes.clone()),
        layout::Literal::Figurative(figurative) => match figurative {
            Figurative::Zero if kind.is_number() => Literal::Text("0".to_owned()),
            Figurative::Zero => Literal::Text("0".repeat(len)),
            Figurative::Space => Literal::Text(String::new()),
            Figurative::HighValue => Literal::Bytes(vec![0xFF; len]),
            Figurative::LowValue | Figurative::Null => Literal::Bytes(vec![0; len]),
            Figurative::Quote => Literal::Text("\"".repeat(len)),
        },
        layout::Literal::All(inner) => match &**inner {
            layout::Literal::Text(text) if !text.is_empty() => {
                Literal::Text(text.chars().cycle().take(len).collect())
            }
            other => return default(other, kind),
        },
    })
}
