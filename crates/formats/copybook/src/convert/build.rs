//! Shape -> the tables an encoder parses by, and the record it starts from.

use super::accept;
use super::constant::bad_constant;
use super::encode::Encoder;
use super::error::{ConvertError, push_segment};
use super::items::{Chosen, CountField, Elements, Item, Member, Outside, Target};
use super::leaf::Leaf;
use super::number::{Number, Value};
use super::plan::{Plan, Setting};
use crate::shape::{
    Arm, Array, Count, Kind, Literal, Node, Op, OverrideId, Presence, Properties, RecordFormat,
    Select, Shape, UnknownMembers,
};
use std::collections::HashSet;
use transom_messages as messages;
use transom_messages::Problem;

impl Encoder {
    /// Compiles a shape. Problems `TXMCB0501E`-`TXMCB0509E` name the field that cannot be
    /// converted, `TXMCB0902E` a member in a table that should take a single outside value.
    pub fn compile(
        shape: &Shape,
        properties: &Properties,
        format: &RecordFormat,
    ) -> Result<Encoder, Problem> {
        let setting = Setting { properties, format };
        let plan = Plan::of(shape, setting)?;
        let mut builder = Builder {
            plan: &plan,
            setting,
            outside: Vec::new(),
            visible: HashSet::new(),
            pointer: String::new(),
        };
        builder.find_visible(&shape.root, 0);
        let mut template = vec![0; shape.max_len];
        builder.fill(&shape.root, &mut template)?;
        builder.preset(0, &mut template)?;
        let root = builder.target(&shape.root, 0, &template)?;
        let outside = builder.outside;
        Ok(Encoder {
            template,
            root,
            outside,
            slides: !plan.scopes[0].tables.is_empty(),
            scopes: plan.scopes,
            refuse_unknown: properties.unknown_members == UnknownMembers::Refuse,
            strict: properties.strict_types,
        })
    }
}

struct Builder<'a> {
    plan: &'a Plan,
    setting: Setting<'a>,
    outside: Vec<Outside>,
    /// Scope and offset of elementary items a document can set.
    visible: HashSet<(usize, usize)>,
    /// Of the member that is being built.
    pointer: String,
}

impl Builder<'_> {
    fn leaf(&self, kind: &Kind, field: &str) -> Result<Leaf, Problem> {
        Leaf::compile(
            kind,
            field,
            self.setting.properties,
            self.setting.format,
            &self.plan.page,
        )
    }

    fn find_visible(&mut self, node: &Node, scope: usize) {
        if node.presence != Presence::Shown || node.assign.is_some() {
            return;
        }
        match &node.kind {
            Kind::Object(members) => members
                .iter()
                .for_each(|member| self.find_visible(member, scope)),
            Kind::Select(select) => select
                .arms
                .iter()
                .for_each(|arm| self.find_visible(&arm.node, scope)),
            Kind::Array(array) => {
                let element = self.plan.element_scope(array);
                self.find_visible(&array.element, element);
            }
            _ => {
                self.visible.insert((scope, node.offset));
            }
        }
    }

    /// Initial bytes of a node into its scope's area.
    fn fill(&self, node: &Node, area: &mut [u8]) -> Result<(), Problem> {
        match &node.kind {
            Kind::Object(members) => members
                .iter()
                .try_for_each(|member| self.fill(member, area)),
            Kind::Select(select) => match initial_arm(select) {
                Some(arm) => self.fill(&arm.node, area),
                None => Ok(()),
            },
            Kind::Array(array) => {
                let mut element = vec![0; array.stride];
                let element_scope = self.plan.element_scope(array);
                self.fill(&array.element, &mut element)?;
                self.preset(element_scope, &mut element)?;
                let table = &mut area[node.offset..node.offset + array.stride * array.max];
                table
                    .chunks_exact_mut(array.stride)
                    .for_each(|place| place.copy_from_slice(&element));
                Ok(())
            }
            kind => {
                let leaf = self.leaf(kind, &node.field)?;
                let item = &mut area[node.offset..node.offset + kind.leaf_len()];
                let constant = node.assign.as_ref().or(node.default.as_ref());
                self.initial(&leaf, constant, item)
                    .map_err(|error| bad_constant(node, &error.reason))
            }
        }
    }

    fn initial(
        &self,
        leaf: &Leaf,
        constant: Option<&Literal>,
        item: &mut [u8],
    ) -> Result<(), Box<ConvertError>> {
        match constant {
            Some(Literal::Text(text)) => return accept::text(leaf, text, item),
            Some(Literal::Bytes(bytes)) => {
                for (to, from) in item.iter_mut().zip(bytes) {
                    *to = *from;
                }
                return Ok(());
            }
            None if !self.setting.properties.initialize_input_fields => return Ok(()),
            None => {}
        }
        match leaf {
            Leaf::Number { .. } | Leaf::Float { .. } => accept::text(leaf, "0", item),
            Leaf::Bytes { .. } => Ok(()),
            Leaf::Text { .. } | Leaf::National { .. } => accept::text(leaf, "", item),
        }
    }

    /// Makes counters of a scope valid numbers, not below the minimum if that is enforced.
    fn preset(&self, scope: usize, area: &mut [u8]) -> Result<(), Problem> {
        for counter in &self.plan.scopes[scope].counters {
            let Leaf::Number { number, .. } = &counter.leaf else {
                continue;
            };
            let item = &mut area[counter.offset..counter.offset + counter.len];
            let min = if self.setting.properties.enforce_min_array_occurrence {
                counter.min
            } else {
                0
            };
            let least = (min as u128).min(number.most);
            let given = number
                .read(item)
                .filter(|value| !value.negative)
                .map_or(0, |value| value.magnitude);
            number.write(
                Value {
                    negative: false,
                    magnitude: given.max(least),
                },
                item,
            );
        }
        Ok(())
    }

    /// `area` is the initial record, or element, of the scope.
    fn target(&mut self, node: &Node, scope: usize, area: &[u8]) -> Result<Target, Problem> {
        let item = match &node.kind {
            Kind::Object(members) => Item::Object(self.members(members, scope, area)?),
            Kind::Array(array) => Item::Array(Box::new(self.elements(node, array, scope, area)?)),
            Kind::Select(_) => {
                Item::Object(self.members(std::slice::from_ref(node), scope, area)?)
            }
            kind => Item::Leaf {
                offset: node.offset,
                len: kind.leaf_len(),
                leaf: self.leaf(kind, &node.field)?,
            },
        };
        Ok(Target {
            item,
            field: node.field.clone(),
        })
    }

    fn members(
        &mut self,
        nodes: &[Node],
        scope: usize,
        area: &[u8],
    ) -> Result<Vec<Member>, Problem> {
        let mut members = Vec::with_capacity(nodes.len());
        for (number, node) in nodes.iter().enumerate() {
            if let Kind::Select(select) = &node.kind {
                if node.presence == Presence::Shown {
                    for arm in &select.arms {
                        let chosen = self.chosen(node, arm, number, scope, area.len())?;
                        self.member(&arm.node, scope, area, Some(Box::new(chosen)), &mut members)?;
                    }
                }
                continue;
            }
            self.member(node, scope, area, None, &mut members)?;
        }
        Ok(members)
    }

    fn member(
        &mut self,
        node: &Node,
        scope: usize,
        area: &[u8],
        arm: Option<Box<Chosen>>,
        members: &mut Vec<Member>,
    ) -> Result<(), Problem> {
        let around = self.pointer.len();
        push_segment(&mut self.pointer, &node.name);
        match node.presence {
            _ if node.assign.is_some() => {}
            Presence::Shown => {
                let target = self.target(node, scope, area)?;
                members.push(Member {
                    name: node.name.clone(),
                    key: key_of(&node.name),
                    target,
                    arm,
                });
            }
            Presence::Hidden => self.outside_below(node, scope)?,
            Presence::Outside(id) => self.outside(node, id, scope)?,
        }
        self.pointer.truncate(around);
        Ok(())
    }

    fn outside_below(&mut self, node: &Node, scope: usize) -> Result<(), Problem> {
        match (&node.kind, node.presence) {
            (_, Presence::Outside(id)) => self.outside(node, id, scope),
            (Kind::Object(members), _) => members.iter().try_for_each(|member| {
                let around = self.pointer.len();
                push_segment(&mut self.pointer, &member.name);
                self.outside_below(member, scope)?;
                self.pointer.truncate(around);
                Ok(())
            }),
            _ => Ok(()),
        }
    }

    fn outside(&mut self, node: &Node, id: OverrideId, scope: usize) -> Result<(), Problem> {
        if scope != 0 {
            return Err(Problem::from(messages::cb::inside_array(&node.name)));
        }
        let leaf = self.leaf(&node.kind, &node.field)?;
        let (offset, len) = (node.offset, node.kind.leaf_len());
        self.outside.push(Outside {
            id,
            offset,
            len,
            leaf,
            pointer: self.pointer.clone(),
            field: node.field.clone(),
        });
        Ok(())
    }

    fn chosen(
        &self,
        node: &Node,
        arm: &Arm,
        area: usize,
        scope: usize,
        scope_len: usize,
    ) -> Result<Chosen, Problem> {
        let mut bytes = vec![0; scope_len];
        self.fill(&arm.node, &mut bytes)?;
        let offset = node.offset.min(arm.node.offset);
        let initial = bytes[offset..node.end().max(arm.node.end())].to_vec();
        let mut mark = None;
        if let Some(rule) = arm.rule.as_ref().filter(|rule| rule.op == Op::Eq) {
            let home = self.plan.home(scope, rule)?;
            if !self.visible.contains(&(home, rule.offset)) {
                let mut value = vec![0; rule.kind.leaf_len()];
                let leaf = self.leaf(&rule.kind, &rule.field)?;
                accept::text(&leaf, &rule.value, &mut value)
                    .map_err(|error| bad_constant(node, &error.reason))?;
                mark = Some((rule.up, rule.offset, value));
            }
        }
        Ok(Chosen {
            area,
            offset,
            initial,
            mark,
        })
    }

    fn elements(
        &mut self,
        node: &Node,
        array: &Array,
        scope: usize,
        area: &[u8],
    ) -> Result<Elements, Problem> {
        let element_scope = self.plan.element_scope(array);
        let initial = area
            .get(node.offset..node.offset + array.stride)
            .unwrap_or(&[]);
        let element = self.target(&array.element, element_scope, initial)?;
        let counter = match &array.count {
            Count::Fixed => None,
            Count::DependsOn(counter) => {
                let home = self.plan.outer(scope, counter.up).unwrap_or(0);
                let slot = self.plan.scopes[home]
                    .counters
                    .iter()
                    .find(|slot| slot.offset == counter.offset);
                slot.and_then(|slot| match &slot.leaf {
                    Leaf::Number { number, .. } => Some(CountField {
                        up: counter.up,
                        offset: slot.offset,
                        len: slot.len,
                        number: *number,
                        preset: self.preset_value(slot.min, number),
                        field: slot.field.clone(),
                    }),
                    _ => None,
                })
            }
        };
        let enforced = self.setting.properties.enforce_min_array_occurrence && counter.is_some();
        let min = if enforced { array.min } else { 0 };
        Ok(Elements {
            offset: node.offset,
            stride: array.stride,
            min,
            max: array.max,
            element,
            counter,
        })
    }

    fn preset_value(&self, min: usize, number: &Number) -> u128 {
        let min = if self.setting.properties.enforce_min_array_occurrence {
            min
        } else {
            0
        };
        (min as u128).min(number.most)
    }
}

/// The arm whose initial values the record starts with: the one without a rule, else the first.
fn initial_arm(select: &Select) -> Option<&Arm> {
    select
        .arms
        .iter()
        .find(|arm| arm.rule.is_none())
        .or(select.arms.first())
}

/// A name that JSON would escape gets a key no document can have.
fn key_of(name: &str) -> Box<[u8]> {
    let plain = !name
        .chars()
        .any(|c| c.is_control() || matches!(c, '"' | '\\'));
    let key = if plain {
        format!("\"{name}\":")
    } else {
        "\0".to_owned()
    };
    key.into_bytes().into_boxed_slice()
}
