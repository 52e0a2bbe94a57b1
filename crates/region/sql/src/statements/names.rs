//! Schemas of names without one, and the special registers of a session.
//!
//! What: statements of a program have the qualifier of its package, as BIND says it on z/OS;
//! statements a program or a script makes while it runs have CURRENT SCHEMA. Not here: clocks
//! (`registers`), names in statements (`formats/sql`).

use super::qualifiers::Qualifiers;
use std::collections::HashMap;
use std::sync::Arc;
use transom_sql::{Register, Type};
use transom_wire::sql::SqlFrom;

/// What a session knows of itself.
#[derive(Default)]
pub(super) struct Names {
    user: String,
    sqlid: Option<Arc<str>>,
    schema: Option<Arc<str>>,
    /// Registers that change no result: what SET gave them.
    others: HashMap<Register, String>,
}

/// What SET did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Set {
    Done,
    /// -713
    Invalid,
    /// Db2 would work otherwise from then on.
    NotDone,
}

impl Names {
    /// A special register has a value of its own.
    pub(super) fn are_set(&self) -> bool {
        self.sqlid.is_some() || self.schema.is_some() || !self.others.is_empty()
    }

    /// Who runs statements from now on.
    pub(super) fn run_for(&mut self, from: &SqlFrom) {
        if self.user != from.user {
            self.user.clone_from(&from.user);
        }
    }

    /// Schema of names without one in a statement; empty: they are names of no schema.
    pub(super) fn schema_of(&self, from: &SqlFrom, qualifiers: &Qualifiers) -> Arc<str> {
        if !from.dynamic {
            return qualifiers.of_package(&from.program);
        }
        let set = self.schema.as_ref().or(self.sqlid.as_ref());
        set.unwrap_or(&qualifiers.all).clone()
    }

    /// The text of a register; `None`: it is not done.
    pub(super) fn text(&self, register: Register, qualifiers: &Qualifiers) -> Option<String> {
        let own = || match &*qualifiers.all {
            "" => self.user.clone(),
            all => all.to_owned(),
        };
        let set = |set: Option<&Arc<str>>| set.map_or_else(own, |text| text.to_string());
        let text = match register {
            Register::User => self.user.clone(),
            Register::CurrentSqlId => set(self.sqlid.as_ref()),
            Register::CurrentSchema => set(self.schema.as_ref().or(self.sqlid.as_ref())),
            Register::CurrentServer => qualifiers.location.clone(),
            other => match self.others.get(&other) {
                Some(text) => text.clone(),
                None => at_first(other)?.to_owned(),
            },
        };
        Some(match register.kind() {
            Type::Char(length) => format!("{text:<0$}", length as usize),
            _ => text,
        })
    }

    /// SET of a register.
    pub(super) fn set(&mut self, register: Register, value: &str) -> Set {
        let value = value.trim_end_matches(' ');
        let name = || Some(Arc::from(value));
        match register {
            Register::CurrentSqlId | Register::CurrentSchema if value.is_empty() => {
                return Set::Invalid;
            }
            Register::CurrentSqlId => self.sqlid = name(),
            Register::CurrentSchema => self.schema = name(),
            Register::CurrentPackageSet
            | Register::CurrentDegree
            | Register::CurrentOptimizationHint => {
                self.others.insert(register, value.to_owned());
            }
            // Another value changes what statements do.
            other if at_first(other) == Some(value) => {}
            _ => return Set::NotDone,
        }
        Set::Done
    }
}

/// What a register is where nobody sets it.
fn at_first(register: Register) -> Option<&'static str> {
    Some(match register {
        Register::CurrentPackageSet | Register::CurrentOptimizationHint => "",
        Register::CurrentDegree => "1",
        Register::CurrentRules => "DB2",
        Register::CurrentPrecision => "DEC15",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(program: &str, dynamic: bool) -> SqlFrom {
        SqlFrom {
            program: program.to_owned(),
            user: "ALICE".to_owned(),
            dynamic,
        }
    }

    #[test]
    fn a_package_has_its_qualifier_and_dynamic_statements_the_schema() {
        let packages = [("PAY*", "P"), ("PAYROLL", "R")];
        let packages = packages.map(|(a, b)| (a.to_owned(), b.to_owned()));
        let qualifiers = Qualifiers::new("BANK", packages, "LOC");
        let mut names = Names::default();
        names.run_for(&from("PAYROLL", false));
        let schema = |names: &Names, program: &str, dynamic| {
            names
                .schema_of(&from(program, dynamic), &qualifiers)
                .to_string()
        };
        assert_eq!(schema(&names, "PAYROLL", false), "R");
        assert_eq!(schema(&names, "PAYSLIP", false), "P");
        assert_eq!(schema(&names, "OTHER", false), "BANK");
        assert_eq!(schema(&names, "PAYROLL", true), "BANK");
        assert_eq!(names.set(Register::CurrentSqlId, "TEST  "), Set::Done);
        assert_eq!(schema(&names, "PAYROLL", true), "TEST");
        assert_eq!(schema(&names, "PAYROLL", false), "R");
        assert_eq!(names.set(Register::CurrentSchema, "S"), Set::Done);
        assert_eq!(names.set(Register::CurrentSqlId, "X"), Set::Done);
        assert_eq!(schema(&names, "PAYROLL", true), "S");
        let text = |register| names.text(register, &qualifiers).unwrap();
        assert_eq!(text(Register::User), "ALICE");
        assert_eq!(text(Register::CurrentSqlId), "X");
        assert_eq!(text(Register::CurrentServer), "LOC             ");
    }

    #[test]
    fn what_would_change_results_cannot_be_set() {
        let mut names = Names::default();
        assert_eq!(names.set(Register::CurrentPrecision, "DEC15"), Set::Done);
        assert_eq!(names.set(Register::CurrentPrecision, "DEC31"), Set::NotDone);
        assert_eq!(names.set(Register::CurrentSqlId, " "), Set::Invalid);
        assert_eq!(names.set(Register::CurrentDegree, "ANY"), Set::Done);
        let none = Qualifiers::default();
        assert_eq!(names.text(Register::CurrentDegree, &none).unwrap(), "ANY");
        assert_eq!(names.text(Register::CurrentPath, &none), None);
    }
}
