//! PREPARE, EXECUTE, DESCRIBE, and procedures.

use super::parser::{Parsed, Parser};
use super::verbs::Verb;
use crate::lexer::TokenKind;
use crate::statement::{Describe, Described, Kind, Role, Target, Text, Tree};

impl Parser<'_> {
    pub(super) fn prepare(&mut self) -> Parsed<Verb> {
        self.expect("PREPARE")?;
        let name = self.object()?;
        let mut into = None;
        if self.eat("INTO") {
            into = Some(self.host(Role::Descriptor)?);
            if self.eat("USING") {
                self.label_kind()?;
            }
        }
        let attributes = if self.eat("ATTRIBUTES") {
            Some(self.host(Role::Control)?)
        } else {
            None
        };
        self.expect("FROM")?;
        let from = self.statement_text()?;
        let kind = Kind::Prepare {
            name,
            from,
            attributes,
            into,
        };
        Ok((kind, Tree::None))
    }

    fn label_kind(&mut self) -> Parsed<&'static str> {
        let found = self.eat_any(&["NAMES", "LABELS", "ANY", "BOTH"]);
        found.ok_or_else(|| self.illegal("NAMES LABELS ANY BOTH"))
    }

    /// A host variable or a constant.
    fn statement_text(&mut self) -> Parsed<Text> {
        if self.is_host() {
            return Ok(Text::Host(self.host(Role::Control)?));
        }
        if self
            .peek()
            .is_some_and(|t| matches!(t.kind, TokenKind::String | TokenKind::Delimited))
        {
            let token = self.advance();
            return Ok(Text::Constant(
                token.map(|t| t.text.clone()).unwrap_or_default(),
            ));
        }
        Err(self.illegal("HOST VARIABLE"))
    }

    pub(super) fn execute(&mut self) -> Parsed<Verb> {
        self.expect("EXECUTE")?;
        if self.eat("IMMEDIATE") {
            let from = self.statement_text()?;
            return Ok((Kind::ExecuteImmediate { from }, Tree::None));
        }
        let name = self.object()?;
        let using = self.using()?;
        if self.is("FOR") {
            return Err(self.refused("EXECUTE FOR n ROWS is not done"));
        }
        Ok((Kind::Execute { name, using }, Tree::None))
    }

    pub(super) fn describe(&mut self) -> Parsed<Verb> {
        self.expect("DESCRIBE")?;
        let what = if self.eat("TABLE") {
            Described::Table(self.host(Role::Control)?)
        } else if self.eat("CURSOR") {
            Described::Cursor(self.object()?)
        } else if self.eat("PROCEDURE") {
            Described::Procedure(self.target()?)
        } else if self.eat("INPUT") {
            Described::Input(self.object()?)
        } else {
            self.eat("OUTPUT");
            Described::Output(self.object()?)
        };
        self.expect("INTO")?;
        let into = self.host(Role::Descriptor)?;
        let using = if self.eat("USING") {
            Some(self.label_kind()?)
        } else {
            None
        };
        Ok((Kind::Describe(Describe { what, into, using }), Tree::None))
    }

    /// A name, or a host variable that has one.
    pub(super) fn target(&mut self) -> Parsed<Target> {
        if self.is_host() {
            return Ok(Target::Host(self.host(Role::Control)?));
        }
        Ok(Target::Named(self.qualified()?))
    }

    pub(super) fn call_procedure(&mut self) -> Parsed<Verb> {
        self.expect("CALL")?;
        let procedure = self.target()?;
        let mut arguments = Vec::new();
        let mut descriptor = None;
        if self.eat_symbol("(") && !self.eat_symbol(")") {
            arguments = self.list(|p| {
                if p.is_host() && (p.is_lone_host()) {
                    let at = p.at();
                    let host = p.host(Role::Both)?;
                    return Ok(crate::tree::node::Expr::Host(host, at));
                }
                p.expression()
            })?;
            self.expect_symbol(")")?;
        } else if self.eat("USING") {
            self.expect("DESCRIPTOR")?;
            descriptor = Some(self.host(Role::Descriptor)?);
        }
        let kind = Kind::Call {
            procedure,
            descriptor,
        };
        let tree = if arguments.is_empty() {
            Tree::None
        } else {
            Tree::Values(arguments)
        };
        Ok((kind, tree))
    }

    /// Whether the host variable that follows is a whole argument.
    fn is_lone_host(&self) -> bool {
        let is_host = |n: usize| self.peek_at(n).is_some_and(|t| t.kind == TokenKind::Host);
        let mut behind = 1;
        if is_host(1) {
            behind = 2;
        } else if self.peek_at(1).is_some_and(|t| t.is("INDICATOR")) && is_host(2) {
            behind = 3;
        }
        self.is_symbol_at(behind, ",") || self.is_symbol_at(behind, ")")
    }

    /// ASSOCIATE LOCATORS, ALLOCATE c CURSOR FOR RESULT SET.
    pub(super) fn locators(&mut self) -> Parsed<Verb> {
        if self.eat("ALLOCATE") {
            let cursor = self.object()?;
            for word in ["CURSOR", "FOR", "RESULT", "SET"] {
                self.expect(word)?;
            }
            let locator = self.host(Role::Input)?;
            return Ok((Kind::AllocateCursor { cursor, locator }, Tree::None));
        }
        self.expect("ASSOCIATE")?;
        self.eat_all(&["RESULT", "SET"]);
        if self.eat_any(&["LOCATORS", "LOCATOR"]).is_none() {
            return Err(self.illegal("LOCATORS"));
        }
        self.bracketed(|p| p.host(Role::Output))?;
        self.expect("WITH")?;
        self.expect("PROCEDURE")?;
        let procedure = self.target()?;
        Ok((Kind::AssociateLocators { procedure }, Tree::None))
    }
}
