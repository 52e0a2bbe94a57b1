//! Shape -> operations that print records.

use super::constant::{self, put_quoted};
use super::error::push_segment;
use super::leaf::Leaf;
use super::plan::{Plan, Setting};
use super::program::{Extent, Info, Op, Place, Repeat, Tape, Test, fuse};
use crate::shape::{
    Array, InitialByte, Kind, Node, Presence, Properties, RecordFormat, Select, Shape,
};
use transom_messages as messages;
use transom_messages::Problem;

/// Prints records as JSON. See [`Decoder::decode`].
#[derive(Debug, Clone)]
pub struct Decoder {
    pub(super) ops: Vec<Op>,
    pub(super) infos: Vec<Info>,
    pub(super) pads: bool,
    pub(super) max_len: usize,
}

impl Decoder {
    /// Compiles a shape. `TXMCB0501E`-`TXMCB0509E` name the field that cannot be converted.
    pub fn compile(
        shape: &Shape,
        properties: &Properties,
        format: &RecordFormat,
    ) -> Result<Decoder, Problem> {
        let setting = Setting { properties, format };
        let plan = Plan::of(shape, setting)?;
        let mut compiler = Compiler::new(&plan, setting);
        let mut tape = Tape::default();
        compiler.advance(0, &mut tape);
        compiler.node(
            &shape.root,
            Around {
                scope: 0,
                silent: false,
            },
            "",
            &mut tape,
        )?;
        let ops = tape.finish();
        Ok(Decoder {
            ops,
            infos: compiler.infos,
            pads: properties.data_truncation,
            max_len: shape.max_len,
        })
    }
}

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub(super) scope: usize,
    /// Nothing of it is printed; only tables that move others are walked.
    pub(super) silent: bool,
}

/// The compiler of one program.
pub(super) struct Compiler<'a> {
    plan: &'a Plan,
    setting: Setting<'a>,
    pub(super) infos: Vec<Info>,
    /// Per scope: sliding tables whose bases behind are known, counters read.
    ready: Vec<(usize, usize)>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(plan: &'a Plan, setting: Setting<'a>) -> Self {
        Self {
            plan,
            setting,
            infos: Vec::new(),
            ready: vec![(0, 0); plan.scopes.len()],
        }
    }

    /// Reads counters and sets bases as far as this is possible without walking a table.
    pub(super) fn advance(&mut self, scope: usize, tape: &mut Tape) {
        let here = &self.plan.scopes[scope];
        loop {
            let (tables, counters) = self.ready[scope];
            let table = here.tables.get(tables);
            if let Some(counter) = here.counters.get(counters)
                && table.is_none_or(|table| counter.offset < table.end)
            {
                let place = Place {
                    base: here.base(counter.offset),
                    offset: counter.offset,
                    len: counter.len,
                };
                let info = self.info("", &counter.field);
                tape.op(Op::Count {
                    slot: counter.slot,
                    place,
                    leaf: counter.leaf.clone(),
                    info,
                });
                self.ready[scope].1 += 1;
                continue;
            }
            match table {
                Some(table) if !table.walked => {
                    let from = here.first_base + tables;
                    let slot = table.slot.unwrap_or(0);
                    tape.op(Op::Shift {
                        to: from + 1,
                        from,
                        slot,
                        stride: table.stride,
                        max: table.max,
                    });
                    self.ready[scope].0 += 1;
                }
                _ => return,
            }
        }
    }

    /// The value of a node; for the outermost object and for arms, its members.
    pub(super) fn node(
        &mut self,
        node: &Node,
        at: Around,
        pointer: &str,
        tape: &mut Tape,
    ) -> Result<(), Problem> {
        if let Kind::Object(members) = &node.kind {
            for member in members {
                self.member(member, at, pointer, tape)?;
            }
        }
        Ok(())
    }

    fn member(
        &mut self,
        node: &Node,
        at: Around,
        pointer: &str,
        tape: &mut Tape,
    ) -> Result<(), Problem> {
        let at = Around {
            silent: at.silent || node.presence != Presence::Shown,
            ..at
        };
        if let Kind::Select(select) = &node.kind {
            return self.select(node, select, at, pointer, tape);
        }
        let mut pointer = pointer.to_owned();
        push_segment(&mut pointer, &node.name);
        if at.silent {
            return self.value(node, at, &pointer, tape);
        }
        let mut name = Vec::new();
        put_quoted(&mut name, &node.name);
        name.push(b':');
        if let Some(constant) = &node.assign {
            let leaf = self.leaf(&node.kind, &node.field)?;
            let value = constant::json(node, &leaf, constant)?;
            tape.literal(&name);
            tape.literal(&value);
            tape.literal(b",");
            return Ok(());
        }
        self.printed(node, &name, at, &pointer, tape)
    }

    /// Name, value and comma, under the conditions of the omit properties.
    fn printed(
        &mut self,
        node: &Node,
        name: &[u8],
        at: Around,
        pointer: &str,
        tape: &mut Tape,
    ) -> Result<(), Problem> {
        let properties = self.setting.properties;
        let leaf = !matches!(node.kind, Kind::Object(_) | Kind::Array(_));
        let by_value = properties.omit_output_fields_by_value.filter(|_| leaf);
        let by_emptiness = properties.omit_output_empty_tags && !node.kind.is_number();
        if by_value.is_none() && !by_emptiness {
            tape.literal(name);
            self.value(node, at, pointer, tape)?;
            tape.literal(b",");
            return Ok(());
        }
        let mut inner = Tape::default();
        inner.literal(name);
        self.value(node, at, pointer, &mut inner)?;
        inner.literal(b",");
        let mut body = inner.finish();
        if by_emptiness {
            let prefix = name.len();
            body = vec![Op::UnlessEmpty { prefix, body }];
        }
        if let Some(byte) = by_value {
            let place = self.place(node, node.kind.leaf_len(), at.scope)?;
            body = vec![Op::UnlessAll { place, byte, body }];
        }
        for op in body {
            tape.op(op);
        }
        Ok(())
    }

    fn select(
        &mut self,
        node: &Node,
        select: &Select,
        at: Around,
        pointer: &str,
        tape: &mut Tape,
    ) -> Result<(), Problem> {
        if at.silent {
            return Ok(());
        }
        let mut arms = Vec::with_capacity(select.arms.len());
        for arm in &select.arms {
            let test = match &arm.rule {
                Some(rule) => {
                    let scope = self.plan.home(at.scope, rule)?;
                    let place =
                        self.place_at(rule.offset, rule.kind.leaf_len(), scope, &rule.field)?;
                    Some(Test::new(rule, place, self.leaf(&rule.kind, &rule.field)?))
                }
                None => None,
            };
            let mut body = Tape::default();
            self.member(&arm.node, at, pointer, &mut body)?;
            arms.push((test, body.finish()));
        }
        let info = self.info(pointer, &node.field);
        tape.op(Op::Select { arms, info });
        Ok(())
    }

    fn value(
        &mut self,
        node: &Node,
        at: Around,
        pointer: &str,
        tape: &mut Tape,
    ) -> Result<(), Problem> {
        match &node.kind {
            Kind::Object(_) if at.silent => self.node(node, at, pointer, tape),
            Kind::Object(_) => {
                tape.literal(b"{");
                self.node(node, at, pointer, tape)?;
                tape.close(b'}');
                Ok(())
            }
            Kind::Array(array) => self.array(node, array, at, pointer, tape),
            Kind::Select(select) if !at.silent => {
                // An element that is nothing but redefinitions: an object with the chosen one.
                tape.literal(b"{");
                self.select(node, select, at, pointer, tape)?;
                tape.close(b'}');
                Ok(())
            }
            _ if at.silent => Ok(()),
            kind => {
                let leaf = self.leaf(kind, &node.field)?;
                let place = self.place(node, kind.leaf_len(), at.scope)?;
                let quote: &[u8] = if leaf.is_string() { b"\"" } else { b"" };
                let info = self.info(pointer, &node.field);
                tape.literal(quote);
                tape.op(Op::Leaf { place, leaf, info });
                tape.literal(quote);
                Ok(())
            }
        }
    }

    fn array(
        &mut self,
        node: &Node,
        array: &Array,
        at: Around,
        pointer: &str,
        tape: &mut Tape,
    ) -> Result<(), Problem> {
        let element_scope = self.plan.element_scope(array);
        let scope = &self.plan.scopes[at.scope];
        let walked = scope
            .tables
            .iter()
            .any(|t| t.walked && t.element_scope == element_scope);
        if at.silent && !walked {
            return Ok(());
        }
        let extent = self.extent(node, array, at.scope, pointer, walked)?;
        let mut body = Tape::default();
        self.advance(element_scope, &mut body);
        let inside = Around {
            scope: element_scope,
            silent: at.silent,
        };
        self.value(&array.element, inside, "", &mut body)?;
        if !at.silent {
            body.literal(b",");
        }
        let element = &self.plan.scopes[element_scope];
        let behind = walked.then(|| scope.first_base + self.ready[at.scope].0 + 1);
        let op = Repeat {
            extent,
            element_base: element.first_base,
            end_base: element.last_base(),
            behind,
            body: body.finish(),
        };
        if !at.silent {
            tape.literal(b"[");
        }
        tape.op(fuse(op));
        if walked {
            self.ready[at.scope].0 += 1;
            self.advance(at.scope, tape);
        }
        if !at.silent {
            tape.op(Op::Close(b']'));
        }
        Ok(())
    }

    fn extent(
        &mut self,
        node: &Node,
        array: &Array,
        scope: usize,
        pointer: &str,
        walked: bool,
    ) -> Result<Extent, Problem> {
        let properties = self.setting.properties;
        let enforce = properties.enforce_min_array_occurrence_response;
        Ok(Extent {
            place: self.place(node, array.element.end(), scope)?,
            stride: array.stride,
            max: array.max,
            min: if enforce { array.min } else { 0 },
            slot: self.plan.slot(array),
            nulls: self.nulls().filter(|_| !walked),
            info: self.info(pointer, &node.field),
        })
    }

    pub(super) fn leaf(&self, kind: &Kind, field: &str) -> Result<Leaf, Problem> {
        Leaf::compile(
            kind,
            field,
            self.setting.properties,
            self.setting.format,
            &self.plan.page,
        )
    }

    fn place(&self, node: &Node, len: usize, scope: usize) -> Result<Place, Problem> {
        self.place_at(node.offset, len, scope, &node.field)
    }

    pub(super) fn place_at(
        &self,
        offset: usize,
        len: usize,
        scope: usize,
        field: &str,
    ) -> Result<Place, Problem> {
        let here = &self.plan.scopes[scope];
        let base = here.base(offset);
        if base - here.first_base > self.ready[scope].0 {
            let message = messages::cb::behind_varying_tables(field);
            return Err(Problem::from(message));
        }
        Ok(Place { base, offset, len })
    }

    fn nulls(&self) -> Option<Box<[u8]>> {
        let policy = self.setting.properties.truncate_null_arrays.as_ref()?;
        let page = self.plan.page.cp;
        let bytes = policy.bytes.iter().map(|byte| match byte {
            InitialByte::LowValue => 0,
            InitialByte::Blank => page.space,
            InitialByte::Zero => page.zero,
            InitialByte::Byte(byte) => *byte,
        });
        Some(bytes.collect())
    }

    pub(super) fn info(&mut self, pointer: &str, field: &str) -> u32 {
        self.infos.push(Info {
            pointer: pointer.to_owned(),
            field: field.to_owned(),
        });
        self.infos.len() as u32 - 1
    }
}
