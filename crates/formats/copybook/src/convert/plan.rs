//! Where things are when tables have variable length.
//!
//! A *scope* is the record or one table's element. Within a scope each table of variable length
//! that comes earlier moves what follows to the left; a *base* is the place from which offsets at
//! the tables' largest sizes still work. Bases are numbered: a scope's first one is its start, the
//! next is behind its first sliding table, and so on. Counters are numbered too; each is read on
//! entry to the scope it lies in.

use super::leaf::Leaf;
use super::page::Page;
use super::{MAX_BASES, MAX_COUNTERS, MAX_MEMBERS};
use crate::shape::{
    Array, Count, Counter, Kind, MAX_DEPTH, MAX_RECORD, Node, Properties, RecordFormat, Rule, Shape,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use transom_messages as messages;
use transom_messages::Problem;

/// A table whose length varies, seen from its scope.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) offset: usize,
    pub(super) end: usize,
    pub(super) stride: usize,
    pub(super) max: usize,
    /// Its elements hold tables of variable length themselves.
    pub(super) walked: bool,
    /// Counter slot; `None` for a fixed number of (walked) elements.
    pub(super) slot: Option<usize>,
    pub(super) element_scope: usize,
}

/// The object of an OCCURS DEPENDING ON, in its scope.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) slot: usize,
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) leaf: Leaf,
    pub(super) field: String,
    /// Largest minimum of the tables it controls.
    pub(super) min: usize,
}

/// The record or a table's element.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) parent: Option<usize>,
    pub(super) first_base: usize,
    /// Length with all tables full.
    pub(super) len: usize,
    /// Sliding tables by offset.
    pub(super) tables: Vec<Table>,
    /// Counters by offset.
    pub(super) counters: Vec<Slot>,
}

impl Scope {
    /// The base for what lies at `offset`.
    pub(super) fn base(&self, offset: usize) -> usize {
        self.first_base
            + self
                .tables
                .iter()
                .take_while(|table| table.end <= offset)
                .count()
    }

    /// The base at the scope's end.
    pub(super) fn last_base(&self) -> usize {
        self.first_base + self.tables.len()
    }
}

/// Scopes, counters and tables of one shape.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) scopes: Vec<Scope>,
    pub(super) page: Arc<Page>,
    by_array: HashMap<*const Array, usize>,
    slots: HashMap<*const Counter, usize>,
}

/// What a plan is made with.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) properties: &'a Properties,
    pub(super) format: &'a RecordFormat,
}

impl Plan {
    pub(super) fn of(shape: &Shape, setting: Setting<'_>) -> Result<Plan, Problem> {
        if shape.max_len > MAX_RECORD || shape.root.end() > shape.max_len {
            let why = format!(
                "the record has {} bytes; {MAX_RECORD} are possible",
                shape.max_len.max(shape.root.end())
            );
            return Err(limit(&why));
        }
        let page = Page::of(setting.format.ccsid)?;
        let mut plan = Plan {
            scopes: Vec::new(),
            page,
            by_array: HashMap::new(),
            slots: HashMap::new(),
        };
        plan.scopes.push(Scope {
            parent: None,
            first_base: 0,
            len: shape.max_len,
            tables: Vec::new(),
            counters: Vec::new(),
        });
        plan.collect(&shape.root, 0, setting, 0)?;
        if setting.format.odo_slides {
            plan.find_tables(&shape.root, 0, false)?;
        }
        let mut bases = 0;
        for scope in &mut plan.scopes {
            scope.tables.sort_by_key(|table| table.offset);
            scope.counters.sort_by_key(|counter| counter.offset);
            scope.first_base = bases;
            bases += 1 + scope.tables.len();
        }
        if bases > MAX_BASES {
            return Err(limit(&format!(
                "it has more than {MAX_BASES} different tables"
            )));
        }
        Ok(plan)
    }

    /// The scope of a table's elements.
    pub(super) fn element_scope(&self, array: &Array) -> usize {
        self.by_array
            .get(&std::ptr::from_ref(array))
            .copied()
            .unwrap_or(0)
    }

    /// The slot of a table's counter.
    pub(super) fn slot(&self, array: &Array) -> Option<usize> {
        match &array.count {
            Count::DependsOn(counter) => self.slots.get(&std::ptr::from_ref(counter)).copied(),
            Count::Fixed => None,
        }
    }

    /// The scope `up` steps out of `scope`.
    pub(super) fn outer(&self, scope: usize, up: u8) -> Option<usize> {
        (0..up).try_fold(scope, |at, _| self.scopes.get(at)?.parent)
    }

    /// The scope a rule's field lies in, checked.
    pub(super) fn home(&self, scope: usize, rule: &Rule) -> Result<usize, Problem> {
        let end = rule.offset + rule.kind.leaf_len();
        match self.outer(scope, rule.up) {
            Some(home) if end <= self.scopes[home].len => Ok(home),
            Some(home) => Err(outside(&rule.field, end, self.scopes[home].len)),
            None => Err(Problem::from(messages::cb::rule_field_not_around(
                &rule.field,
            ))),
        }
    }

    fn collect(
        &mut self,
        node: &Node,
        scope: usize,
        setting: Setting<'_>,
        depth: usize,
    ) -> Result<(), Problem> {
        if depth > MAX_DEPTH {
            return Err(limit(&format!(
                "it is nested more than {MAX_DEPTH} levels deep"
            )));
        }
        match &node.kind {
            Kind::Object(members) => {
                check_names(node, members)?;
                for member in members {
                    self.collect(member, scope, setting, depth + 1)?;
                }
            }
            Kind::Select(select) => {
                for arm in &select.arms {
                    self.collect(&arm.node, scope, setting, depth + 1)?;
                }
            }
            Kind::Array(array) => {
                let id = self.scopes.len();
                self.by_array.insert(std::ptr::from_ref::<Array>(array), id);
                if let Count::DependsOn(counter) = &array.count {
                    self.add_counter(counter, array.min, scope, setting)?;
                }
                if array.stride == 0 || array.min > array.max {
                    return Err(limit(&format!("the table {} has no elements", node.field)));
                }
                if array.element.end() > array.stride {
                    return Err(outside(&node.field, array.element.end(), array.stride));
                }
                self.scopes.push(Scope {
                    parent: Some(scope),
                    first_base: 0,
                    len: array.stride,
                    tables: Vec::new(),
                    counters: Vec::new(),
                });
                self.collect(&array.element, id, setting, depth + 1)?;
            }
            _ => {}
        }
        let len = self.scopes[scope].len;
        if node.end() > len {
            Err(outside(&node.field, node.end(), len))
        } else {
            Ok(())
        }
    }

    fn add_counter(
        &mut self,
        counter: &Counter,
        min: usize,
        scope: usize,
        setting: Setting<'_>,
    ) -> Result<(), Problem> {
        let home = self.outer(scope, counter.up).filter(|_| {
            matches!(
                counter.kind,
                Kind::Zoned(_) | Kind::Packed(_) | Kind::Binary(_)
            )
        });
        let Some(home) = home else {
            return Err(Problem::from(messages::cb::counter_not_around(
                &counter.field,
            )));
        };
        let len = counter.kind.leaf_len();
        if counter.offset + len > self.scopes[home].len {
            return Err(outside(
                &counter.field,
                counter.offset + len,
                self.scopes[home].len,
            ));
        }
        let slot = self.slot_at(home, counter, min, setting)?;
        self.slots.insert(std::ptr::from_ref(counter), slot);
        Ok(())
    }

    /// The slot of a counter, a new one for the first table that depends on it.
    fn slot_at(
        &mut self,
        home: usize,
        counter: &Counter,
        min: usize,
        setting: Setting<'_>,
    ) -> Result<usize, Problem> {
        let slot = self.scopes.iter().map(|scope| scope.counters.len()).sum();
        let counters = &mut self.scopes[home].counters;
        if let Some(known) = counters.iter_mut().find(|c| c.offset == counter.offset) {
            known.min = known.min.max(min);
            return Ok(known.slot);
        }
        if slot >= MAX_COUNTERS {
            let why = format!("more than {MAX_COUNTERS} fields control table lengths");
            return Err(limit(&why));
        }
        let (kind, field) = (&counter.kind, &counter.field);
        let leaf = Leaf::compile(kind, field, setting.properties, setting.format, &self.page)?;
        counters.push(Slot {
            slot,
            offset: counter.offset,
            len: kind.leaf_len(),
            leaf,
            field: field.clone(),
            min,
        });
        Ok(slot)
    }

    /// Notes the sliding tables of each scope; returns whether the node has one.
    fn find_tables(&mut self, node: &Node, scope: usize, in_arm: bool) -> Result<bool, Problem> {
        let mut any = false;
        match &node.kind {
            Kind::Object(members) => {
                for member in members {
                    any |= self.find_tables(member, scope, in_arm)?;
                }
            }
            Kind::Select(select) => {
                for arm in &select.arms {
                    any |= self.find_tables(&arm.node, scope, true)?;
                }
            }
            Kind::Array(array) => {
                let element_scope = self.element_scope(array);
                let walked = self.find_tables(&array.element, element_scope, false)?;
                let slot = self.slot(array);
                any = walked || slot.is_some();
                if any && in_arm {
                    return Err(Problem::from(messages::cb::varying_table_in_redefinition(
                        &node.field,
                    )));
                }
                if any {
                    let table = Table {
                        offset: node.offset,
                        end: node.end(),
                        stride: array.stride,
                        max: array.max,
                        walked,
                        slot,
                        element_scope,
                    };
                    self.scopes[scope].tables.push(table);
                }
            }
            _ => {}
        }
        Ok(any)
    }
}

fn check_names(object: &Node, members: &[Node]) -> Result<(), Problem> {
    use crate::shape::Presence::Shown;
    let mut names = HashSet::new();
    let mut all = Vec::with_capacity(members.len());
    for member in members {
        match &member.kind {
            Kind::Select(select) => all.extend(select.arms.iter().map(|arm| &arm.node)),
            _ => all.push(member),
        }
    }
    if all.len() > MAX_MEMBERS {
        return Err(limit(&format!(
            "{} has more than {MAX_MEMBERS} members",
            object.field
        )));
    }
    match all
        .iter()
        .find(|node| node.presence == Shown && !names.insert(node.name.as_str()))
    {
        Some(twice) => Err(Problem::from(messages::cb::members_named_alike(
            format_args!("{:?}", object.name),
            format_args!("{:?}", twice.name),
        ))),
        None => Ok(()),
    }
}

fn limit(why: &str) -> Problem {
    Problem::from(messages::cb::limit_passed(why))
}

fn outside(field: &str, end: usize, len: usize) -> Problem {
    Problem::from(messages::cb::field_behind_area(field, end, len))
}
