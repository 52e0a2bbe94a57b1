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
    pub(super) arguments: Vec<Argument>,
}

impl Made {
    pub(super) fn item(&mut self, role: Role, name: String) {
        self.roles.push(role);
        self.arguments.push(Argument::Generated(name));
    }

    pub(super) fn add(&mut self, shape: items::Shape, output: bool) {
        let (plain, length) = match output {
            true => (Role::Output, Role::OutputLength),
            false => (Role::Input, Role::InputLength),
        };
        match shape {
            items::Shape::Plain(name) => self.item(plain, name),
            items::Shape::VarChar(bytes, text) => {
                self.item(length, bytes);
                self.item(plain, text);
            }
        }
    }
}
