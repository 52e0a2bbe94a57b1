//! SET, GET DIAGNOSTICS, WHENEVER, INCLUDE, units of work, connections, locks.

use super::parser::{Parsed, Parser};
use super::verbs::{STATEMENTS, Verb};
use crate::lexer::TokenKind;
use crate::registers::Register;
use crate::statement::{Action, Count, Diagnostic, Kind, Role, Tree, Whenever};

impl Parser<'_> {
    /// SET of host variables, a special register, PATH or the like.
    pub(super) fn set(&mut self) -> Parsed<Verb> {
        self.expect("SET")?;
        if self.eat("CONNECTION") {
            return self.connection("SET CONNECTION");
        }
        if self.is_host() || self.is_symbol("(") {
            return self.set_hosts();
        }
        self.eat("SESSION");
        let register = Register::at_front(|n| {
            let token = self.peek_at(n).filter(|t| t.kind == TokenKind::Word)?;
            Some(token.text.clone())
        });
        let register = match register {
            Some((register, words)) => {
                for _ in 0..words {
                    self.advance();
                }
                register
            }
            None if self.eat("PATH") => Register::CurrentPath,
            None if self.eat("SCHEMA") => Register::CurrentSchema,
            None if self.is("CURRENT") => {
                return Err(self.refused("this special register is not known"));
            }
            None => return Err(self.illegal("HOST VARIABLE, SPECIAL REGISTER")),
        };
        if !register.is_settable() {
            return Err(self.illegal("SPECIAL REGISTER THAT CAN BE SET"));
        }
        self.eat_symbol("=");
        // A schema may be written as a name, an option as a word.
        let at = self.at();
        let is_word = self.is_name() && !self.is_any(&["USER", "CURRENT", "SESSION_USER"]);
        let value = if is_word && !self.is_symbol_at(1, "(") {
            let names = self.list(Self::any_word)?;
            crate::tree::node::Expr::Literal(crate::tree::words::Literal::Text(names.join(",")))
        } else {
            self.expression()?
        };
        if self.is_symbol(",") {
            return Err(crate::problem::SqlProblem::refused(
                "a list of values for a special register is not done",
                at,
            ));
        }
        Ok((Kind::SetRegister(register), Tree::Values(vec![value])))
    }

    /// `:A = x`, `:A = x, :B = y`, `(:A, :B) = (x, y)`, `(:A, :B) = (SELECT ..)`.
    fn set_hosts(&mut self) -> Parsed<Verb> {
        if self.eat_symbol("(") {
            let targets = self.hosts(Role::Output)?;
            self.expect_symbol(")")?;
            self.expect_symbol("=")?;
            if self.is_query_in_brackets() {
                self.expect_symbol("(")?;
                let query = self.query()?;
                self.expect_symbol(")")?;
                return Ok((Kind::ValuesInto, Tree::Query(Box::new(query))));
            }
            self.eat("VALUES");
            let values = self.bracketed(Self::expression)?;
            if values.len() != targets.len() {
                return Err(crate::problem::SqlProblem::new(-117, &[], self.at()));
            }
            return Ok((Kind::ValuesInto, Tree::Values(values)));
        }
        let values = self.list(|p| {
            p.host(Role::Output)?;
            p.expect_symbol("=")?;
            p.expression()
        })?;
        Ok((Kind::ValuesInto, Tree::Values(values)))
    }

    pub(super) fn get_diagnostics(&mut self) -> Parsed<Verb> {
        self.expect("GET")?;
        self.eat_any(&["CURRENT", "STACKED"]);
        self.expect("DIAGNOSTICS")?;
        let mut condition = None;
        if self.eat("CONDITION") {
            condition = Some(if self.is_host() {
                Count::Host(self.lone_host(Role::Control)?)
            } else {
                Count::Number(self.integer()?)
            });
        }
        let items = self.list(|p| {
            let host = p.host(Role::Output)?;
            p.expect_symbol("=")?;
            if p.is("ALL") {
                return Err(p.refused("GET DIAGNOSTICS of ALL is not done"));
            }
            let item = p.any_word()?;
            Ok(Diagnostic {
                host,
                item,
                condition,
            })
        })?;
        Ok((Kind::GetDiagnostics(items), Tree::None))
    }

    /// Statements that begin with a word of their own.
    pub(super) fn session(&mut self) -> Parsed<Verb> {
        let kind = match self.peek().map_or("", |t| t.text.as_str()) {
            "WHENEVER" => self.whenever()?,
            "INCLUDE" => {
                self.advance();
                Kind::Include(self.object()?)
            }
            "BEGIN" => {
                self.advance();
                self.section(Kind::BeginDeclareSection)?
            }
            "END" => {
                self.advance();
                self.section(Kind::EndDeclareSection)?
            }
            "COMMIT" => {
                self.advance();
                Kind::Commit {
                    work: self.eat("WORK"),
                }
            }
            "ROLLBACK" => self.rollback()?,
            "SAVEPOINT" => self.savepoint()?,
            "RELEASE" => return self.release(),
            "LOCK" => self.lock()?,
            "CONNECT" => {
                self.advance();
                if !self.eat("TO") {
                    self.eat("RESET");
                    let server = None;
                    let verb = "CONNECT";
                    return Ok((Kind::Connect { server, verb }, Tree::None));
                }
                return self.connection("CONNECT");
            }
            "FREE" => self.locator("FREE", Kind::FreeLocator)?,
            "HOLD" => self.locator("HOLD", Kind::HoldLocator)?,
            "EXPLAIN" | "SIGNAL" | "RESIGNAL" => {
                let word = self.any_word()?;
                return Err(self.refused(format!("{word} is not done")));
            }
            _ => return Err(self.illegal(STATEMENTS)),
        };
        Ok((kind, Tree::None))
    }

    fn section(&mut self, kind: Kind) -> Parsed<Kind> {
        self.expect("DECLARE")?;
        self.expect("SECTION")?;
        Ok(kind)
    }

    fn whenever(&mut self) -> Parsed<Kind> {
        self.expect("WHENEVER")?;
        let condition = if self.eat_all(&["NOT", "FOUND"]) {
            Whenever::NotFound
        } else if self.eat("SQLERROR") {
            Whenever::SqlError
        } else if self.eat("SQLWARNING") {
            Whenever::SqlWarning
        } else {
            return Err(self.illegal("NOT FOUND SQLERROR SQLWARNING"));
        };
        let action = if self.eat("CONTINUE") {
            Action::Continue
        } else if self.eat("GOTO") || self.eat_all(&["GO", "TO"]) {
            Action::GoTo(self.paragraph()?)
        } else if self.eat("DO") || self.is("PERFORM") {
            self.eat("PERFORM");
            Action::Do(self.paragraph()?)
        } else {
            return Err(self.illegal("CONTINUE GOTO"));
        };
        Ok(Kind::Whenever { condition, action })
    }

    /// A paragraph of COBOL: digits may begin it, and hyphens are inside; a colon in front is
    /// allowed.
    fn paragraph(&mut self) -> Parsed<String> {
        if let Some(token) = self.peek().filter(|t| t.kind == TokenKind::Host) {
            self.advance();
            return Ok(token.text.clone());
        }
        let Some(first) = self.advance() else {
            return Err(self.illegal("LABEL"));
        };
        let mut name = first.text.clone();
        let mut end = first.end;
        while let Some(token) = self
            .peek()
            .filter(|t| t.at.offset == end && !t.is_symbol(";"))
        {
            name += &token.text;
            end = token.end;
            self.advance();
        }
        Ok(name)
    }

    fn rollback(&mut self) -> Parsed<Kind> {
        self.expect("ROLLBACK")?;
        self.eat("WORK");
        let savepoint = if self.eat_all(&["TO", "SAVEPOINT"]) {
            Some(if self.is_name() {
                Some(self.name()?)
            } else {
                None
            })
        } else {
            None
        };
        Ok(Kind::Rollback { savepoint })
    }

    fn savepoint(&mut self) -> Parsed<Kind> {
        self.expect("SAVEPOINT")?;
        let name = self.name()?;
        let unique = self.eat("UNIQUE");
        self.eat_all(&["ON", "ROLLBACK", "RETAIN", "CURSORS"]);
        self.eat_all(&["ON", "ROLLBACK", "RETAIN", "LOCKS"]);
        self.eat_all(&["ON", "ROLLBACK", "RETAIN", "CURSORS"]);
        Ok(Kind::Savepoint { name, unique })
    }

    fn release(&mut self) -> Parsed<Verb> {
        self.expect("RELEASE")?;
        let to = self.eat("TO");
        if to || self.is("SAVEPOINT") {
            self.expect("SAVEPOINT")?;
            let name = self.name()?;
            return Ok((Kind::ReleaseSavepoint { name }, Tree::None));
        }
        self.connection("RELEASE")
    }

    fn connection(&mut self, verb: &'static str) -> Parsed<Verb> {
        let server = Some(self.target()?);
        if self.eat("USER") {
            self.host(Role::Control)?;
            self.expect("USING")?;
            self.host(Role::Control)?;
        }
        Ok((Kind::Connect { server, verb }, Tree::None))
    }

    fn lock(&mut self) -> Parsed<Kind> {
        self.expect("LOCK")?;
        self.expect("TABLE")?;
        let table = self.qualified()?;
        if self.eat("PARTITION") {
            self.integer::<u32>()?;
        }
        self.expect("IN")?;
        let exclusive = match self.eat_any(&["SHARE", "EXCLUSIVE"]) {
            Some(word) => word == "EXCLUSIVE",
            None => return Err(self.illegal("SHARE EXCLUSIVE")),
        };
        self.expect("MODE")?;
        Ok(Kind::LockTable { table, exclusive })
    }

    fn locator(&mut self, word: &str, kind: Kind) -> Parsed<Kind> {
        self.expect(word)?;
        self.expect("LOCATOR")?;
        self.hosts(Role::Control)?;
        Ok(kind)
    }
}
