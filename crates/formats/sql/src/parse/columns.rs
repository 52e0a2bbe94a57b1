//! The bracket of CREATE TABLE: columns and constraints.

use super::parser::{Parsed, Parser};
use crate::catalog::{Column, ColumnDefault, ForeignKey, OnDelete, TableDefinition, Unique};
use crate::problem::{At, SqlProblem};
use crate::tree::Name;
use crate::tree::definition::NewTable;

/// Columns of a table of Db2.
const COLUMNS_MAX: usize = 750;

impl NewTable {
    pub(super) fn empty(name: Name, at: At) -> Self {
        Self {
            definition: TableDefinition {
                name,
                ..TableDefinition::default()
            },
            checks: Vec::new(),
            at,
        }
    }
}

impl Parser<'_> {
    pub(super) fn table_body(&mut self, name: Name) -> Parsed<NewTable> {
        let mut table = NewTable::empty(name, self.at());
        self.bracketed(|p| p.element(&mut table))?;
        Ok(table)
    }

    fn element(&mut self, table: &mut NewTable) -> Parsed<()> {
        if self.eat("CONSTRAINT") {
            let name = self.name()?;
            return self.constraint(table, Some(name), None);
        }
        let is_constraint = self.are(&["PRIMARY", "KEY"])
            || self.are(&["FOREIGN", "KEY"])
            || (self.is_any(&["UNIQUE", "CHECK"]) && self.is_symbol_at(1, "("));
        if is_constraint {
            return self.constraint(table, None, None);
        }
        if self.are(&["PERIOD", "FOR"]) || self.is("PERIOD") && self.is_symbol_at(2, "(") {
            return Err(self.refused("PERIOD is not done"));
        }
        self.column_definition(table)
    }

    /// What follows ADD of ALTER TABLE.
    pub(super) fn alter_add(&mut self, table: &mut NewTable) -> Parsed<()> {
        if self.eat("COLUMN") {
            return self.column_definition(table);
        }
        self.element(table)
    }

    fn column_definition(&mut self, table: &mut NewTable) -> Parsed<()> {
        let at = self.at();
        let name = self.name()?;
        if table.definition.column(&name).is_some() {
            return Err(SqlProblem::new(-612, &[&name], at));
        }
        if table.definition.columns.len() == COLUMNS_MAX {
            return Err(SqlProblem::new(-680, &[], at));
        }
        let mut column = Column {
            name,
            kind: self.data_type()?,
            nullable: true,
            ..Column::default()
        };
        while !self.is_symbol(",") && !self.is_symbol(")") {
            if self.peek().is_none() || self.is_any(&["ADD", "IN"]) || self.is_symbol(";") {
                break;
            }
            self.column_option(&mut column, table)?;
        }
        table.definition.columns.push(column);
        Ok(())
    }

    fn column_option(&mut self, column: &mut Column, table: &mut NewTable) -> Parsed<()> {
        if self.eat_all(&["NOT", "NULL"]) {
            column.nullable = false;
        } else if self.eat("NULL") {
            column.nullable = true;
        } else if self.is("WITH") || self.is("DEFAULT") {
            self.eat("WITH");
            self.expect("DEFAULT")?;
            column.default = self.default_value()?;
        } else if self.is("GENERATED") {
            self.generated(column)?;
        } else if self.eat("FIELDPROC") {
            return Err(self.refused("FIELDPROC is not done"));
        } else if self.eat_all(&["INLINE", "LENGTH"]) {
            self.integer::<u32>()?;
        } else if self.eat_all(&["IMPLICITLY", "HIDDEN"]) {
            return Err(self.refused("IMPLICITLY HIDDEN is not done"));
        } else if self.are(&["AS", "IDENTITY"]) || self.are(&["AS", "SECURITY"]) {
            return Err(self.illegal("GENERATED"));
        } else {
            let name = if self.eat("CONSTRAINT") {
                Some(self.name()?)
            } else {
                None
            };
            self.constraint(table, name, Some(&column.name))?;
        }
        Ok(())
    }

    /// A constraint of the table, or of one column.
    fn constraint(
        &mut self,
        table: &mut NewTable,
        name: Option<String>,
        column: Option<&str>,
    ) -> Parsed<()> {
        let definition = &mut table.definition;
        if self.eat_all(&["PRIMARY", "KEY"]) {
            definition.primary_key = self.key(column)?;
        } else if self.eat("UNIQUE") {
            let columns = self.key(column)?;
            definition.unique.push(Unique { name, columns });
        } else if self.eat("CHECK") {
            self.expect_symbol("(")?;
            let condition = self.condition()?;
            self.expect_symbol(")")?;
            table.checks.push((name, condition));
        } else if self.is_any(&["FOREIGN", "REFERENCES"]) {
            let key = self.foreign_key(name, column)?;
            table.definition.foreign_keys.push(key);
        } else {
            return Err(self.illegal("PRIMARY KEY UNIQUE CHECK FOREIGN KEY REFERENCES"));
        }
        Ok(())
    }

    fn key(&mut self, column: Option<&str>) -> Parsed<Vec<String>> {
        match column {
            Some(column) => Ok(vec![column.to_owned()]),
            None => self.name_list(),
        }
    }

    fn foreign_key(&mut self, name: Option<String>, column: Option<&str>) -> Parsed<ForeignKey> {
        let mut name = name;
        let columns = if self.eat_all(&["FOREIGN", "KEY"]) {
            // `FOREIGN KEY name (..)` is the older place of the name.
            if !self.is_symbol("(") {
                name = Some(self.name()?);
            }
            self.name_list()?
        } else {
            column.map(str::to_owned).into_iter().collect()
        };
        self.expect("REFERENCES")?;
        let parent = self.qualified()?;
        let parent_columns = if self.is_symbol("(") {
            self.name_list()?
        } else {
            Vec::new()
        };
        let mut on_delete = OnDelete::NoAction;
        if self.eat_all(&["ON", "DELETE"]) {
            on_delete = if self.eat("CASCADE") {
                OnDelete::Cascade
            } else if self.eat("RESTRICT") {
                OnDelete::Restrict
            } else if self.eat_all(&["SET", "NULL"]) {
                OnDelete::SetNull
            } else {
                self.expect("NO")?;
                self.expect("ACTION")?;
                OnDelete::NoAction
            };
        }
        if self.eat("NOT") {
            self.expect("ENFORCED")?;
            return Err(self.refused("NOT ENFORCED is not done"));
        }
        self.eat("ENFORCED");
        self.eat_all(&["ENABLE", "QUERY", "OPTIMIZATION"]);
        Ok(ForeignKey {
            name,
            columns,
            parent,
            parent_columns,
            on_delete,
        })
    }
}

impl Column {
    /// Whether an INSERT may leave it out.
    pub fn has_default(&self) -> bool {
        self.nullable || self.identity.is_some() || self.default != ColumnDefault::None
    }
}
