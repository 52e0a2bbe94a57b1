//! A CALL of EXEC SQL in the making.
//!
//! Not here: what a statement asks (`statement`), printing (`assemble`).

use super::items;
use crate::argument::Argument;
use transom_commands::sql::{Role, Verb};

/// What is known of it so far.
pub(super) struct Made {
    pub(super) verb: Verb,
    pub(super) flags: u8,
    pub(super) text: String,
    pub(super) roles: Vec<Role>,
    /// Elements of the arrays among them.
    pub(super) elements: Vec<u16>,
    pub(super) arguments: Vec<Argument>,
}

impl Made {
    pub(super) fn item(&mut self, role: Role, name: String) {
        self.array(role, name, 0);
    }

    /// The first element of an array of so many.
    pub(super) fn array(&mut self, role: Role, name: String, elements: u16) {
        self.roles.push(role);
        self.elements.push(elements);
        self.arguments.push(Argument::Generated(name));
    }

    pub(super) fn add(&mut self, shape: items::Shape, elements: u16, output: bool) {
        let (plain, length) = match output {
            true => (Role::Output, Role::OutputLength),
            false => (Role::Input, Role::InputLength),
        };
        match shape {
            items::Shape::Plain(name) => self.array(plain, name, elements),
            items::Shape::VarChar(bytes, text) => {
                self.array(length, bytes, elements);
                self.array(plain, text, elements);
            }
        }
    }
}
