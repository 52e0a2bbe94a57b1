//! What the database knows of Db2's tables.
//!
//! What: each definition as its Db2 text, in a table of Transom beside the engine's own; read into
//! [`Tables`] when the schema changes. A driver reads and writes that table. Why the text: nothing
//! of it is lost, and the rewriter needs types the engine has no words for. Not here: making
//! tables.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use transom_sql::{
    Catalog, Column, Dialect, Kind, Lookup, Name, Numbers, ResultColumn, Setting, Statement,
    TableDefinition,
};

/// Tables, views and sequences at one moment.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tables: HashMap<String, Arc<TableDefinition>>,
    /// Their columns are not known.
    views: HashSet<String>,
    /// What they stand for.
    aliases: HashMap<String, String>,
    sequences: HashSet<String>,
}

impl Catalog for Tables {
    fn table(&self, name: &Name) -> Lookup {
        let mut key = name.to_string();
        if let Some(real) = self.aliases.get(&key) {
            key.clone_from(real);
        }
        match self.tables.get(&key) {
            Some(found) => Lookup::Found(found.clone()),
            None if self.views.contains(&key) => Lookup::Unknown,
            None => Lookup::Missing,
        }
    }

    fn is_parent(&self, name: &Name) -> bool {
        let mut all = self.tables.values().flat_map(|table| &table.foreign_keys);
        all.any(|key| self.real(&key.parent).name == name.name)
    }
}

impl Tables {
    /// Finds the columns of views; a view of a view waits for that one.
    fn described(
        mut self,
        mut views: HashMap<Name, (Statement, String)>,
        dialect: Dialect,
    ) -> Self {
        loop {
            let mut found = Vec::new();
            for (name, (statement, schema)) in &views {
                let setting = Setting {
                    dialect,
                    catalog: &self,
                    schema,
                    hosts: &[],
                    dec31: false,
                };
                if let Ok(Some(written)) = transom_sql::rewrite(statement, &setting)
                    && !written.columns.is_empty()
                {
                    found.push(view(name, written.columns));
                }
            }
            if found.is_empty() {
                break;
            }
            for view in found {
                views.remove(&view.name);
                self.tables.insert(view.name.to_string(), Arc::new(view));
            }
        }
        self.views = views.into_keys().map(|name| name.to_string()).collect();
        self
    }

    /// Tables and views of this name in any schema.
    pub(super) fn called(&self, bare: &str) -> Vec<String> {
        let all = self.tables.keys().chain(&self.views);
        let is_one = |name: &&String| match name.strip_suffix(bare) {
            Some(schema) => schema.is_empty() || schema.ends_with('.'),
            None => false,
        };
        let mut found: Vec<String> = all.filter(is_one).cloned().collect();
        found.sort();
        found
    }

    /// An alias or a sequence of this name, which the engine knows nothing of.
    pub(super) fn has(&self, kind: &str, name: &Name) -> bool {
        let name = name.to_string();
        match kind {
            "SEQUENCE" => self.sequences.contains(&name),
            _ => self.aliases.contains_key(&name),
        }
    }

    /// Tables of a table space (`DB.TS`) or a database.
    pub(super) fn in_space(&self, kind: &str, name: &Name) -> Vec<Name> {
        let is_in = |table: &&Arc<TableDefinition>| match (&table.space, kind) {
            (Some(space), "TABLESPACE") => {
                let database = |name: &Name| name.qualifier.clone().unwrap_or("DSNDB04".into());
                space.name == name.name && database(space) == database(name)
            }
            (Some(space), "DATABASE") => space.qualifier.as_ref() == Some(&name.name),
            _ => false,
        };
        let found = self.tables.values().filter(is_in);
        let mut found: Vec<Name> = found.map(|table| table.name.clone()).collect();
        found.sort_by_key(ToString::to_string);
        found
    }

    /// The table an alias stands for, or the name itself.
    pub(super) fn real(&self, name: &Name) -> Name {
        real(&self.aliases, name)
    }

    /// Reads definitions; what counts comes beside them.
    pub(crate) fn of(
        objects: impl Iterator<Item = Object>,
        dialect: Dialect,
    ) -> (Self, Vec<Counted>) {
        let mut tables: HashMap<String, TableDefinition> = HashMap::new();
        let mut views = HashMap::new();
        let mut aliases = HashMap::new();
        let mut known = HashSet::new();
        let mut next: HashMap<String, i64> = HashMap::new();
        let mut counters = Vec::new();
        for object in objects {
            let Object {
                kind,
                name,
                text,
                schema,
            } = object;
            if kind == "NEXT" {
                next.insert(name, text.parse().unwrap_or(1));
                continue;
            }
            let Ok(statement) = transom_sql::statement(&text) else {
                continue;
            };
            match statement.kind {
                Kind::CreateTable(table) => drop(tables.insert(name, in_schema(table, &schema))),
                Kind::AlterTable(more) => add(&mut tables, &aliases, in_schema(more, &schema)),
                Kind::CreateView(ref name) => {
                    views.insert(name.in_schema(&schema), (statement, schema));
                }
                Kind::CreateSequence { name, numbers } => {
                    let name = name.in_schema(&schema).to_string();
                    known.insert(name.clone());
                    counters.push((name, numbers));
                }
                Kind::CreateAlias { name, of } => {
                    let real = of.in_schema(&schema).to_string();
                    aliases.insert(name.in_schema(&schema).to_string(), real);
                }
                _ => {}
            }
        }
        counters.extend(tables.values().flat_map(identities));
        let counted = counters.into_iter().map(|(name, numbers)| Counted {
            next: next.get(&name).copied(),
            name,
            numbers,
        });
        let counted = counted.collect();
        let tables = tables.into_iter().map(|(name, table)| (name, table.into()));
        let known = Self {
            tables: tables.collect(),
            aliases,
            sequences: known,
            ..Self::default()
        };
        (known.described(views, dialect), counted)
    }
}

/// The table an alias stands for, or the name itself.
fn real(aliases: &HashMap<String, String>, name: &Name) -> Name {
    let known = aliases.get(&name.to_string());
    match known.map(|real| real.rsplit_once('.')) {
        Some(Some((schema, name))) => Name {
            qualifier: Some(schema.to_owned()),
            name: name.to_owned(),
        },
        _ => name.clone(),
    }
}

/// A definition as it is kept: a row of the table of Transom.
pub(crate) struct Object {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) schema: String,
}

/// A sequence or identity column.
pub(crate) struct Counted {
    pub(crate) name: String,
    pub(crate) numbers: Numbers,
    /// The number that comes next, where it was kept.
    pub(crate) next: Option<i64>,
}

/// The name of an identity column among the sequences.
pub(crate) fn identity_name(table: &str, column: &str) -> String {
    format!("{table}.{column}\u{1F}IDENTITY")
}

/// A definition whose names have the schema they had when it was made.
fn in_schema(mut table: TableDefinition, schema: &str) -> TableDefinition {
    table.name = table.name.in_schema(schema);
    for key in &mut table.foreign_keys {
        key.parent = key.parent.in_schema(schema);
    }
    table
}

fn view(name: &Name, columns: Vec<ResultColumn>) -> TableDefinition {
    let column = |column: ResultColumn| Column {
        name: column.name,
        kind: column.kind,
        nullable: column.nullable,
        ..Column::default()
    };
    TableDefinition {
        name: name.clone(),
        columns: columns.into_iter().map(column).collect(),
        view: true,
        ..TableDefinition::default()
    }
}

/// Names and numbers of the identity columns of a table.
fn identities(table: &TableDefinition) -> Vec<(String, Numbers)> {
    let columns = table.columns.iter().filter_map(|column| {
        let name = identity_name(&table.name.to_string(), &column.name);
        Some((name, column.identity.as_ref()?.numbers.clone()))
    });
    columns.collect()
}

/// ALTER TABLE ADD.
fn add(
    tables: &mut HashMap<String, TableDefinition>,
    // All of them: changes come behind.
    aliases: &HashMap<String, String>,
    more: TableDefinition,
) {
    let name = real(aliases, &more.name).to_string();
    let Some(table) = tables.get_mut(&name) else {
        return;
    };
    table.columns.extend(more.columns);
    table.unique.extend(more.unique);
    table.foreign_keys.extend(more.foreign_keys);
    if !more.primary_key.is_empty() {
        table.primary_key = more.primary_key;
    }
}

/// A statement of data definition.
pub(crate) struct Defined<'a> {
    pub(crate) kind: &'a Kind,
    pub(crate) text: &'a str,
    /// Of names without one.
    pub(crate) schema: &'a str,
}

/// What a driver does to the table of definitions.
pub(crate) enum Kept {
    /// The definition under this kind and name.
    Put(&'static str, String),
    /// One more change of a table.
    Alter(String),
    Delete(&'static str, String),
    /// The changes of a table.
    DeleteAlters(String),
    /// Something counts from now on.
    Count(String, Numbers),
    /// It counts no more.
    Uncount(String),
}

/// What becomes of the table of definitions.
pub(super) fn kept(defined: &Defined<'_>, tables: &Tables) -> Vec<Kept> {
    let full = |name: &Name| name.in_schema(defined.schema).to_string();
    match defined.kind {
        Kind::CreateTable(table) => {
            let table = in_schema(table.clone(), defined.schema);
            let mut all = vec![Kept::Put("TABLE", table.name.to_string())];
            let counted = identities(&table).into_iter();
            all.extend(counted.map(|(name, numbers)| Kept::Count(name, numbers)));
            all
        }
        Kind::AlterTable(table) => {
            let name = tables.real(&table.name.in_schema(defined.schema));
            vec![Kept::Alter(name.to_string())]
        }
        Kind::CreateView(name) => vec![Kept::Put("VIEW", full(name))],
        Kind::CreateAlias { name, .. } => vec![Kept::Put("ALIAS", full(name))],
        Kind::CreateSequence { name, numbers } => {
            let name = full(name);
            let count = Kept::Count(name.clone(), numbers.clone());
            vec![Kept::Put("SEQUENCE", name), count]
        }
        Kind::Drop { kind, name } => dropped(kind, full(name), tables),
        _ => Vec::new(),
    }
}

fn dropped(kind: &str, name: String, tables: &Tables) -> Vec<Kept> {
    match kind {
        "TABLE" => {
            let columns = tables.tables.get(&name).map(|table| table.columns.iter());
            let columns = columns.into_iter().flatten();
            let counted = columns.filter(|column| column.identity.is_some());
            let mut all: Vec<Kept> = counted
                .map(|column| Kept::Uncount(identity_name(&name, &column.name)))
                .collect();
            all.push(Kept::DeleteAlters(name.clone()));
            all.push(Kept::Delete("TABLE", name));
            all
        }
        "SEQUENCE" => vec![Kept::Uncount(name.clone()), Kept::Delete("SEQUENCE", name)],
        "VIEW" => vec![Kept::Delete("VIEW", name)],
        "ALIAS" | "SYNONYM" => vec![Kept::Delete("ALIAS", name)],
        // Indexes and storage are not kept.
        _ => Vec::new(),
    }
}
